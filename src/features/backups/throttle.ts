import type { FileHandle } from 'node:fs/promises'

/** In bytes. */
const PAUSE_EVERY = 256 * 1024
const SYNC_EVERY = 1024 * 1024
/** In milliseconds. */
const PAUSE = 4

/** Slows a backup down so that it hardly affects other writes, and stops it on a signal. */
export class Throttle {
  private written = 0

  constructor(
    private readonly file: FileHandle,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async after(bytes: number): Promise<void> {
    const before = this.written
    this.written += bytes
    this.signal?.throwIfAborted()
    if (crosses(before, this.written, SYNC_EVERY)) await this.file.datasync()
    if (crosses(before, this.written, PAUSE_EVERY)) await Bun.sleep(PAUSE)
  }
}

const crosses = (before: number, after: number, every: number) =>
  Math.floor(before / every) < Math.floor(after / every)
