/** The program of the process that renders cards: see `cardRenderer.ts`. */
import { Renderer } from '@takumi-rs/core'
import type { Tagged, WorkerResponse } from '../worker/workerClient.ts'
import { type Card, CARD_HEIGHT, CARD_WIDTH, drawCard, TITLE_WIDTH } from './card.ts'
import { fontsFor } from './fonts.ts'
import { runWhenIdle } from './idlePriority.ts'
import { titleSamples, titleSize } from './titleSize.ts'

/** A card to render. */
export interface CardRequest {
  readonly card: Card
  readonly logo: Uint8Array | undefined
  /** The paths of fonts for characters that the embedded ones lack. */
  readonly extraFonts: readonly string[]
}

export interface RenderedCard extends WorkerResponse {
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** The fonts that could not be loaded, and why. Each is reported once. */
  readonly unreadableFonts?: readonly string[]
}

/** Every card is different, and the server caches the images. */
const NO_CACHE = { cacheMaxBytes: 0 }

const renderer = new Renderer(NO_CACHE)
/** The families of the fonts by path. A font is loaded when a card first needs it. */
const families = new Map<string, Promise<string[]>>()
let unreadableFonts: string[] = []

runWhenIdle()
process.on('message', (request: Tagged<CardRequest>) => void respond(request))
// The worker ends with the server, not at a signal: pending requests get their response.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)

async function respond({ id, ...request }: Tagged<CardRequest>) {
  const rendered = await tryRender(request)
  process.send?.({ ...rendered, unreadableFonts, id } satisfies Tagged<RenderedCard>)
  unreadableFonts = []
}

async function tryRender(request: CardRequest): Promise<RenderedCard> {
  try {
    return { bytes: await render(request) }
  } catch (error) {
    return { failure: String(error) }
  }
}

async function render({ card, logo, extraFonts }: CardRequest): Promise<Uint8Array<ArrayBuffer>> {
  const paths = [...fontsFor(Object.values(card).join(' ')), ...extraFonts]
  const fontFamilies = (await Promise.all(paths.map(familiesIn))).flat()
  const measured = await renderer.measure(titleSamples(card.title), { width: TITLE_WIDTH, fontFamilies })
  const drawing = drawCard(card, titleSize(measured), logo)
  return await renderer.render(drawing, { width: CARD_WIDTH, height: CARD_HEIGHT, fontFamilies })
}

function familiesIn(path: string): Promise<string[]> {
  const loading = families.get(path) ?? load(path)
  families.set(path, loading)
  return loading
}

async function load(path: string): Promise<string[]> {
  try {
    const registered = await renderer.registerFont({ name: path, data: await Bun.file(path).bytes() })
    return registered.map(({ name }) => name)
  } catch (error) {
    unreadableFonts.push(`${path}: ${String(error)}`)
    return []
  }
}
