const FILE_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const FRAME_HEADER_BYTES = 16
const HAS_ALPHA = 0x10
/** The number of chunks that are read. No image has as many before its pixels. */
const MAX_CHUNKS = 64

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/**
 * Extracts the still image of a WebP file: the first frame if it is animated, without colour profile, EXIF and XMP.
 * Returns
 * undefined if the file has no complete image. The decoder refuses animations, and the encoder copies profiles.
 */
export const stripWebp = (file: Buffer): Buffer | undefined => firstImage(file.subarray(FILE_HEADER_BYTES))

function firstImage(body: Buffer, frameSize?: Buffer): Buffer | undefined {
  let size = frameSize
  let alpha: Chunk | undefined
  for (const chunk of chunksOf(body)) {
    const { type, data } = chunk
    if (type === 'ANMF' && !frameSize)
      return firstImage(data.subarray(FRAME_HEADER_BYTES), data.subarray(6, 12))
    if (type === 'VP8X') size = data.subarray(4, 10)
    else if (type === 'ALPH') alpha = chunk
    else if (isPixels(chunk)) return encodeStill(chunk, alpha, size)
  }
  return undefined
}

const isPixels = ({ type }: Chunk) => type === 'VP8 ' || type === 'VP8L'

/** Encodes a file with one image. Only alpha in a chunk of its own needs the extended header, which has the size. */
function encodeStill(pixels: Chunk, alpha: Chunk | undefined, size: Buffer | undefined): Buffer {
  if (!alpha || !size) return encodeRiff([pixels])
  return encodeRiff([
    { type: 'VP8X', data: Buffer.concat([Buffer.from([HAS_ALPHA, 0, 0, 0]), size]) },
    alpha,
    pixels,
  ])
}

/** Returns the first chunks, as far as they are complete. */
function* chunksOf(body: Buffer): Generator<Chunk> {
  let at = 0
  for (let count = 0; count < MAX_CHUNKS && at + CHUNK_HEADER_BYTES <= body.length; count++) {
    const start = at + CHUNK_HEADER_BYTES
    const end = start + body.readUInt32LE(at + 4)
    if (end > body.length) return
    yield { type: body.toString('latin1', at, at + 4), data: body.subarray(start, end) }
    at = end + (end % 2)
  }
}

function encodeRiff(chunks: readonly Chunk[]): Buffer {
  const body = chunks.flatMap(({ type, data }) => [
    encodeHeader(type, data.length),
    data,
    Buffer.alloc(data.length % 2),
  ])
  const length = body.reduce((sum, part) => sum + part.length, 'WEBP'.length)
  return Buffer.concat([encodeHeader('RIFF', length), Buffer.from('WEBP'), ...body])
}

function encodeHeader(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(CHUNK_HEADER_BYTES)
  bytes.write(type, 'latin1')
  bytes.writeUInt32LE(length, 4)
  return bytes
}
