import { dlopen, FFIType, type Library } from 'bun:ffi'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { StoreError, withFileErrors } from './storeError.ts'

// flock(2): exclusive, and at once or not at all. The kernel gives it back however the process ends.
const LOCK_SH = 1
const LOCK_EX = 2
const LOCK_NB = 4
/** Where the C library is, by the name that each system knows it by. */
const C_LIBRARIES = ['libc.so.6', 'libc.so', 'libSystem.B.dylib']

const SYMBOLS = { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } } as const

function openLibrary(): Library<typeof SYMBOLS> {
  for (const name of C_LIBRARIES) {
    try {
      return dlopen(name, SYMBOLS)
    } catch {
      // another system's name; the next may be this one's
    }
  }
  throw new StoreError('This system has no flock(2), which keeps two servers from one data directory.')
}

/** Loaded when it is needed first. */
let library: Library<typeof SYMBOLS> | undefined

/** Locks an open file or folder at once or not at all; closing it gives the lock back. */
function flock(file: number, mode: number): boolean {
  library ??= openLibrary()
  return library.symbols.flock(file, mode | LOCK_NB) === 0
}

/** A right that ends when it is released, or with the process. */
export interface Lock {
  release(): void
}

/**
 * Takes the lock file at `path`: the right to change a data directory, held by one process at a time.
 * @throws StoreError if another process holds it
 */
export function takeLock(path: string, folder: string): Lock {
  const file = withFileErrors(folder, () => openSync(path, 'a+', 0o600))
  if (!flock(file, LOCK_EX)) {
    closeSync(file)
    throw new StoreError(`${folder} is in use by another Corkboard${holderOf(path)}. Stop it first.`)
  }
  ftruncateSync(file)
  writeSync(file, `${process.pid}\n`)
  return { release: () => closeSync(file) }
}

function holderOf(path: string): string {
  const pid = readFileSync(path, 'utf8').trim()
  return /^\d+$/.test(pid) ? ` (process ${pid})` : ''
}

/**
 * Takes a folder to keep its files as they are, which many may do at a time, or to remove some, which one may do while
 * nobody keeps them. Undefined if that can't be had now.
 */
export function tryLockFolder(folder: string, mode: 'shared' | 'exclusive'): Lock | undefined {
  const handle = openSync(folder, 'r')
  if (flock(handle, mode === 'shared' ? LOCK_SH : LOCK_EX)) return { release: () => closeSync(handle) }
  closeSync(handle)
  return undefined
}
