const LONG = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats a time in milliseconds as `10 January 2026`. */
export const longDate = (ms: number) => LONG.format(ms)

/** Formats a time in milliseconds as `2026-01-10T18:21:59Z`. */
export const machineDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
