import type { Clock } from '../base/clock.ts'
import { loggable } from '../base/text.ts'

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]
export type LogFormat = 'pretty' | 'json'

/**
 * The values of a line, in addition to its message. They never include credentials, a body or a query. Values from outside
 * are safe: each is logged as printable text on one line, without e-mail addresses.
 */
export type Details = Readonly<Record<string, string | number | undefined>>

/** The output of a log. The process waits for `flush` before it ends. */
export interface LogSink {
  write(text: string): void
  flush(): void | Promise<void>
}

/** In milliseconds, how long lines are collected before they are written. */
const FLUSH_DELAY = 50

/** Writes log lines for the operator. Lines are collected first, so that a request doesn't wait for its own. */
export class Log {
  private lines = ''
  private timer: Timer | undefined
  private last = { now: NaN, time: '' }

  constructor(
    private readonly sink: LogSink,
    private readonly format: LogFormat,
    private readonly minLevel: Level,
    private readonly clock: Clock,
  ) {}

  debug(message: string, details?: Details): void {
    this.append('debug', message, details)
  }

  info(message: string, details?: Details): void {
    this.append('info', message, details)
  }

  warn(message: string, details?: Details): void {
    this.append('warn', message, details)
  }

  error(message: string, details?: Details): void {
    this.append('error', message, details)
  }

  /** Writes the collected lines. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.lines !== '') this.sink.write(this.lines)
    this.lines = ''
    await this.sink.flush()
  }

  private append(level: Level, message: string, details: Details = {}) {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(this.minLevel)) return
    const time = this.timeOf(this.clock())
    this.lines +=
      this.format === 'json'
        ? jsonLine(time, level, message, details)
        : prettyLine(time, level, message, details)
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_DELAY)
  }

  /** Caches the last time as text. Under load, many lines share a millisecond, and formatting it is expensive. */
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
  const present = Object.entries(details).filter(([, value]) => value !== undefined)
  const pairs = present.map(([name, value]) => `${name}=${safeValue(value)}`)
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${[loggable(message), ...pairs].join(' ')}\n`
}

const safeValue = (value: Details[string]) => (typeof value === 'string' ? loggable(value) : value)
