/** The samples of a metric, in the text format of Prometheus. */
export interface MetricFamily {
  readonly type: string
  readonly help: string
  /** The values by name and labels, as they are written. */
  readonly samples: Map<string, number>
}

const COMMENT = /^# (HELP|TYPE) ([a-z_]+) (.+)$/
const SAMPLE =
  /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\+Inf|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/
/** The endings of a histogram's samples. */
const HISTOGRAM = /_(bucket|sum|count)$/

/** Parses metrics by name. @throws Error where they break the format */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, MetricFamily>()
  const lines = text.slice(0, -1).split('\n')
  let family: MetricFamily | undefined
  let name = ''
  for (const [at, line] of lines.entries()) {
    const [, kind, commented = '', words = ''] = COMMENT.exec(line) ?? []
    if (kind === 'HELP') {
      const [, , next, type = ''] = COMMENT.exec(lines[at + 1] ?? '') ?? []
      if (next !== commented || families.has(commented)) throw new Error(`${commented} isn't in one piece`)
      name = commented
      family = { type, help: words, samples: new Map() }
      families.set(name, family)
    } else if (kind === undefined) addSample(family, name, line)
  }
  for (const [metric, { type, samples }] of families)
    if (type === 'histogram') requireBuckets(metric, [...samples])
  return families
}

function addSample(family: MetricFamily | undefined, name: string, line: string) {
  const [, own = '', labels = '', value] = SAMPLE.exec(line) ?? []
  const base = family?.type === 'histogram' ? own.replace(HISTOGRAM, '') : own
  if (!family || base !== name || value === undefined) throw new Error(`unexpected line: ${line}`)
  if (family.samples.has(own + labels)) throw new Error(`twice: ${own}${labels}`)
  if (family.type === 'counter' && !own.endsWith('_total')) throw new Error(`${own} must end in _total`)
  family.samples.set(own + labels, value === '+Inf' ? Infinity : Number(value))
}

/** Requires that the buckets of a histogram only grow, up to the count. */
function requireBuckets(name: string, samples: readonly (readonly [string, number])[]) {
  let last = 0
  for (const [sample, value] of samples) {
    if (sample.startsWith(`${name}_bucket`)) {
      if (value < last) throw new Error(`${sample} is less than the bucket before`)
      last = value
    } else if (sample.startsWith(`${name}_count`)) {
      if (value !== last) throw new Error(`${sample} isn't the last bucket`)
      last = 0
    }
  }
}
