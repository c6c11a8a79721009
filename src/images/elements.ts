import type { Node } from '@takumi-rs/core'
import { monogramColour, monogramOf } from './monogram.ts'
import { directionOf } from './textLayout.ts'

/** The CSS properties that the library supports. */
export type Style = Readonly<Record<string, string | number>>

export const box = (style: Style, children: readonly Node[] = []): Node => ({
  type: 'container',
  style: { display: 'flex', ...style },
  children: [...children],
})

/** Draws one line of text, which ends in … if it is too long. */
export const line = (text: string, style: Style): Node => ({
  type: 'text',
  text: text.normalize(),
  dir: directionOf(text),
  style: { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis', lineHeight: 1.3, ...style },
})

const SIDE = 112
/** White text has a contrast of at least 6:1 on each of these. */
const COLOURS = [
  '#a63d2f',
  '#93430f',
  '#7a4f08',
  '#5d5a10',
  '#3f651a',
  '#1a6a45',
  '#11695f',
  '#15637f',
  '#2f58a0',
  '#5548a8',
  '#7c3c98',
  '#9b2f68',
]

const tile = {
  width: SIDE,
  height: SIDE,
  borderRadius: 24,
  flexShrink: 0,
  alignItems: 'center',
  justifyContent: 'center',
}

export const logoTile = (logo: Uint8Array) =>
  box({ ...tile, backgroundColor: '#ffffff', border: '2px solid #e3d9c8', padding: 10 }, [
    { type: 'image', src: logo, style: { width: '100%', height: '100%', objectFit: 'contain' } },
  ])

export const monogramTile = (company: string) =>
  box({ ...tile, backgroundColor: COLOURS[monogramColour(company)] ?? '', color: '#ffffff' }, [
    line(monogramOf(company), { fontSize: 50, fontWeight: 700 }),
  ])
