import { describe, expect, test } from 'bun:test'
import { Problem } from '../../src/base/problem.ts'
import { LogoEncoder, MAX_LOGO_BYTES } from '../../src/images/logoEncoder.ts'
import {
  animatedWebp,
  BLUE,
  CLEAR,
  type Colour,
  colourProfile,
  gif,
  greyPng,
  jpeg,
  pixels,
  png,
  pngChunk,
  profileChunk,
  RED,
  riff,
  riffChunk,
  webp,
  withOrientation,
  withSegment,
} from '../helpers/pictures.ts'

const encoder = new LogoEncoder()

async function encoded(upload: Uint8Array) {
  const result = await encoder.encode(upload)
  if ('error' in result) throw new Error(`refused: ${result.error}`)
  return Buffer.from(result.bytes)
}

async function errorOf(upload: Uint8Array) {
  const result = await encoder.encode(upload)
  return 'error' in result ? result.error : 'no error'
}

const isNear = (one: Colour, other: Colour) =>
  one.every((part, index) => Math.abs(part - (other[index] ?? 0)) < 12)

const gradient = (x: number, y: number): Colour => [x * 4, y * 6, (x + y) * 2, 255]
const noise = (): Colour => [Math.random() * 256, Math.random() * 256, Math.random() * 256, 255]

describe('a logo', () => {
  test.each([
    ['PNG', () => png(60, 40)],
    ['JPEG', () => jpeg(png(60, 40))],
    ['progressive JPEG', () => jpeg(png(60, 40), { progressive: true })],
    ['WebP', () => webp(png(60, 40))],
    ['GIF', () => gif(60, 40)],
  ])('in the format %s becomes a WebP of the same size and colour', async (_, make) => {
    const bytes = await encoded(await make())
    expect((await new Bun.Image(bytes).metadata()).format).toBe('webp')
    const picture = await pixels(bytes)
    expect([picture.width, picture.height]).toEqual([60, 40])
    expect(picture.at(30, 20)).toSatisfy(colour => isNear(colour, RED))
  })

  test.each([
    [1024, 256, 512, 128],
    [256, 1024, 128, 512],
    [513, 513, 512, 512],
    [512, 512, 512, 512],
    [16, 9, 16, 9],
    [1, 1, 1, 1],
    [20_000, 1, 512, 1],
  ])('of %d × %d is stored as %d × %d', async (width, height, storedWidth, storedHeight) => {
    const picture = await pixels(await encoded(greyPng(width, height)))
    expect([picture.width, picture.height]).toEqual([storedWidth, storedHeight])
  })

  test('keeps full and partial transparency', async () => {
    const half: Colour = [0, 0, 255, 128]
    const picture = await pixels(await encoded(png(40, 20, x => (x < 20 ? CLEAR : half))))
    expect(picture.at(5, 10)[3]).toBe(0)
    expect(picture.at(30, 10)).toEqual(half)
  })

  test('with flat colours keeps every colour exactly', async () => {
    const picture = await pixels(await encoded(png(60, 40, gradient)))
    expect(picture.at(17, 23)).toEqual(gradient(17, 23))
  })

  test('of a photograph, or with as much noise, is small and keeps its transparency', async () => {
    const photograph = png(300, 300, x => (x < 150 ? CLEAR : noise()))
    const bytes = await encoded(photograph)
    expect(bytes.length).toBeLessThan((await webp(photograph)).length / 2)
    expect((await pixels(bytes)).at(20, 20)[3]).toBe(0)
  })

  test('is rotated by its EXIF orientation', async () => {
    const upload = withOrientation(await jpeg(png(64, 32, x => (x < 32 ? RED : BLUE))), 6)
    const picture = await pixels(await encoded(upload))
    expect([picture.width, picture.height]).toEqual([32, 64])
    expect(picture.at(16, 8)).toSatisfy(colour => isNear(colour, RED))
    expect(picture.at(16, 56)).toSatisfy(colour => isNear(colour, BLUE))
  })

  test.each([
    ['GIF', () => gif(30, 20, [RED, BLUE])],
    [
      'WebP',
      async () => animatedWebp(30, 20, [await webp(png(30, 20)), await webp(png(30, 20, () => BLUE))]),
    ],
    [
      'WebP with alpha',
      async () => animatedWebp(30, 20, [await halfClear(RED), await halfClear(BLUE)].map(stripped)),
    ],
  ])('that is animated, as a %s, becomes its first frame', async (_, make) => {
    expect((await pixels(await encoded(await make()))).at(25, 10)).toSatisfy(colour => isNear(colour, RED))
  })
})

