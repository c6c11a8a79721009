import type { Node } from '@takumi-rs/core'
import { directionOf } from './textLayout.ts'

/** The CSS properties that the library supports. */
export type Style = Readonly<Record<string, string | number>>

export const box = (style: Style, children: readonly Node[] = []): Node => ({
  type: 'container',
  style: { display: 'flex', ...style },
  children: [...children],
})

/** One line of text, which ends in … if there is no space. */
export const line = (text: string, style: Style): Node => ({
  type: 'text',
  text: text.normalize(),
  dir: directionOf(text),
  style: { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis', lineHeight: 1.3, ...style },
})
