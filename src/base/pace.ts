/** How long a task works at a time, and how long it rests then, in milliseconds. */
export const SLICE = 6
const REST = 3

/** Lets a long task rest regularly, so that requests don't wait for it. */
export class Pace {
  private start = performance.now()

  /**
   * @param signal stops the task
   * @param slice how long it works at a time, in milliseconds
   * @param rest how long it rests then
   */
  constructor(
    private readonly signal: AbortSignal,
    private readonly slice = SLICE,
    private readonly rest = REST,
  ) {}

  /** Rests if the task has worked for long enough. @throws the reason of the signal if the task is to stop */
  async pause(): Promise<void> {
    if (performance.now() - this.start <= this.slice) return
    this.signal.throwIfAborted()
    await Bun.sleep(this.rest)
    this.start = performance.now()
  }
}
