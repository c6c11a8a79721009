import type { Node } from '@takumi-rs/core'
import { darkened, shadeOf } from './colour.ts'
import { box, line, logoTile, monogramTile, type Style } from './elements.ts'
import { type Direction, directionOf, withBreaks } from './textLayout.ts'

/** The size in pixels that social networks recommend. */
export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630

/** The text of a card. */
export interface Card {
  readonly board: string
  /** The colour of the board, in hexadecimal. */
  readonly accent: string
  readonly title: string
  readonly company: string
  readonly location: string
  /** Formatted, `''` if there is none. */
  readonly salary: string
  readonly arrangement: string
  readonly term: string
  readonly highlight: boolean
}

interface Colours {
  readonly paper: string
  readonly halo: string
  readonly ink: string
  readonly soft: string
  readonly accent: string
  readonly chip: string
}

/** The lightness up to which a colour is readable on the paper of plain cards. */
const MAX_LIGHTNESS = 0.47

const plainColours = (accent: string): Colours => ({
  paper: '#fbf7ef',
  halo: '#f4ecdd',
  ink: '#1f1b16',
  soft: '#5f574b',
  accent: darkened(accent, MAX_LIGHTNESS),
  chip: '#eadfcc',
})
const highlightColours = (accent: string): Colours => ({
  paper: shadeOf(accent, 0.28, 0.085),
  halo: shadeOf(accent, 0.33, 0.09),
  ink: '#fffaf0',
  soft: shadeOf(accent, 0.83, 0.03),
  accent: '#ffcf5c',
  chip: shadeOf(accent, 0.4, 0.1),
})

const MARGIN = 64
const STAR = 'polygon(50% 0%, 62% 35%, 98% 35%, 69% 57%, 80% 92%, 50% 71%, 20% 92%, 31% 57%, 2% 35%, 38% 35%)'

/** The space for the title, in pixels. */
export const TITLE_WIDTH = CARD_WIDTH - 2 * MARGIN
export const TITLE_HEIGHT = 256

/** Returns the node of a title in the given font size, for drawing and for measuring. */
export const titleNode = (title: string, size: number, style: Style = {}): Node => ({
  type: 'text',
  text: withBreaks(title),
  dir: directionOf(title),
  style: {
    fontSize: size,
    fontWeight: 700,
    lineHeight: 1.18,
    letterSpacing: '-0.01em',
    textWrap: 'balance',
    wordBreak: 'keep-all',
    width: '100%',
    ...style,
  },
})

/** Draws a card with a title in the given font size, and a monogram if there is no logo. */
export function drawCard(card: Card, titleSize: number, logo: Uint8Array | undefined): Node {
  const colours = card.highlight ? highlightColours(card.accent) : plainColours(card.accent)
  const direction = directionOf(card.title)
  const textAlign = direction === 'rtl' ? 'right' : 'left'
  const paper = { backgroundColor: colours.paper, color: colours.ink }
  const padding = `56px ${MARGIN}px 46px`
  return {
    ...box({ ...full, ...paper, position: 'relative' }, [
      halo(colours, direction),
      box({ ...full, ...column, padding, borderBottom: `14px solid ${colours.accent}` }, [
        header(card, colours, textAlign, logo),
        box({ height: TITLE_HEIGHT, alignItems: 'center' }, [
          titleNode(card.title, titleSize, { textAlign }),
        ]),
        footer(card, colours),
      ]),
    ]),
    dir: direction,
  }
}

const full = { width: '100%', height: '100%' }
const column = { position: 'relative', flexDirection: 'column', justifyContent: 'space-between' }

/** Draws a part of a circle in the corner. A gradient would take as long as the rest of the card. */
const halo = (colours: Colours, direction: Direction) =>
  box({
    position: 'absolute',
    top: -245,
    [direction === 'rtl' ? 'left' : 'right']: -210,
    width: 540,
    height: 540,
    borderRadius: 270,
    backgroundColor: colours.halo,
  })

function header(
  { company, location, highlight }: Card,
  { soft, accent }: Colours,
  textAlign: string,
  logo: Uint8Array | undefined,
) {
  const lines = box({ flexDirection: 'column', flexGrow: 1, minWidth: 0, gap: 2 }, [
    line(company, { fontSize: 40, fontWeight: 650, textAlign }),
    line(location, { fontSize: 31, fontWeight: 450, color: soft, textAlign }),
  ])
  return box({ alignItems: 'center', gap: 28, width: TITLE_WIDTH }, [
    logo ? logoTile(logo) : monogramTile(company),
    lines,
    ...(highlight
      ? [box({ width: 72, height: 72, flexShrink: 0, clipPath: STAR, backgroundColor: accent })]
      : []),
  ])
}

/** In UTF-16 units: a longer salary gets a smaller font, to leave room for its neighbours. */
const MAX_LARGE_SALARY = 24

function footer({ salary, arrangement, term, board }: Card, { accent, soft, chip, ink }: Colours): Node {
  const size = salary.length > MAX_LARGE_SALARY ? 32 : 40
  const pill = {
    fontSize: 30,
    fontWeight: 550,
    color: ink,
    backgroundColor: chip,
    borderRadius: 34,
    padding: '9px 26px',
  }
  return box({ alignItems: 'center', gap: 18, width: TITLE_WIDTH }, [
    ...(salary === ''
      ? []
      : [line(salary, { fontSize: size, fontWeight: 650, color: accent, flexShrink: 0 })]),
    line(arrangement, { ...pill, flexShrink: 0 }),
    line(term, { ...pill, minWidth: 130 }),
    box({ flexGrow: 1 }),
    box({ width: 18, height: 18, borderRadius: 9, backgroundColor: accent, flexShrink: 0 }),
    line(board, { fontSize: 29, fontWeight: 600, color: soft, maxWidth: 400, minWidth: 130 }),
  ])
}
