import { dlopen, type FFIFunction, type Library } from 'bun:ffi'

/** The names of the C library on different systems. */
const NAMES = ['libc.so.6', 'libc.so', 'libSystem.B.dylib']

/** Opens functions of the C library. Returns undefined if this system lacks one of them. */
export function openCLibrary<S extends Record<string, FFIFunction>>(symbols: S): Library<S> | undefined {
  for (const name of NAMES) {
    try {
      return dlopen(name, symbols)
    } catch {
      // This is the name on another system.
    }
  }
  return undefined
}
