import type { Clock } from '../base/clock.ts'
import { loggable } from '../base/text.ts'

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]
export type LogFormat = 'pretty' | 'json'

/**
 * What a line says beside its message. Never a credential, a body or a query. Values may come from outside: each is
 * logged as one printable line, without e-mail addresses.
 */
export type Details = Readonly<Record<string, string | number | undefined>>

/** Takes text; the end of a process waits for `flush`. */
export interface LogSink {
  write(text: string): void
  flush(): void | Promise<void>
}

/** Milliseconds for which lines are gathered before they are written. */
const GATHER = 50

/** Lines for the one who runs the board, gathered so that a request does not wait for its own. */
export class Log {
  private lines = ''
  private timer: Timer | undefined
  private last = { now: NaN, time: '' }

  constructor(
    private readonly sink: LogSink,
    private readonly format: LogFormat,
    private readonly least: Level,
    private readonly clock: Clock,
  ) {}

  debug(message: string, details?: Details): void {
    this.line('debug', message, details)
  }

  info(message: string, details?: Details): void {
    this.line('info', message, details)
  }

  warn(message: string, details?: Details): void {
    this.line('warn', message, details)
  }

  error(message: string, details?: Details): void {
    this.line('error', message, details)
  }

  /** Writes what is gathered. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.lines !== '') this.sink.write(this.lines)
    this.lines = ''
    await this.sink.flush()
  }

  private line(level: Level, message: string, details: Details = {}) {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(this.least)) return
    const time = this.timeOf(this.clock())
    this.lines +=
      this.format === 'json'
        ? jsonLine(time, level, message, details)
        : prettyLine(time, level, message, details)
    this.timer ??= setTimeout(() => void this.flush(), GATHER)
  }

  /** Dozens of lines are of one millisecond, and to write it out takes as long as the rest of a line. */
  private timeOf(now: number): string {
    if (now !== this.last.now) this.last = { now, time: new Date(now).toISOString() }
    return this.last.time
  }
}

function jsonLine(time: string, level: Level, message: string, details: Details) {
  const line: Record<string, string | number | undefined> = { time, level, message: loggable(message) }
  for (const name in details) line[name] = safeValue(details[name])
  return `${JSON.stringify(line)}\n`
}

function prettyLine(time: string, level: Level, message: string, details: Details) {
  const said = Object.entries(details).filter(([, value]) => value !== undefined)
  const words = said.map(([name, value]) => `${name}=${safeValue(value)}`)
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${[loggable(message), ...words].join(' ')}\n`
}

const safeValue = (value: Details[string]) => (typeof value === 'string' ? loggable(value) : value)
