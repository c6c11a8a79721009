const LONG = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `10 January 2026` */
export const longDate = (ms: number) => LONG.format(ms)

/** `2026-01-10T18:21:59Z`, as a machine reads it. */
export const machineDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
