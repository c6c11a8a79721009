/** A bar chart of counts by day, and the same counts as a table. */
export interface Chart {
  readonly title: string
  readonly total: string
  readonly svg: string
  readonly rows: readonly { readonly day: string; readonly count: string }[]
}

const WIDTH = 720
const HEIGHT = 160
/** The space for the labels of the axes. */
const LEFT = 44
const BOTTOM = 22
const TOP = 10
const BAR_WIDTH = 0.75
const MAX_DAY_LABELS = 6
/** The steps of the axis of counts, times a power of ten. */
const STEPS = [1, 2, 5, 10]

/**
 * Draws a bar for each day. The bars have one colour and need no legend; the axes are labelled, and every bar has its
 * count in a title.
 * @param counts by date, oldest first
 */
export function barChart(title: string, counts: Readonly<Record<string, number>>): Chart {
  const days = Object.entries(counts)
  const total = days.reduce((sum, [, count]) => sum + count, 0)
  const top = roundUp(Math.max(1, ...days.map(([, count]) => count)))
  const slot = (WIDTH - LEFT) / Math.max(1, days.length)
  const height = HEIGHT - TOP - BOTTOM
  const bars = days.map(([day, count], index) => {
    const barHeight = (count / top) * height
    const x = LEFT + index * slot + (slot * (1 - BAR_WIDTH)) / 2
    return `<rect class="bar" x="${round(x)}" y="${round(TOP + height - barHeight)}" width="${round(slot * BAR_WIDTH)}" height="${round(barHeight)}"><title>${day}: ${count}</title></rect>`
  })
  const every = Math.ceil(days.length / MAX_DAY_LABELS)
  const dayLabels = days
    .map(([day], index) => ({ day, index }))
    .filter(({ index }) => index % every === 0)
    .map(
      ({ day, index }) =>
        `<text x="${round(LEFT + (index + 0.5) * slot)}" y="${HEIGHT - 5}" text-anchor="middle">${day.slice(5)}</text>`,
    )
  const lines = [0, 0.5, 1].map(part => {
    const y = round(TOP + height * (1 - part))
    return `<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${numberText(top * part)}</text>`
  })
  const label = Bun.escapeHTML(`${title} by day, ${numberText(total)} in all`)
  return {
    title,
    total: numberText(total),
    svg: `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${lines.join('')}${bars.join('')}${dayLabels.join('')}</svg>`,
    rows: days.map(([day, count]) => ({ day, count: numberText(count) })),
  }
}

/** Returns the smallest round number that is not smaller, whose half is whole or a half. */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count))
  return power * (STEPS.find(step => step * power >= count) ?? 10)
}

const round = (number: number) => Math.round(number * 100) / 100
const numberText = (number: number) => number.toLocaleString('en')
