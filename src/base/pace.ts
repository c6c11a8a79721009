/** How long a task works at a time, and how long it rests then, in milliseconds. */
export const SLICE = 6
const REST = 3

/** Lets a long task rest regularly, so that requests don't wait for it. */
export class Pace {
  private start = performance.now()

  /** @param signal stops the task */
  constructor(private readonly signal: AbortSignal) {}

  /** Rests if the task has worked for long enough. @throws the reason of the signal if the task is to stop */
  async pause(): Promise<void> {
    if (performance.now() - this.start <= SLICE) return
    this.signal.throwIfAborted()
    await Bun.sleep(REST)
    this.start = performance.now()
  }
}
