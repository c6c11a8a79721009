import { readFileSync } from 'node:fs'

/** What a traced process did to one file and printed, in order. */
export type Event =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer; readonly isDurable: boolean }
  | { readonly kind: 'sync' }
  | { readonly kind: 'output'; readonly text: string }

/** The command that writes a trace for `readTrace`; the program and its arguments follow. */
export const tracing = (path: string) => [
  'strace',
  ...['-f', '-qq', '-xx', '-s', '1000000', '-o', path],
  ...['-e', 'trace=openat,lseek,pwrite64,pwritev,pwritev2,write,writev,fdatasync,fsync,msync'],
]

const CALL = /^\d+ +(\w+)\((?:(\d+)(?:, )?)?(.*)\) += (-?\d+)/
const OUTPUT = 1

/** Reads what happened to `file`, and joins calls that are split in the trace by another thread's call. */
export function readTrace(path: string, file: string): Event[] {
  const events: Event[] = []
  const open = new Map<number, Descriptor>()
  for (const line of joined(readFileSync(path, 'latin1').split('\n'))) {
    const [, name, number, rest = '', result] = CALL.exec(line) ?? []
    const descriptor = Number(number)
    if (name === 'openat') noteOpen(rest, Number(result), file, open)
    else if (name === 'write' && descriptor === OUTPUT)
      events.push({ kind: 'output', text: String(unhex(rest)) })
    else events.push(...eventsOf(String(name), rest, open.get(descriptor)))
  }
  return events
}

/** A descriptor of the file. */
interface Descriptor {
  /** Whether writes through it are durable at once. */
  readonly isDurable: boolean
  position: number
}

/** Writes count from the start of their call, syncs from the end. */
function* joined(lines: readonly string[]): Generator<string> {
  const begun = new Map<string, string>()
  for (const line of lines) {
    const pid = line.slice(0, line.indexOf(' '))
    const cut = line.indexOf(' <unfinished ...>')
    const rest = /<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1]
    if (cut >= 0) begun.set(pid, line.slice(0, cut))
    else yield rest === undefined ? line : `${begun.get(pid) ?? ''}${rest}`
  }
}

function noteOpen(rest: string, descriptor: number, file: string, open: Map<number, Descriptor>) {
  const path = unhex(/"([^"]*)"/.exec(rest)?.[0] ?? '').toString()
  if (path === file) open.set(descriptor, { isDurable: /O_D?SYNC/.test(rest), position: 0 })
  else open.delete(descriptor)
}

function* eventsOf(name: string, rest: string, descriptor: Descriptor | undefined): Generator<Event> {
  if (!descriptor) return
  const { isDurable } = descriptor
  const bytes = unhex(rest)
  if (name === 'fdatasync' || name === 'fsync') yield { kind: 'sync' }
  else if (name === 'lseek') descriptor.position = Number(/^\d+/.exec(rest)?.[0])
  else if (name === 'pwrite64') yield { kind: 'write', at: Number(/\d+$/.exec(rest)?.[0]), bytes, isDurable }
  else if (name === 'writev') {
    yield { kind: 'write', at: descriptor.position, bytes, isDurable }
    descriptor.position += bytes.length
  } else throw new Error(`${name} of the file is not understood`)
}

/** Returns the bytes of all strings in a call. */
const unhex = (rest: string) =>
  Buffer.concat(
    [...rest.matchAll(/"([^"]*)"/g)].map(([, text = '']) => Buffer.from(text.replaceAll('\\x', ''), 'hex')),
  )
