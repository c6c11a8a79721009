import type { MeasuredNode, Node } from '@takumi-rs/core'
import { TITLE_HEIGHT, TITLE_WIDTH, titleNode } from './card.ts'

/** In pixels, from the one that is wished for. Between them a step would hardly be seen. */
const SIZES = [104, 96, 88, 80, 74, 68, 62, 56, 52, 48, 44, 40, 36, 32, 28, 24]
/** For measuring: the width of a word grows with its size. */
const SAMPLE_SIZE = 100
/** A word is not quite as wide in every size. */
const SLACK = 0.99

/** What is to be measured to know the size of a title: its longest word, then the whole in each size. */
export const titleSamples = (title: string): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', width: TITLE_WIDTH },
  children: [
    titleNode(title, SAMPLE_SIZE, { width: 'min-content' }),
    ...SIZES.map(size => titleNode(title, size, { width: TITLE_WIDTH })),
  ],
})

/** The largest size in which no word is wider than the card, and the lines have room: for one endless word a small one. */
export function titleSize({ children: [word, ...whole] }: MeasuredNode): number {
  const widest = (SLACK * SAMPLE_SIZE * TITLE_WIDTH) / (word?.width ?? TITLE_WIDTH)
  const fits = (size: number, index: number) => size <= widest && (whole[index]?.height ?? 0) <= TITLE_HEIGHT
  return SIZES.find(fits) ?? Math.floor(widest * 10) / 10
}
