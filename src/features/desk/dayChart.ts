/** In units of the drawing. It is stretched to the width of the page. */
const BAR = 10
const GAP = 2
const HEIGHT = 100
/** With more days, all bars are one shape, because they are too narrow to point at. */
const MAX_BARS = 100
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
  const most = Math.max(...days.map(({ count }) => count), 0)
  const max = roundUp(Math.max(most, 1))
  const bars = days.flatMap(({ count, text }, index) => {
    const height = round((count / max) * HEIGHT)
    const bar = {
      x: index * BAR + GAP / 2,
      y: round(HEIGHT - height),
      width: BAR - GAP,
      height,
      text: `${text}: ${numberText(count)}`,
    }
    return count === 0 ? [] : [bar]
  })
  const isCompact = bars.length > MAX_BARS
  return {
    title,
    total: numberText(total),
    max: numberText(max),
    width: days.length * BAR,
    height: HEIGHT,
    label: `${title} by day: ${numberText(total)} in all, at most ${numberText(most)} on a day`,
    first: days[0]?.text ?? '',
    last: days.at(-1)?.text ?? '',
    bars: isCompact ? [] : bars,
    path: isCompact ? bars.map(({ x, y, width }) => `M${x} ${HEIGHT}V${y}h${width}V${HEIGHT}`).join('') : '',
    days: days.toReversed().map(({ date, count, text }) => ({ date, text, count: numberText(count) })),
  }
}

const round = (value: number) => Math.round(value * 100) / 100
const numberText = (value: number) => value.toLocaleString('en')

/** Rounds up to a number that reads well on an axis: 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find(step => step * magnitude >= value) ?? 10) * magnitude
}
