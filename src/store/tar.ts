/** The name and size of a file in a tar archive (POSIX.1-1988, "ustar"). */
export interface TarHeader {
  readonly name: string
  /** In bytes. */
  readonly size: number
}

/** The size of tar's blocks, in bytes. */
export const BLOCK_SIZE = 512

const NAME = { at: 0, length: 100 } as const
const MODE = { at: 100, length: 8 } as const
const OWNER = { at: 108, length: 8 } as const
const GROUP = { at: 116, length: 8 } as const
const SIZE = { at: 124, length: 12 } as const
const TIME = { at: 136, length: 12 } as const
const SUM = { at: 148, length: 8 } as const
const TYPE = 156
const MAGIC = 257
const USTAR = 'ustar\x0000'
const REGULAR = '0'
const OWN_FILE = 0o600
/** The largest size in octal digits. Larger sizes are binary, as in GNU tar. */
const MAX_OCTAL = 8 ** 11 - 1
const BINARY = 0x80

type HeaderField = { readonly at: number; readonly length: number }

/**
 * Returns the header block of a plain file.
 * @param time in seconds since 1970
 */
export function tarHeader({ name, size }: TarHeader, time: number): Buffer {
  const block = Buffer.alloc(BLOCK_SIZE)
  if (Buffer.byteLength(name) > NAME.length) throw new Error(`the name ${name} is too long for an archive`)
  block.write(name, NAME.at)
  writeOctal(block, MODE, OWN_FILE)
  writeOctal(block, OWNER, 0)
  writeOctal(block, GROUP, 0)
  writeSize(block, size)
  writeOctal(block, TIME, time)
  block.write(REGULAR, TYPE)
  block.write(USTAR, MAGIC)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, SUM.at)
  return block
}

/** Parses a header block; undefined if it isn't the header of a plain file. */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (block.length < BLOCK_SIZE || block.toString('latin1', MAGIC, MAGIC + USTAR.length) !== USTAR)
    return undefined
  if (readOctal(block, SUM) !== sumOf(block) || block.toString('latin1', TYPE, TYPE + 1) !== REGULAR)
    return undefined
  const size = block.readUInt8(SIZE.at) === BINARY ? block.readUIntBE(SIZE.at + 6, 6) : readOctal(block, SIZE)
  return { name: block.toString('utf8', NAME.at, NAME.at + NAME.length).replace(/\0[^]*/, ''), size }
}

/** Returns the number of bytes between the end of a file and the next header. */
export const paddingOf = (size: number) => (BLOCK_SIZE - (size % BLOCK_SIZE)) % BLOCK_SIZE

function writeSize(block: Buffer, size: number) {
  if (size <= MAX_OCTAL) writeOctal(block, SIZE, size)
  else {
    block.writeUInt8(BINARY, SIZE.at)
    block.writeUIntBE(size, SIZE.at + 6, 6)
  }
}

const writeOctal = (block: Buffer, { at, length }: HeaderField, value: number) =>
  void block.write(value.toString(8).padStart(length - 1, '0'), at)

const readOctal = (block: Buffer, { at, length }: HeaderField) =>
  Number.parseInt(block.toString('latin1', at, at + length), 8)

/** Adds up all bytes, with spaces instead of the checksum itself. */
function sumOf(block: Buffer): number {
  let sum = SUM.length * 32
  for (const [index, byte] of block.entries()) if (index < SUM.at || index >= SUM.at + SUM.length) sum += byte
  return sum
}
