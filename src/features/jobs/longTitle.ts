import { TITLE_LENGTH } from './schema.ts'

/** Cuts a title that is too long for a job at a word, and marks that with `…`. */
export function shortTitle(title: string): string {
  const points = [...title]
  if (points.length <= TITLE_LENGTH) return title
  const start = points.slice(0, TITLE_LENGTH).join('')
  const words = /^(.*\S)\s/s.exec(start)?.[1] ?? points.slice(0, TITLE_LENGTH - 1).join('')
  return `${words}…`
}
