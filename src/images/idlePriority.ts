import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync } from 'node:fs'

/** The scheduler's class for what runs only where nobody else wants to (sched(7)); its one parameter is 0. */
const SCHED_IDLE = 5
const PARAMETER = new Int32Array(1)

/**
 * Has this process run only while nobody else wants the processor, where the system is Linux; what threads it starts later
 * inherit that. To be nice is not enough: a nice thread goes on to the end of its turn when an answer is to be made.
 */
export function runWhenIdle(): void {
  if (process.platform !== 'linux') return
  const { i32, ptr } = FFIType
  const { symbols } = dlopen('libc.so.6', {
    sched_setscheduler: { args: [i32, i32, ptr], returns: i32 },
  })
  for (const thread of readdirSync('/proc/self/task'))
    symbols.sched_setscheduler(Number(thread), SCHED_IDLE, PARAMETER)
}
