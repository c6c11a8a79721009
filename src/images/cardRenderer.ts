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

/** The argument that makes the executable run the card worker: see `main.ts`. */
export const CARD_WORKER_COMMAND = 'paint-cards'
/** The command that starts the card worker. */
const COMMAND = [
  process.execPath,
  ...(isBuilt ? [] : [join(import.meta.dir, '..', 'main.ts')]),
  CARD_WORKER_COMMAND,
]

/** Increase this when the design of cards changes: it changes the URLs of all images. */
const DESIGN_VERSION = 2

/** The cards rendered at a time. Each takes a core for some milliseconds; one core is left to the rest of the board. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Milliseconds of pause after each card. Without it, many requests for images halve the speed of all others. */
const PAUSE = 10
const MAX_WAITING = 256
/** Milliseconds after which a worker is considered stuck and ended. The next card gets a new one. */
export const DEADLINE = 10 * SECOND
const BUSY = 'Too many images are being created right now. Please try again.'

const FONT_FILE = /\.(ttf|otf|ttc|woff2)$/i

type Warn = (message: string, details: Readonly<Record<string, string>>) => void

/**
 * Renders cards, at most two at a time, in a process of its own, which runs at idle priority and can't crash the server.
 * The process, the library and the fonts are loaded with the first card.
 */
export class CardRenderer {
  /** Changes whenever cards look different. */
  readonly version: string
  private readonly semaphore = new Semaphore(MAX_CONCURRENT, MAX_WAITING, BUSY)
  private worker: WorkerClient<CardRequest, RenderedCard> | undefined

  private constructor(
    private readonly folder: string,
    private readonly extraFonts: readonly string[],
    private readonly warn: Warn,
  ) {
    this.version = [DESIGN_VERSION, ...extraFonts].join('\n')
  }

  /** @param folder contains fonts for characters that the embedded ones lack; it need not exist */
  static async open(folder: string, warn: Warn): Promise<CardRenderer> {
    const names = await readdir(folder).catch(() => [])
    return new CardRenderer(folder, names.filter(name => FONT_FILE.test(name)).sort(), warn)
  }

  /**
   * Renders a card as PNG.
   * @param logo the bytes of an image; without them the card shows a monogram
   * @throws Problem 'busy' if too many are waiting, Error if the card can't be rendered
   */
  render(card: Card, logo: Uint8Array | undefined): Promise<Uint8Array<ArrayBuffer>> {
    const rendered = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    const done = this.semaphore.run(async () => {
      rendered.resolve(await this.request(card, logo))
      await Bun.sleep(PAUSE)
    })
    done.catch(rendered.reject)
    return rendered.promise
  }

  close(): void {
    this.worker?.close()
  }

  private async request(card: Card, logo: Uint8Array | undefined): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.worker || this.worker.hasEnded) {
      const variables = { ...inheritedVariables(), TMPDIR: addonFolder() }
      this.worker = new WorkerClient(spawnProcess(COMMAND, variables), 'rendering a card failed', DEADLINE)
    }
    const extraFonts = this.extraFonts.map(name => join(this.folder, name))
    const { bytes, unreadableFonts = [] } = await this.worker.request({ card, logo, extraFonts })
    for (const cause of unreadableFonts) this.warn('a font could not be read', { cause })
    if (!bytes) throw new Error('rendering a card gave no image')
    return bytes
  }
}
