import { FFIType } from 'bun:ffi'
import { openCLibrary } from '../base/cLibrary.ts'
import type { Environment } from '../config/environment.ts'

/** Tells a service manager, such as systemd, about the state of the server (sd_notify(3)). */
export interface ServiceManager {
  /** The server is ready for requests. From now on, the service manager is told regularly that it still works. */
  ready(): void
  /** The server is about to end. */
  stopping(): void
}

const AF_UNIX = 1
const SOCK_DGRAM = 2
/** Closes the socket in programs that this one starts. */
const SOCK_CLOEXEC = 0o2000000
const MSG_NOSIGNAL = 0x4000
/** The size of the path in a sockaddr_un, after the two bytes of its family. */
const MAX_PATH = 108
const FAMILY_SIZE = 2
const MICROSECONDS_PER_MILLISECOND = 1000

const { i32, ptr, u64, i64 } = FFIType
const SYMBOLS = {
  socket: { args: [i32, i32, i32], returns: i32 },
  sendto: { args: [i32, ptr, u64, i32, ptr, u64], returns: i64 },
} as const

/** A service manager that isn't there. */
const NONE: ServiceManager = { ready: () => {}, stopping: () => {} }

/** Returns the service manager that started this process, if there is one. */
export function serviceManagerOf(variables: Environment): ServiceManager {
  const send = senderTo(variables['NOTIFY_SOCKET'])
  if (!send) return NONE
  const interval = watchdogInterval(variables)
  let timer: Timer | undefined
  return {
    ready() {
      send('READY=1')
      if (interval === undefined) return
      // This stops when the event loop is blocked, and then the service manager restarts the server.
      timer = setInterval(() => send('WATCHDOG=1'), interval)
      timer.unref()
    },
    stopping() {
      send('STOPPING=1')
    },
  }
}

/** Returns half the time within which the service manager expects a message, in milliseconds. */
function watchdogInterval({
  WATCHDOG_USEC: microseconds,
  WATCHDOG_PID: pid,
}: Environment): number | undefined {
  if (microseconds === undefined || (pid !== undefined && Number(pid) !== process.pid)) return undefined
  const period = Number(microseconds) / MICROSECONDS_PER_MILLISECOND
  return period > 0 ? period / 2 : undefined
}

/** Returns a function that sends datagrams to a Unix socket, which Bun has no function for; undefined if that's impossible. */
function senderTo(path: string | undefined): ((message: string) => void) | undefined {
  const address = path === undefined ? undefined : addressOf(path)
  const library = address && openCLibrary(SYMBOLS)
  if (!address || !library) return undefined
  const { socket, sendto } = library.symbols
  const handle = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  if (handle < 0) return undefined
  return message => {
    const bytes = Buffer.from(message)
    sendto(handle, bytes, bytes.length, MSG_NOSIGNAL, address, address.length)
  }
}

/** Returns a socket's address (sockaddr_un); undefined if the path is invalid. An abstract one begins with `@`. */
function addressOf(path: string): Uint8Array | undefined {
  const isAbstract = path.startsWith('@')
  if (!isAbstract && !path.startsWith('/')) return undefined
  const name = Buffer.from(isAbstract ? `\0${path.slice(1)}` : `${path}\0`)
  if (name.length > MAX_PATH) return undefined
  const address = Buffer.alloc(FAMILY_SIZE + name.length)
  new DataView(address.buffer, address.byteOffset).setUint16(0, AF_UNIX, true)
  name.copy(address, FAMILY_SIZE)
  return address
}
