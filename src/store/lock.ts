import { FFIType, type Library } from 'bun:ffi'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { openCLibrary } from '../base/cLibrary.ts'
import { StoreError, withFileErrors } from './storeError.ts'

// The flags of flock(2). The kernel releases the lock when the process ends, even if it is killed.
const LOCK_SH = 1
const LOCK_EX = 2
const LOCK_NB = 4

const SYMBOLS = { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } } as const

function openLibrary(): Library<typeof SYMBOLS> {
  const opened = openCLibrary(SYMBOLS)
  if (opened) return opened
  throw new StoreError(
    'This system has no flock(2), which prevents two servers from using one data directory.',
  )
}

/** The C library, loaded at the first use. */
let library: Library<typeof SYMBOLS> | undefined

/** Locks an open file or folder until it is closed. Returns false if the lock isn't available now. */
function flock(file: number, mode: number): boolean {
  library ??= openLibrary()
  return library.symbols.flock(file, mode | LOCK_NB) === 0
}

/** A lock that ends when it is released, or with the process. */
export interface Lock {
  release(): void
}

/**
 * Locks the lock file at `path`, which gives one process at a time the right to change a data directory.
 * @throws StoreError if another process has the lock
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
 * Locks a folder: shared to rely on its files, exclusive to remove files. Returns undefined if the lock isn't available
 * now.
 */
export function tryLockFolder(folder: string, mode: 'shared' | 'exclusive'): Lock | undefined {
  const handle = openSync(folder, 'r')
  if (flock(handle, mode === 'shared' ? LOCK_SH : LOCK_EX)) return { release: () => closeSync(handle) }
  closeSync(handle)
  return undefined
}
