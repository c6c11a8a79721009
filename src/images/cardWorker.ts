/** The program of the process in which cards are painted: see `painter.ts`. */
import { Renderer } from '@takumi-rs/core'
import type { Tagged, WorkerResponse } from '../worker/workerClient.ts'
import { type Card, CARD_HEIGHT, CARD_WIDTH, drawCard, TITLE_WIDTH } from './card.ts'
import { fontsFor } from './fonts.ts'
import { runWhenIdle } from './idlePriority.ts'
import { titleSamples, titleSize } from './titleSize.ts'

/** A card to paint. */
export interface CardRequest {
  readonly card: Card
  readonly logo: Uint8Array | undefined
  /** Paths of the fonts to ask where the embedded ones lack a character. */
  readonly extraFonts: readonly string[]
}

export interface RenderedCard extends WorkerResponse {
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** Fonts that were done without, and why; each is told once. */
  readonly unreadableFonts?: readonly string[]
}

/** Every card differs, and whoever asked for it keeps it. */
const NO_CACHE = { cacheMaxBytes: 0 }

const renderer = new Renderer(NO_CACHE)
/** By path; a font that no card needed yet takes no memory. */
const families = new Map<string, Promise<string[]>>()
let unreadable: string[] = []

runWhenIdle()
process.on('message', (order: Tagged<CardRequest>) => void answer(order))
// it ends with the one who asks, and not before: what is asked by then is answered
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)

async function answer({ number, ...order }: Tagged<CardRequest>) {
  const painted = await carryOut(order)
  process.send?.({ ...painted, unreadableFonts: unreadable, number } satisfies Tagged<RenderedCard>)
  unreadable = []
}

async function carryOut(order: CardRequest): Promise<RenderedCard> {
  try {
    return { bytes: await paint(order) }
  } catch (error) {
    return { failure: String(error) }
  }
}

async function paint({
  card,
  logo,
  extraFonts: furtherFonts,
}: CardRequest): Promise<Uint8Array<ArrayBuffer>> {
  const paths = [...fontsFor(Object.values(card).join(' ')), ...furtherFonts]
  const fontFamilies = (await Promise.all(paths.map(familiesIn))).flat()
  const measured = await renderer.measure(titleSamples(card.title), { width: TITLE_WIDTH, fontFamilies })
  const drawing = drawCard(card, titleSize(measured), logo)
  return await renderer.render(drawing, { width: CARD_WIDTH, height: CARD_HEIGHT, fontFamilies })
}

function familiesIn(path: string): Promise<string[]> {
  const known = families.get(path) ?? load(path)
  families.set(path, known)
  return known
}

async function load(path: string): Promise<string[]> {
  try {
    const registered = await renderer.registerFont({ name: path, data: await Bun.file(path).bytes() })
    return registered.map(({ name }) => name)
  } catch (error) {
    unreadable.push(`${path}: ${String(error)}`)
    return []
  }
}
