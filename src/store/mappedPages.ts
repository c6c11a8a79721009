import { dlopen, FFIType } from 'bun:ffi'
import { readFileSync } from 'node:fs'

/** Frees pages of a mapping; whoever reads one next gets it from the system's cache. */
const MADV_DONTNEED = 4

/**
 * Gives back the memory in which a process has the pages of a file that it mapped for reading. After a reading of all of a
 * store, that is all of the file. Where the system is not Linux, nothing happens.
 */
export function releaseMappedPages(path: string): void {
  if (process.platform !== 'linux') return
  library ??= openLibrary()
  for (const [start, end] of mappingsOf(path)) library?.symbols.madvise(start, end - start, MADV_DONTNEED)
}

/** Loaded at the first use. */
let library: ReturnType<typeof openLibrary>

function openLibrary() {
  try {
    return dlopen('libc.so.6', {
      madvise: { args: [FFIType.u64, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    })
  } catch {
    // Another C library: the system takes the pages itself when it needs memory.
    return undefined
  }
}

/** The first and the next address of each shared mapping of a file that is for reading alone. */
function mappingsOf(path: string): [start: bigint, end: bigint][] {
  return readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .filter(line => line.endsWith(` ${path}`) && / r--s /.test(line))
    .map(line => {
      const [start = '0', end = '0'] = line.split(/[- ]/)
      return [BigInt(`0x${start}`), BigInt(`0x${end}`)]
    })
}
