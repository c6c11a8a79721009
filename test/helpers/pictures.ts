import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Red, green, blue, alpha, each 0 to 255. */
export type Colour = readonly [number, number, number, number]
export type Paint = (x: number, y: number) => Colour

export const RED: Colour = [255, 0, 0, 255]
export const BLUE: Colour = [0, 0, 255, 255]
export const CLEAR: Colour = [0, 0, 0, 0]

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Returns a PNG with alpha. `extra` are chunks before the pixels. */
export function png(width: number, height: number, paint: Paint = () => RED, extra: Buffer[] = []): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(paint(x, y), y * (1 + width * 4) + 1 + x * 4)
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(width, height),
    ...extra,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a valid PNG of one grey, built without painting, for large sizes. */
export function greyPng(width: number, height: number): Buffer {
  const grey = deflateSync(Buffer.alloc(height * (1 + width), 0))
  const header = pngHeader(width, height, 0)
  return Buffer.concat([PNG_SIGNATURE, header, pngChunk('IDAT', grey), pngChunk('IEND', Buffer.alloc(0))])
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

function pngHeader(width: number, height: number, colourType = 6): Buffer {
  return pngChunk(
    'IHDR',
    Buffer.concat([uint32(width), uint32(height), Buffer.from([8, colourType, 0, 0, 0])]),
  )
}

/** Returns a chunk with a colour profile that contains `text`. */
export const profileChunk = (text: string) =>
  pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(colourProfile(text))]))

/** Returns the header of an RGB display profile, as far as decoders read it. */
export function colourProfile(text: string): Buffer {
  const profile = Buffer.concat([Buffer.alloc(132), Buffer.from(text)])
  profile.writeUInt32BE(profile.length, 0)
  profile.writeUInt32BE(0x02_40_00_00, 8)
  profile.write('mntrRGB XYZ ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  return profile
}

/** Returns a GIF whose frames each have one colour. */
export function gif(width: number, height: number, frames: Colour[] = [RED]): Buffer {
  const screen = Buffer.from([...uint16(width), ...uint16(height), 0xf6, 0, 0])
  const palette = Buffer.alloc(128 * 3)
  for (const [index, [r, g, b]] of frames.entries()) palette.set([r, g, b], index * 3)
  const images = frames.map((_, index) => gifFrame(width, height, index))
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), screen, palette, ...images, Buffer.from([0x3b])])
}

/** Returns a frame of 8-bit codes; the table is cleared before codes grow longer. */
function gifFrame(width: number, height: number, colour: number): Buffer {
  const [clear, end, run] = [128, 129, 100]
  const codes: number[] = []
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (pixel % run === 0) codes.push(clear)
    codes.push(colour)
  }
  codes.push(end)
  const blocks: number[] = []
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  const control = [0x21, 0xf9, 4, 4, 10, 0, 0, 0]
  return Buffer.from([...control, 0x2c, 0, 0, 0, 0, ...uint16(width), ...uint16(height), 0, 7, ...blocks, 0])
}

export const jpeg = (picture: Uint8Array, options: { progressive?: boolean } = {}) =>
  new Bun.Image(picture).jpeg({ quality: 90, ...options }).buffer()

export const webp = (picture: Uint8Array) => new Bun.Image(picture).webp({ lossless: true }).buffer()

/** Inserts a segment after a JPEG's first two bytes. */
export function withSegment(picture: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, ...uint16(data.length + 2).toReversed()])
  return Buffer.concat([picture.subarray(0, 2), head, data, picture.subarray(2)])
}

/** Adds EXIF data with an orientation (1 to 8), followed by `more`, where a thumbnail would be. */
export const withOrientation = (picture: Buffer, orientation: number, more: Buffer = Buffer.alloc(0)) =>
  withSegment(
    picture,
    0xe1,
    Buffer.concat([
      Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0', 'latin1'),
      Buffer.from([orientation, 0, 0, 0, 0, 0, 0]),
      more,
    ]),
  )

/** Returns an animated WebP of these images. `extra` are chunks before the first frame. */
export function animatedWebp(width: number, height: number, stills: Buffer[], extra: Buffer[] = []): Buffer {
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)])
  const frames = stills.map(still =>
    riffChunk(
      'ANMF',
      Buffer.concat([Buffer.alloc(6), size, Buffer.from([100, 0, 0, 0]), still.subarray(12)]),
    ),
  )
  const head = riffChunk('VP8X', Buffer.concat([Buffer.from([0x12, 0, 0, 0]), size]))
  return riff([head, ...extra, riffChunk('ANIM', Buffer.alloc(6)), ...frames])
}

export function riff(chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), uint32(body.length).toReversed(), body])
}

export function riffChunk(type: string, data: Buffer): Buffer {
  const padding = Buffer.alloc(data.length % 2)
  return Buffer.concat([Buffer.from(type, 'latin1'), uint32(data.length).toReversed(), data, padding])
}

/** Decodes an image, and returns a function that reads a pixel. */
export async function pixels(picture: Uint8Array): Promise<{ width: number; height: number; at: Paint }> {
  const image = new Bun.Image(picture)
  const file = await image.png().buffer()
  const { width, height } = image
  const depth = file[25] === 2 ? 3 : 4
  const rows = unfiltered(inflateSync(Buffer.concat(chunksOf(file, 'IDAT'))), width * depth, depth)
  const at: Paint = (x, y) => {
    const [r = 0, g = 0, b = 0, a = 255] = rows[y]?.subarray(x * depth, (x + 1) * depth) ?? []
    return [r, g, b, a]
  }
  return { width, height, at }
}

function chunksOf(file: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = PNG_SIGNATURE.length; at < file.length;) {
    const length = file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === type) found.push(file.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return found
}

/** Undoes PNG's five filters, row by row. */
function unfiltered(data: Buffer, rowBytes: number, depth: number): Buffer[] {
  const rows: Buffer[] = []
  for (let start = 0; start < data.length; start += rowBytes + 1) {
    const row = Buffer.from(data.subarray(start + 1, start + 1 + rowBytes))
    const above = rows.at(-1) ?? Buffer.alloc(rowBytes)
    for (let i = 0; i < rowBytes; i++) {
      const [left, up, corner] = [row[i - depth] ?? 0, above[i] ?? 0, (i < depth ? 0 : above[i - depth]) ?? 0]
      row[i] = (row[i] ?? 0) + predicted(data[start] ?? 0, left, up, corner)
    }
    rows.push(row)
  }
  return rows
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 4) return paeth(left, up, corner)
  return [0, left, up, (left + up) >> 1][filter] ?? 0
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const uint24 = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, value >> 16])
const uint16 = (value: number) => [value & 255, value >> 8]
