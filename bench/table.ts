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
  console.log(`| ${COLUMNS.join(' | ')} |\n|${COLUMNS.map(() => '---').join('|')}|`)
  for (const row of cells) console.log(`| ${row.join(' | ')} |`)
  console.log(
    `\nResident memory after the reads: ${Object.entries(memory)
      .map(([name, bytes]) => `${name} ${Math.round(bytes / 2 ** 20)} MB`)
      .join(', ')}\n`,
  )
  console.log(JSON.stringify({ rows, memory }))
}
