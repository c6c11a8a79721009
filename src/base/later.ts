/** A value that is there at once, or comes later. */
export type Later<T> = T | Promise<T>

/** Goes on with a value: at once if it is there, since to wait for it costs a turn of the event loop. */
export const andThen = <T, R>(value: Later<T>, next: (value: T) => Later<R>): Later<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Does work, and recovers from what it throws, at once or later. */
export function attempt<T>(work: () => Later<T>, recover: (error: unknown) => Later<T>): Later<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(recover) : value
  } catch (error) {
    return recover(error)
  }
}
