/** The minimum length of both parts. */
const MIN_PART_LENGTH = 3

/**
 * Splits a word into two that were written without a space, so that the rarer of the two is as common as possible.
 * @param frequencyOf returns the number of jobs that have a word
 */
export function splitInTwo(
  text: string,
  frequencyOf: (word: string) => number,
): readonly string[] | undefined {
  let best: readonly string[] | undefined
  let most = 0
  for (let at = MIN_PART_LENGTH; at <= text.length - MIN_PART_LENGTH; at++) {
    const parts = [text.slice(0, at), text.slice(at)]
    const jobs = Math.min(...parts.map(frequencyOf))
    if (jobs <= most) continue
    most = jobs
    best = parts
  }
  return best
}
