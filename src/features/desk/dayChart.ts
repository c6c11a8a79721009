/** In units of the drawing. It is stretched to the width of the page. */
const BAR = 10
const GAP = 2
const HEIGHT = 100
const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The counts of some days. */
interface DailyCounts {
  readonly total: number
  readonly per_day: Readonly<Record<string, number>>
}

/** Returns a bar chart of counts by day for its template: the bars, the axes, and the numbers as a table. */
export function presentChart(title: string, { total, per_day: perDay }: DailyCounts) {
  const days = Object.entries(perDay).map(([date, count]) => ({
    date,
    count,
    text: DAY_TEXT.format(Date.parse(date)),
  }))
  const max = roundUp(Math.max(...days.map(({ count }) => count), 1))
  return {
    title,
    total,
    max,
    width: days.length * BAR,
    height: HEIGHT,
    label: `${title} by day: ${total} in all, at most ${Math.max(...days.map(({ count }) => count), 0)} on a day`,
    first: days[0]?.text ?? '',
    last: days.at(-1)?.text ?? '',
    bars: days.flatMap(({ count, text }, index) => {
      const height = (count / max) * HEIGHT
      const bar = {
        x: index * BAR + GAP / 2,
        y: HEIGHT - height,
        width: BAR - GAP,
        height,
        text: `${text}: ${count}`,
      }
      return count === 0 ? [] : [bar]
    }),
    days: days.toReversed(),
  }
}

/** Rounds up to a number that reads well on an axis: 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find(step => step * magnitude >= value) ?? 10) * magnitude
}