/** A lossy WebP, which has its alpha in a chunk of its own. */
const halfClear = (colour: Colour) =>
  new Bun.Image(png(30, 20, x => (x < 15 ? CLEAR : colour))).webp({ quality: 90 }).buffer()

/** A still image without the extended header, as in a frame. The first 12 bytes are the file's header. */
const stripped = (still: Buffer) => Buffer.concat([still.subarray(0, 12), still.subarray(30)])

describe('metadata', () => {
  const SECRET = 'taken at 52.5163 N 13.3777 E'
  const script = Buffer.from(`<script>alert('${SECRET}')</script>`)

  test.each([
    ['a text in a PNG', () => png(20, 20, gradient, [pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`))])],
    ['a profile in a PNG', () => png(20, 20, gradient, [profileChunk(SECRET)])],
    ['EXIF in a PNG', () => png(20, 20, gradient, [pngChunk('eXIf', Buffer.from(`MM\0*${SECRET}`))])],
    ['a profile in a JPEG', async () => withSegment(await jpeg(png(20, 20)), 0xe2, profileSegment())],
    ['EXIF in a JPEG', async () => withOrientation(await jpeg(png(20, 20)), 1, Buffer.from(SECRET))],
    ['a comment in a JPEG', async () => withSegment(await jpeg(png(20, 20)), 0xfe, Buffer.from(SECRET))],
    ['a profile in a WebP', async () => extended(0x20, [['ICCP', colourProfile(SECRET)]], [])],
    [
      'EXIF and XMP in a WebP',
      async () =>
        extended(
          0x0c,
          [],
          [
            ['EXIF', script],
            ['XMP ', script],
          ],
        ),
    ],
    ['a page behind a PNG', () => Buffer.concat([png(20, 20), script])],
    ['a page behind a JPEG', async () => Buffer.concat([await jpeg(png(20, 20)), script])],
    ['a page behind a GIF', () => Buffer.concat([gif(20, 20), script])],
    ['a page behind a WebP', async () => Buffer.concat([await webp(png(20, 20)), script])],
  ])('is removed: %s', async (_, make) => {
    const upload = await make()
    const bytes = await encoded(upload)
    expect(bytes.includes(SECRET)).toBe(false)
    expect(bytes.toString('latin1')).not.toMatch(/ICCP|EXIF|XMP /)
  })

  const profileSegment = () =>
    Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), colourProfile(SECRET)])

  async function extended(flags: number, before: [string, Buffer][], after: [string, Buffer][]) {
    const head = riffChunk('VP8X', Buffer.from([flags, 0, 0, 0, 19, 0, 0, 19, 0, 0]))
    const chunks = (parts: [string, Buffer][]) => parts.map(([type, data]) => riffChunk(type, data))
    return riff([head, ...chunks(before), (await webp(png(20, 20))).subarray(12), ...chunks(after)])
  }

  test('does not enlarge a small image', async () => {
    const large = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex')
    expect((await encoded(png(20, 20, gradient, [profileChunk(large)]))).length).toBeLessThan(5_000)
  })
})

describe('an upload that is refused', () => {
  const NOT_AN_IMAGE = 'must be a PNG, JPEG, WebP or GIF image'
  const box = (brand: string) => Buffer.from(`\0\0\0\x1cftyp${brand}\0\0\0\0mif1`, 'latin1')

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('a picture, honestly')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['HTML', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    ['HTML that names a signature', Buffer.from('<!-- \x89PNG\r\n\x1a\n GIF89a -->', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7\n')],
    ['BMP', bitmap()],
    ['ICO', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), png(16, 16)])],
    ['TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['AVIF', box('avif')],
    ['HEIC', box('heic')],
    ['a RIFF of sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
    ['the start of a signature', Buffer.from('\x89PN', 'latin1')],
  ])('is %s', async (_, upload) => {
    expect(await errorOf(upload)).toBe(NOT_AN_IMAGE)
  })

  test('is a file over 5 MB, but not one of exactly 5 MB', async () => {
    const picture = png(20, 20)
    const of = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)])
    expect(await errorOf(of(MAX_LOGO_BYTES))).toBe('no error')
    expect(await errorOf(of(MAX_LOGO_BYTES + 1))).toBe('is too large: at most 5 MB')
  })

  test.each([
    ['a PNG', greyPng(4097, 4096)],
    ['a PNG of one line', greyPng(4096 * 4096 + 1, 1)],
    ['a GIF', Buffer.from(gif(10, 10).toHex().replaceAll('2c000000000a000a00', '2c0000000060ea60ea'), 'hex')],
  ])('is %s of more than 16 megapixels', async (_, upload) => {
    expect(await errorOf(upload)).toBe('has too many pixels: at most 16 megapixels (4096 × 4096)')
  })

  test('is not an image of 16 megapixels', async () => {
    expect(await errorOf(greyPng(4096, 4096))).toBe('no error')
  })

  test.each([
    ['PNG', () => png(60, 40, gradient), 16],
    ['JPEG', () => jpeg(png(60, 40, gradient)), 0],
    ['progressive JPEG', () => jpeg(png(60, 40, gradient), { progressive: true }), 0],
    ['lossless WebP', () => webp(png(60, 40, gradient)), 1],
    ['lossy WebP', () => new Bun.Image(png(60, 40, gradient)).webp().buffer(), 1],
    ['moving WebP', async () => animatedWebp(60, 40, [await webp(png(60, 40, gradient))]), 1],
    ['GIF', () => gif(60, 40), 1],
  ])('is a %s that is truncated anywhere', async (_, make, unneeded) => {
    const whole = await make()
    expect(await errorOf(whole)).toBe('no error')
    for (let length = 12; length < whole.length - unneeded; length += 1 + Math.floor(whole.length / 90))
      expect([length, await errorOf(whole.subarray(0, length))]).toEqual([
        length,
        expect.stringMatching(/damaged/),
      ])
  })

  test('is a truncated JPEG with a complete thumbnail', async () => {
    const upload = withOrientation(await jpeg(png(60, 40, gradient)), 1, await jpeg(png(16, 16)))
    expect(await errorOf(upload)).toBe('no error')
    expect(await errorOf(upload.subarray(0, -2))).toMatch(/damaged/)
  })

  test('is a JPEG of a thousand scans, which would keep the decoder busy', async () => {
    const picture = await jpeg(png(60, 40, gradient), { progressive: true })
    const scan = picture.subarray(picture.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
    const scans = Buffer.concat(Array.from({ length: 1000 }, () => scan))
    const upload = Buffer.concat([picture.subarray(0, -2), scans, picture.subarray(-2)])
    expect(await errorOf(upload)).toMatch(/damaged/)
  })

  test('is a WebP with deeply nested frames', async () => {
    const depth = 100_000
    const head = riffChunk('ANMF', Buffer.alloc(16))
    const nested = Buffer.concat(Array.from({ length: depth }, () => head))
    for (let level = 0; level < depth; level++)
      nested.writeUInt32LE((depth - level) * head.length - 8, level * head.length + 4)
    expect(await errorOf(riff([nested]))).toMatch(/damaged/)
  })

  test('or becomes a logo, if it is randomly damaged', async () => {
    const whole = [
      png(30, 20, gradient),
      await jpeg(png(30, 20, gradient)),
      await webp(png(30, 20)),
      gif(30, 20),
    ]
    for (const [kind, picture] of whole.entries())
      for (let round = 0; round < 100; round++) {
        const upload = Buffer.from(picture)
        for (let hit = 0; hit < 4; hit++) {
          const dice = Bun.hash.crc32(`${kind} ${round} ${hit}`)
          upload[dice % upload.length] = dice >>> 24
        }
        expect(Object.keys(await encoder.encode(upload))).toEqual([expect.stringMatching(/^(bytes|error)$/)])
      }
  })
})

function bitmap(): Buffer {
  const file = Buffer.alloc(58)
  file.write('BM')
  for (const [at, value] of [
    [2, 58],
    [10, 54],
    [14, 40],
    [18, 1],
    [22, 1],
    [34, 4],
  ] as const)
    file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  return file
}

test('refuses uploads beyond those that may wait, and encodes the others', async () => {
  const busy = new LogoEncoder()
  const upload = png(200, 200, gradient)
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => busy.encode(upload)))
  const refused = results.filter(result => result.status === 'rejected')
  expect(refused).toHaveLength(2)
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(Problem)
    expect(reason).toMatchObject({ kind: 'busy', details: { retryAfter: 2 } })
  }
  expect(await busy.encode(upload)).toHaveProperty('bytes')
})
