import type { Histogram } from '../../base/histogram.ts'

/** The content type of Prometheus' text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string | number>>

/** A number, or one for each combination of labels. */
type Samples = number | readonly (readonly [Labels, number])[]

/** The text of metrics in Prometheus' format, to which metrics are added one by one. */
export class Exposition {
  private lines: string[] = []

  /** Adds a number that can go up and down. Undefined leaves it out. */
  gauge(name: string, help: string, samples: Samples | undefined): this {
    return samples === undefined ? this : this.add(name, 'gauge', help, samples)
  }

  /** Adds a number that only goes up. Its name must end in `_total`. */
  counter(name: string, help: string, samples: Samples | undefined): this {
    return samples === undefined ? this : this.add(name, 'counter', help, samples)
  }

  histogram(name: string, help: string, histograms: readonly (readonly [Labels, Histogram])[]): this {
    this.begin(name, 'histogram', help)
    for (const [labels, histogram] of histograms) {
      const buckets = histogram.cumulative()
      for (const [bound, count] of buckets)
        this.lines.push(sample(`${name}_bucket`, { ...labels, le: formatNumber(bound) }, count))
      this.lines.push(sample(`${name}_sum`, labels, histogram.sum))
      this.lines.push(sample(`${name}_count`, labels, buckets.at(-1)?.[1] ?? 0))
    }
    return this
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`
  }

  private add(name: string, type: string, help: string, samples: Samples): this {
    this.begin(name, type, help)
    const all = typeof samples === 'number' ? [[{}, samples] as const] : samples
    for (const [labels, value] of all) this.lines.push(sample(name, labels, value))
    return this
  }

  private begin(name: string, type: string, help: string) {
    this.lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
  }
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(String(text))}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${formatNumber(value)}`
}

const formatNumber = (value: number) => (value === Infinity ? '+Inf' : String(value))

const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
