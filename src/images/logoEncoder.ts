import { errorCode } from '../base/error.ts'
import { Semaphore } from '../base/semaphore.ts'
import { isCompleteGif } from './gif.ts'
import { isCompleteJpeg } from './jpeg.ts'
import { stripWebp } from './webp.ts'

/** The type that every logo is stored as. */
export const LOGO_TYPE = 'image/webp'
/** The maximum width and height of a stored logo, in pixels. */
const MAX_LOGO_SIDE = 512
/** The maximum size of an upload: 5 MB. */
export const MAX_LOGO_BYTES = 5 * 2 ** 20
/** 16 megapixels, counted in powers of two like the 5 MB. */
const MAX_LOGO_PIXELS = 4096 * 4096

/** A lossless image that is larger than this is probably a photograph. */
const MAX_LOSSLESS_BYTES = 64 * 2 ** 10
const QUALITY = 90

/** The images decoded at a time. Each takes up to 70 MB and most of a core. */
const MAX_CONCURRENT = 2
/** The uploads that may wait, all of them in memory. */
const MAX_WAITING = 16

const NOT_AN_IMAGE = 'must be a PNG, JPEG, WebP or GIF image'
const DAMAGED = 'is damaged or incomplete'
const TOO_LARGE = 'is too large: at most 5 MB'
const TOO_MANY_PIXELS = 'has too many pixels: at most 16 megapixels (4096 × 4096)'

const BUSY = 'Too many logos are being processed right now. Please try again.'

const ERRORS = new Map<unknown, string>([
  ['ERR_IMAGE_TOO_MANY_PIXELS', TOO_MANY_PIXELS],
  ['ERR_IMAGE_DECODE_FAILED', DAMAGED],
  ['ERR_IMAGE_UNKNOWN_FORMAT', NOT_AN_IMAGE],
  ['ERR_IMAGE_FORMAT_UNSUPPORTED', NOT_AN_IMAGE],
])

/** An image that may be stored and shown: a WebP of at most 512 × 512, without metadata. */
export interface EncodedLogo {
  readonly bytes: Uint8Array
}

/** The reason why an upload can't become a logo. */
interface LogoError {
  /** The end of a sentence that begins with the field's name. */
  readonly error: string
}

/** Turns uploads into logos, off the event loop, two at a time. */
export class LogoEncoder {
  private readonly semaphore = new Semaphore(MAX_CONCURRENT, MAX_WAITING, BUSY)

  /**
   * Checks an upload by its content, and scales it down. Transparency is kept, the EXIF orientation is applied, and of an
   * animation the first frame is used. Metadata and colour profiles are removed. No file is written.
   * @param upload must not be changed until the promise is settled
   * @throws Problem 'busy' if too many are waiting
   */
  async encode(upload: Uint8Array): Promise<EncodedLogo | LogoError> {
    if (upload.length > MAX_LOGO_BYTES) return { error: TOO_LARGE }
    const file = Buffer.from(upload.buffer, upload.byteOffset, upload.length)
    const format = formatOf(file)
    if (!format) return { error: NOT_AN_IMAGE }
    const image = format.decodable(file)
    if (!image) return { error: DAMAGED }
    try {
      return await this.semaphore.run(() => shrink(image, format.isLossy))
    } catch (error) {
      const message = ERRORS.get(errorCode(error))
      if (!message) throw error
      return { error: message }
    }
  }
}

interface Format {
  readonly signature: RegExp
  /** Whether the format's compression loses detail. */
  readonly isLossy: boolean
  /** Returns the part of a file to decode; undefined if it is incomplete, which the decoder wouldn't always notice. */
  decodable(file: Buffer): Buffer | undefined
}

const FORMATS: readonly Format[] = [
  { signature: /^\x89PNG\r\n/, isLossy: false, decodable: file => file },
  { signature: /^\xff\xd8\xff/, isLossy: true, decodable: file => (isCompleteJpeg(file) ? file : undefined) },
  { signature: /^RIFF[^]{4}WEBP/, isLossy: false, decodable: stripWebp },
  { signature: /^GIF8[79]a/, isLossy: false, decodable: file => (isCompleteGif(file) ? file : undefined) },
]

const SIGNATURE_BYTES = 12

function formatOf(file: Buffer): Format | undefined {
  const head = file.toString('latin1', 0, SIGNATURE_BYTES)
  return FORMATS.find(({ signature }) => signature.test(head))
}

/**
 * Scales an image down and encodes it as WebP. Lossless suits the flat colours and sharp edges of logos, and takes half the
 * size of a PNG. Photographs, which would take 300 KB, and JPEGs, which have noise, get lossy compression.
 */
async function shrink(upload: Buffer, lossy: boolean): Promise<EncodedLogo> {
  const image = new Bun.Image(upload, { maxPixels: MAX_LOGO_PIXELS }).resize(MAX_LOGO_SIDE, MAX_LOGO_SIDE, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  if (lossy) return encode(image.webp({ quality: QUALITY }))
  const lossless = await encode(image.webp({ lossless: true }))
  if (lossless.bytes.length <= MAX_LOSSLESS_BYTES) return lossless
  return encode(new Bun.Image(lossless.bytes).webp({ quality: QUALITY }))
}

async function encode(image: Bun.Image): Promise<EncodedLogo> {
  const bytes = stripWebp(await image.buffer())
  if (!bytes) throw new Error('The encoder made no WebP.')
  return { bytes }
}
