/** Returns the time, in milliseconds since 1970. It is passed as a value so that tests can move it. */
export type Clock = () => number

export const systemClock: Clock = Date.now

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The first time that RFC 3339 can express, with four digits for the year. */
const MIN_TIME = Date.parse('0000-01-01T00:00:00Z')
/** The last time that RFC 3339 can express, with four digits for the year. */
export const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Removes the fraction of a second: times are stored and shown in whole seconds. */
export const floorToSecond = (ms: number) => Math.floor(ms / SECOND) * SECOND

/** Formats a moment as ISO 8601 with UTC offset and whole seconds: `2026-01-10T18:21:59+00:00`. */
export const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

/** Formats a moment for people: `10 January 2026 at 18:21 UTC`. */
export const momentText = (ms: number) => `${MOMENT.format(ms)} UTC`

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Formats a moment that may be missing. */
export const timestampOrNull = (ms: number | null) => (ms === null ? null : timestamp(ms))

/** Formats a day, counted from 1970-01-01, as `2026-01-10`. */
export const dateOfDay = (day: number) => dateOf(day * DAY)

/** Returns the day of a moment, UTC, as `2026-01-10`. */
export const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** Parses an RFC 3339 timestamp and removes the fraction of a second. Returns undefined for any other text. */
export function parseTimestamp(text: string): number | undefined {
  const [, day, time, offset] = RFC_3339.exec(text) ?? []
  if (!day || !time || !offset) return undefined
  const local = Date.parse(`${day}T${time}Z`)
  // Date.parse turns 30 February into 2 March, so the result is compared with the text.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${day}T${time}`)) return undefined
  const shift = offset.toUpperCase() === 'Z' ? 0 : offsetMinutes(offset)
  if (shift === undefined) return undefined
  const ms = local - shift * MINUTE
  return ms >= MIN_TIME && ms <= MAX_TIME ? ms : undefined
}

function offsetMinutes(offset: string): number | undefined {
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4, 6))
  if (hours > 23 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
