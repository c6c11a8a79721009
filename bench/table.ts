/** The results of a scenario. */
export interface Row {
  readonly name: string
  readonly perSecond: number
  /** In milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The rate divided by that of a bare route with the same bytes. */
  readonly ofBare: number | undefined
  /** The rate divided by that of the peer. */
  readonly timesPeer: number | undefined
  readonly statuses: Readonly<Record<string, number>>
}

const COLUMNS = ['scenario', 'requests/s', 'p50 ms', 'p99 ms', 'of bare', '× peer', 'statuses']

/** Prints rows of a Markdown table. */
export function printRows(rows: readonly (readonly unknown[])[]): void {
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}

/** Prints the rows as a table, and then as JSON. */
export function printTable(rows: readonly Row[], memory: Readonly<Record<string, number>>): void {
  const cells = rows.map(row => [
    row.name,
    Math.round(row.perSecond).toLocaleString('en'),
    row.p50.toFixed(2),
    row.p99.toFixed(2),
    row.ofBare?.toFixed(2) ?? '',
    row.timesPeer?.toFixed(2) ?? '',
    Object.keys(row.statuses).join(' '),
  ])
  printRows([COLUMNS, COLUMNS.map(() => '---'), ...cells])
  console.log(
    `\nResident memory after the reads: ${Object.entries(memory)
      .map(([name, bytes]) => `${name} ${Math.round(bytes / 2 ** 20)} MB`)
      .join(', ')}\n`,
  )
  console.log(JSON.stringify({ rows, memory }))
}
