import { printableLines } from '../../base/text.ts'
import type { Output } from '../host.ts'

const WIDTH = 30
/** Between two looks of it, in milliseconds. */
const REDRAW_INTERVAL = 100
const CLEAR = '\r\x1b[K'
const MEBIBYTE = 2 ** 20

/** A line at the end of a terminal that says how far something is; elsewhere it is silent. */
export class Progress {
  private isShown = false
  private shownAt = -Infinity

  constructor(private readonly output: Output) {}

  /** @param total undefined where nobody knows */
  update(doing: string, done: number, total?: number): void {
    const now = performance.now()
    if (!this.output.isTTY || now - this.shownAt < REDRAW_INTERVAL) return
    this.shownAt = now
    this.isShown = true
    this.output.write(`${CLEAR}${doing} ${total === undefined ? amount(done) : bar(done / total)}`)
  }

  /** Writes lines that stay. They may quote what was read. */
  print(lines: string): void {
    this.clear()
    this.output.write(printableLines(lines))
  }

  clear(): void {
    if (this.isShown) this.output.write(CLEAR)
    this.isShown = false
  }
}

const amount = (bytes: number) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`

function bar(part: number): string {
  const full = Math.floor(Math.min(1, part) * WIDTH)
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${Math.floor(Math.min(1, part) * 100)} %`
}
