import { Semaphore } from '../base/semaphore.ts'
import { isCompleteGif } from './gif.ts'
import { isCompleteJpeg } from './jpeg.ts'
import { stripWebp } from './webp.ts'

/** What every logo is stored as, whatever it came as. */
export const LOGO_TYPE = 'image/webp'
/** The longer side of a stored logo at most, in pixels. */
export const MAX_LOGO_SIDE = 512
/** An upload's size at most: 5 MB. */
export const MAX_LOGO_BYTES = 5 * 2 ** 20
/** 16 megapixels, counted as the 5 MB are: in powers of two. */
const MAX_LOGO_PIXELS = 4096 * 4096

/** A lossless picture that is larger than this is a photograph, or as good as one. */
const MAX_LOSSLESS_BYTES = 64 * 2 ** 10
const QUALITY = 90

/** One decode takes up to 70 MB, and most of a core. */
const MAX_CONCURRENT = 2
/** Each waits with an upload in memory. */
const MAX_WAITING = 16
/** In seconds. */
const RETRY_AFTER = 2

const NOT_AN_IMAGE = 'must be a PNG, JPEG, WebP or GIF picture'
const DAMAGED = "is damaged, or not all there: it can't be read as a picture"
const TOO_LARGE = 'is too large: at most 5 MB'
const TOO_MANY_PIXELS = 'has too many pixels: at most 16 megapixels (4096 × 4096)'

const BUSY = 'Too many logos are being read just now. Please try again.'

const ERRORS = new Map<unknown, string>([
  ['ERR_IMAGE_TOO_MANY_PIXELS', TOO_MANY_PIXELS],
  ['ERR_IMAGE_DECODE_FAILED', DAMAGED],
  ['ERR_IMAGE_UNKNOWN_FORMAT', NOT_AN_IMAGE],
  ['ERR_IMAGE_FORMAT_UNSUPPORTED', NOT_AN_IMAGE],
])

/** A picture that may be stored and shown: a WebP of at most 512 × 512, with nothing in it but pixels. */
export interface EncodedLogo {
  readonly bytes: Uint8Array
}

/** What is wrong with an upload, as the end of a sentence that begins with the field's name. */
export interface LogoError {
  readonly error: string
}

/** Makes uploads into logos: off the event loop, two at a time. */
export class LogoEncoder {
  private readonly semaphore = new Semaphore(MAX_CONCURRENT, MAX_WAITING, BUSY, RETRY_AFTER)

  /**
   * Checks an upload by what is in it, and makes it small: never enlarged, transparency kept, turned as its EXIF says,
   * the first frame if it moves. Metadata goes, colour profiles too. Touches no file.
   * @param upload not to be changed until this is settled
   * @throws Problem 'busy' if too many wait already
   */
  async encode(upload: Uint8Array): Promise<EncodedLogo | LogoError> {
    if (upload.length > MAX_LOGO_BYTES) return { error: TOO_LARGE }
    const file = Buffer.from(upload.buffer, upload.byteOffset, upload.length)
    const format = formatOf(file)
    if (!format) return { error: NOT_AN_IMAGE }
    const picture = format.decodable(file)
    if (!picture) return { error: DAMAGED }
    try {
      return await this.semaphore.run(() => shrink(picture, format.isLossy))
    } catch (error) {
      const fault = error instanceof Error && 'code' in error ? ERRORS.get(error.code) : undefined
      if (!fault) throw error
      return { error: fault }
    }
  }
}

interface Format {
  readonly signature: RegExp
  /** Whether what comes in it has lost something already. */
  readonly isLossy: boolean
  /** What the decoder is to be given, or undefined for what it would take although a part is missing. */
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
 * Lossless suits the flat colours and sharp edges of logos, and is half of a PNG. Of a photograph it is 300 KB, and of a
 * JPEG it keeps the noise: these lose a little instead.
 */
async function shrink(picture: Buffer, lossy: boolean): Promise<EncodedLogo> {
  const image = new Bun.Image(picture, { maxPixels: MAX_LOGO_PIXELS }).resize(MAX_LOGO_SIDE, MAX_LOGO_SIDE, {
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
