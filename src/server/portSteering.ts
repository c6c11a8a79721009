import { FFIType, type Library, type Pointer, ptr } from 'bun:ffi'
import { readdirSync } from 'node:fs'
import { openCLibrary } from '../base/cLibrary.ts'

// Constants of Linux on x64 and arm64.
const SOL_SOCKET = 1
const SO_ACCEPTCONN = 30
const SO_ATTACH_REUSEPORT_CBPF = 51
/** The opcode of the instruction that returns a constant (BPF_RET | BPF_K). */
const BPF_RETURN = 0x06
/** The position of the newer of two sockets in the order in which they were bound. */
const NEWER = 1
/** In bytes, more than any socket address takes. */
const ADDRESS_SIZE = 128
const PORT_OFFSET = 2

const { i32, u32, pointer } = { i32: FFIType.i32, u32: FFIType.u32, pointer: FFIType.ptr } as const
const SYMBOLS = {
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
  setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 },
  getsockname: { args: [i32, pointer, pointer], returns: i32 },
} as const
type Sockets = Library<typeof SYMBOLS>['symbols']

/**
 * Makes Linux pass every new connection of a port to the newer of the two sockets that may share it. Without this, it would
 * still pass half of them to the older one, and those that the older one hasn't accepted when it closes would be reset.
 * It stays in effect as long as any socket listens on the port.
 * @param port on which this process listens with `reusePort`
 * @returns false if the system can't do this
 */
export function steerToNewerSocket(port: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const sockets = openCLibrary(SYMBOLS)?.symbols
    const file = sockets && openFiles().find(found => listensOn(sockets, found, port))
    return sockets !== undefined && file !== undefined && attach(sockets, file)
  } catch {
    return false
  }
}

const openFiles = () => readdirSync('/proc/self/fd').map(Number)

function listensOn({ getsockopt, getsockname }: Sockets, file: number, port: number): boolean {
  const listens = new Int32Array(1)
  const size = new Uint32Array([listens.byteLength])
  if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, ptr(listens), ptr(size)) !== 0 || listens[0] !== 1)
    return false
  const address = new Uint8Array(ADDRESS_SIZE)
  size[0] = ADDRESS_SIZE
  return (
    getsockname(file, ptr(address), ptr(size)) === 0 &&
    new DataView(address.buffer).getUint16(PORT_OFFSET) === port
  )
}

/** Attaches a filter of one instruction, which returns the position of the newer socket. */
function attach({ setsockopt }: Sockets, file: number): boolean {
  const instruction = new DataView(new ArrayBuffer(8))
  instruction.setUint16(0, BPF_RETURN, true)
  instruction.setUint32(4, NEWER, true)
  // The length in instructions, and their address.
  const program = new DataView(new ArrayBuffer(16))
  program.setUint16(0, 1, true)
  program.setBigUint64(8, BigInt(ptr(instruction) satisfies Pointer), true)
  return setsockopt(file, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), program.byteLength) === 0
}
