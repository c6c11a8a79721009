/** A value that is available now or later. */
export type Later<T> = T | Promise<T>

/** Passes a value to a function. If it is available now, it is not awaited, which would cost a turn of the event loop. */
export const andThen = <T, R>(value: Later<T>, next: (value: T) => Later<R>): Later<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Runs work, and passes an error to `recover`, whether it is thrown now or later. */
export function attempt<T>(work: () => Later<T>, recover: (error: unknown) => Later<T>): Later<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(recover) : value
  } catch (error) {
    return recover(error)
  }
}
