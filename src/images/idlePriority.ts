import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync } from 'node:fs'

/** The scheduling policy for processes that run only when a processor is idle (sched(7)). Its only parameter is 0. */
const SCHED_IDLE = 5
const PARAMETER = new Int32Array(1)

/**
 * On Linux, makes this process run only while no other process needs the processor. Threads that it starts later inherit
 * this. A nice value is not enough: a nice thread runs to the end of its time slice while a request is waiting.
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
