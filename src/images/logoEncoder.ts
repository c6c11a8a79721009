import { Semaphore } from '../base/semaphore.ts'
import { isWholeGif } from './gif.ts'
import { isWholeJpeg } from './jpeg.ts'
import { plainWebp } from './webp.ts'

/** What every logo is stored as, whatever it came as. */
export const LOGO_TYPE = 'image/webp'
/** The longer side of a stored logo at most, in pixels. */
export const LOGO_SIDE = 512
/** An upload's size at most: 5 MB. */
export const LOGO_BYTES = 5 * 2 ** 20
/** 16 megapixels, counted as the 5 MB are: in powers of two. */
const LOGO_PIXELS = 4096 * 4096

/** A lossless picture that is larger than this is a photograph, or as good as one. */
const LOSSLESS_BYTES = 64 * 2 ** 10
const QUALITY = 90

/** One decode takes up to 70 MB, and most of a core. */
const AT_ONCE = 2
/** Each waits with an upload in memory. */
const WAITING_AT_MOST = 16
/** In seconds. */
const RETRY_AFTER = 2

const NO_PICTURE = 'must be a PNG, JPEG, WebP or GIF picture'
const DAMAGED = "is damaged, or not all there: it can't be read as a picture"
const TOO_LARGE = 'is too large: at most 5 MB'
const TOO_MANY_PIXELS = 'has too many pixels: at most 16 megapixels (4096 × 4096)'

const BUSY = 'Too many logos are being read just now. Please try again.'

const FAULTS = new Map<unknown, string>([
  ['ERR_IMAGE_TOO_MANY_PIXELS', TOO_MANY_PIXELS],
  ['ERR_IMAGE_DECODE_FAILED', DAMAGED],
  ['ERR_IMAGE_UNKNOWN_FORMAT', NO_PICTURE],
  ['ERR_IMAGE_FORMAT_UNSUPPORTED', NO_PICTURE],
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
  private readonly turns = new Semaphore(AT_ONCE, WAITING_AT_MOST, BUSY, RETRY_AFTER)

  /**
   * Checks an upload by what is in it, and makes it small: never enlarged, transparency kept, turned as its EXIF says,
   * the first frame if it moves. Metadata goes, colour profiles too. Touches no file.
   * @param upload not to be changed until this is settled
   * @throws Problem 'busy' if too many wait already
   */
  async encode(upload: Uint8Array): Promise<EncodedLogo | LogoError> {
    if (upload.length > LOGO_BYTES) return { error: TOO_LARGE }
    const file = Buffer.from(upload.buffer, upload.byteOffset, upload.length)
    const format = formatOf(file)
    if (!format) return { error: NO_PICTURE }
    const picture = format.whole(file)
    if (!picture) return { error: DAMAGED }
    try {
      return await this.turns.run(() => shrink(picture, format.lossy))
    } catch (error) {
      const fault = error instanceof Error && 'code' in error ? FAULTS.get(error.code) : undefined
      if (!fault) throw error
      return { error: fault }
    }
  }
}

interface Format {
  readonly signature: RegExp
  /** Whether what comes in it has lost something already. */
  readonly lossy: boolean
  /** What the decoder is to be given, or undefined for what it would take although a part is missing. */
  whole(file: Buffer): Buffer | undefined
}

const FORMATS: readonly Format[] = [
  { signature: /^\x89PNG\r\n/, lossy: false, whole: file => file },
  { signature: /^\xff\xd8\xff/, lossy: true, whole: file => (isWholeJpeg(file) ? file : undefined) },
  { signature: /^RIFF[^]{4}WEBP/, lossy: false, whole: plainWebp },
  { signature: /^GIF8[79]a/, lossy: false, whole: file => (isWholeGif(file) ? file : undefined) },
]

const HEAD_BYTES = 12

function formatOf(file: Buffer): Format | undefined {
  const head = file.toString('latin1', 0, HEAD_BYTES)
  return FORMATS.find(({ signature }) => signature.test(head))
}

/**
 * Lossless suits the flat colours and sharp edges of logos, and is half of a PNG. Of a photograph it is 300 KB, and of a
 * JPEG it keeps the noise: these lose a little instead.
 */
async function shrink(picture: Buffer, lossy: boolean): Promise<EncodedLogo> {
  const image = new Bun.Image(picture, { maxPixels: LOGO_PIXELS }).resize(LOGO_SIDE, LOGO_SIDE, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  if (lossy) return plain(image.webp({ quality: QUALITY }))
  const lossless = await plain(image.webp({ lossless: true }))
  if (lossless.bytes.length <= LOSSLESS_BYTES) return lossless
  return plain(new Bun.Image(lossless.bytes).webp({ quality: QUALITY }))
}

async function plain(image: Bun.Image): Promise<EncodedLogo> {
  const bytes = plainWebp(await image.buffer())
  if (!bytes) throw new Error('The encoder made no WebP.')
  return { bytes }
}
