import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './load.ts'

const FLUSHES = 200
/** In bytes. */
const WRITE_SIZE = 8192

/**
 * Returns how long the disk takes to flush a small write at the end of a file, in milliseconds. Some virtual disks don't wait
 * for the real one.
 */
export function measureFlush(folder: string): number {
  const file = openSync(join(folder, 'flushed'), 'w')
  const bytes = Buffer.alloc(WRITE_SIZE, 'x')
  try {
    return median(
      Array.from({ length: FLUSHES }, () => {
        const start = performance.now()
        writeSync(file, bytes)
        fdatasyncSync(file)
        return performance.now() - start
      }),
    )
  } finally {
    closeSync(file)
  }
}
