import { printableLines } from '../base/text.ts'
import type { ImportObserver } from '../features/imports/importer.ts'
import type { RefusedRow } from '../features/imports/refusedRow.ts'
import type { Output } from './host.ts'

const WIDTH = 30
/** In milliseconds. */
const REDRAW_INTERVAL = 100
const CLEAR = '\r\x1b[K'
const MEBIBYTE = 2 ** 20

/** Shows progress in the last line of a terminal, and nothing on other outputs. */
export class ImportProgress implements ImportObserver {
  private isShown = false
  private shownAt = -Infinity

  constructor(private readonly output: Output) {}

  /** @param total undefined if it is unknown */
  update(activity: string, done: number, total?: number): void {
    const now = performance.now()
    if (!this.output.isTTY || now - this.shownAt < REDRAW_INTERVAL) return
    this.shownAt = now
    this.isShown = true
    this.output.write(`${CLEAR}${activity} ${total === undefined ? amount(done) : bar(done / total)}`)
  }

  onRead(activity: string, done: number, total: number): void {
    this.update(activity, done, total)
  }

  onRefused({ place, title, message }: RefusedRow): void {
    this.print(`${place}${title === undefined ? '' : ` "${title}"`}: ${message}\n`)
  }

  /** Shows what couldn't be taken of a row. */
  onNote(place: string, title: string, note: string): void {
    this.print(`${place} "${title}": ${note}.\n`)
  }

  onSkippedLogo(place: string, why: string): void {
    this.print(`${place}: the logo was skipped: ${why}\n`)
  }

  /** Nothing else has to be done meanwhile. */
  async pause(): Promise<void> {}

  /** Writes lines that stay, without control characters: they may quote input. */
  private print(lines: string): void {
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
