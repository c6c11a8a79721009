import { isBlank } from '../../base/text.ts'
import { Upload } from '../../http/request/fields.ts'
import type { EncodedLogo, LogoEncoder } from '../../images/logoEncoder.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { Validation } from '../../validation/validation.ts'

/** The field of a multipart form that contains a logo. */
export const LOGO_FIELD = {
  name: 'logo',
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  description:
    'PNG, JPEG, WebP or GIF by its content, at most 5 MB (5,242,880 bytes) and 16 megapixels. It is re-encoded as WebP within 512 × 512 pixels. An empty text removes the logo.',
} as const

/** A change of a logo: a new one, `'none'` to remove it, or undefined to keep it. */
type LogoChange = EncodedLogo | 'none' | undefined

/**
 * Reads the logo field: a file, a blank value, which removes the logo, or other text, which is ignored because clients send
 * back the URL that they read. Errors are added to the validation.
 */
export async function validateLogo(
  encoder: LogoEncoder,
  validation: Validation<unknown>,
): Promise<LogoChange> {
  const logo = validation.fields.values.get('logo')
  if (!(logo instanceof Upload)) return validateLogoText(validation)
  const encoded = await encoder.encode(logo.bytes)
  if (!('error' in encoded)) return encoded
  validation.addError('logo', encoded.error)
  return undefined
}

/** Reads a logo field that is no file, as in JSON. */
export function validateLogoText(validation: Validation<unknown>): 'none' | undefined {
  const logo = validation.fields.values.get('logo')
  if (logo === undefined) return undefined
  if (isBlank(logo)) return 'none'
  if (typeof logo !== 'string') validation.addError('logo', 'must be sent as a file in a multipart form')
  return undefined
}

/**
 * Writes a record and its logo: the file first, so that no record ever lacks its file. If the record is refused, the file
 * is removed.
 * @param write gets the name to store: `''` for no logo, undefined to keep the old one
 */
export async function withStoredLogo<T>(
  logos: LogoFiles,
  logo: LogoChange,
  write: (name: string | undefined) => Promise<T>,
): Promise<T> {
  if (logo === undefined) return await write(undefined)
  if (logo === 'none') return await write('')
  const name = await logos.write(logo)
  try {
    return await write(name)
  } catch (error) {
    // The first error is the one to report. If the file can't be removed now, it is at the next start.
    await logos.remove(name).catch(() => undefined)
    throw error
  }
}

/** Returns whether two names belong to the same image, or are both empty. Names begin with the image's checksum. */
export const isSameLogo = (a: string, b: string) => a.split('-')[0] === b.split('-')[0]
