import type { MeasuredNode, Node } from '@takumi-rs/core'
import { TITLE_HEIGHT, TITLE_WIDTH, titleNode } from './card.ts'

/** Font sizes in pixels, the preferred one first. Smaller steps would hardly be visible. */
const SIZES = [104, 96, 88, 80, 74, 68, 62, 56, 52, 48, 44, 40, 36, 32, 28, 24]
/** The size for measuring a word, whose width is proportional to its size. */
const SAMPLE_SIZE = 100
/** Allows for rounding: the width is not exactly proportional. */
const SLACK = 0.99

/** Returns the node to measure for `titleSize`: the longest word of a title, then the title in each size. */
export const titleSamples = (title: string): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', width: TITLE_WIDTH },
  children: [
    titleNode(title, SAMPLE_SIZE, { width: 'min-content' }),
    ...SIZES.map(size => titleNode(title, size, { width: TITLE_WIDTH })),
  ],
})

/** Returns the largest size in which every word and all lines fit. A very long word gets a smaller one. */
export function titleSize({ children: [word, ...titles] }: MeasuredNode): number {
  const widest = (SLACK * SAMPLE_SIZE * TITLE_WIDTH) / (word?.width ?? TITLE_WIDTH)
  const fits = (size: number, index: number) => size <= widest && (titles[index]?.height ?? 0) <= TITLE_HEIGHT
  return SIZES.find(fits) ?? Math.floor(widest * 10) / 10
}
