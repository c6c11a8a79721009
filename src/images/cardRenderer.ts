import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { SECOND } from '../base/clock.ts'
import { Semaphore } from '../base/semaphore.ts'
import { inheritedVariables } from '../config/environment.ts'
import { isBuilt } from '../config/version.ts'
import { addonFolder } from '../store/nativeAddon.ts'
import { spawnProcess, WorkerClient } from '../worker/workerClient.ts'
import type { Card } from './card.ts'
import type { CardRequest, RenderedCard } from './cardWorker.ts'

export const CARD_TYPE = 'image/png'

/** The argument by which the executable knows that it is to paint: see `main.ts`. */
export const CARD_WORKER_COMMAND = 'paint-cards'
/** What starts the painting process. */
const COMMAND = [
  process.execPath,
  ...(isBuilt ? [] : [join(import.meta.dir, '..', 'main.ts')]),
  CARD_WORKER_COMMAND,
]

/** To be raised by whoever changes how a card looks: the addresses of all images change with it. */
const DESIGN_VERSION = 1

/** One takes a core for some milliseconds; one core is left to the rest of the board. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1))
/** In milliseconds, after each: without it a crowd that asks for images takes half of the readers' speed. */
const PAUSE = 10
const MAX_WAITING = 256
/** In milliseconds: a process that takes longer for a card is stuck. The next card gets a new one. */
export const DEADLINE = 10 * SECOND
/** In seconds. */
const RETRY_AFTER = 2
const BUSY = 'Too many images are being drawn just now. Please try again.'

const FONT_FILE = /\.(ttf|otf|ttc|woff2)$/i

type Warn = (message: string, details: Readonly<Record<string, string>>) => void

/**
 * Has cards painted, two at a time at most, in a process of its own, which can be told to let everybody else go first, and
 * takes nobody along if the library crashes. The process, the library and the fonts are there from the first card on.
 */
export class CardRenderer {
  /** Changes with how cards look. */
  readonly edition: string
  private readonly semaphore = new Semaphore(MAX_CONCURRENT, MAX_WAITING, BUSY, RETRY_AFTER)
  private worker: WorkerClient<CardRequest, RenderedCard> | undefined

  private constructor(
    private readonly folder: string,
    private readonly extraFonts: readonly string[],
    private readonly warn: Warn,
  ) {
    this.edition = [DESIGN_VERSION, ...extraFonts].join('\n')
  }

  /** @param folder of further fonts, for what the embedded ones lack; it need not be there */
  static async open(folder: string, warn: Warn): Promise<CardRenderer> {
    const names = await readdir(folder).catch(() => [])
    return new CardRenderer(folder, names.filter(name => FONT_FILE.test(name)).sort(), warn)
  }

  /**
   * Paints a card as PNG.
   * @param logo a picture's bytes; without them there is a monogram
   * @throws Problem 'busy' if too many wait already, Error if it can't be painted
   */
  render(card: Card, logo: Uint8Array | undefined): Promise<Uint8Array<ArrayBuffer>> {
    const painted = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    const turn = this.semaphore.run(async () => {
      painted.resolve(await this.request(card, logo))
      await Bun.sleep(PAUSE)
    })
    turn.catch(painted.reject)
    return painted.promise
  }

  close(): void {
    this.worker?.close()
  }

  private async request(card: Card, logo: Uint8Array | undefined): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.worker || this.worker.hasEnded) {
      const variables = { ...inheritedVariables(), TMPDIR: addonFolder() }
      this.worker = new WorkerClient(spawnProcess(COMMAND, variables), 'the painting failed', DEADLINE)
    }
    const furtherFonts = this.extraFonts.map(name => join(this.folder, name))
    const { bytes, unreadableFonts: unreadable = [] } = await this.worker.request({
      card,
      logo,
      extraFonts: furtherFonts,
    })
    for (const cause of unreadable) this.warn('a font could not be read', { cause })
    if (!bytes) throw new Error('the painting gave no picture')
    return bytes
  }
}
