import { isBlank } from '../../base/text.ts'
import { Upload } from '../../http/request/fields.ts'
import type { EncodedLogo, LogoEncoder } from '../../images/logoEncoder.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { Fields, Validation } from '../../validation/validation.ts'

/** What is to become of a logo: a new one, none, or what it was. */
export type LogoChange = EncodedLogo | 'none' | undefined

/**
 * Reads the logo that was sent: a file; blank, which takes the logo away; or another text, as a client sends back the
 * URL that it read, which says nothing. What is wrong with it is noted in the draft.
 */
export async function validateLogo(
  encoder: LogoEncoder,
  fields: Fields,
  validation: Validation<unknown>,
): Promise<LogoChange> {
  const logo = fields.values.get('logo')
  if (logo === undefined) return undefined
  if (isBlank(logo)) return 'none'
  if (typeof logo === 'string') return undefined
  if (!(logo instanceof Upload)) {
    validation.addError('logo', 'must be sent as a file, in a multipart form')
    return undefined
  }
  const encoded = await encoder.encode(logo.bytes)
  if (!('error' in encoded)) return encoded
  validation.addError('logo', encoded.error)
  return undefined
}

/**
 * Has a record written together with its logo: the file first, so that no record is ever without it, and if the record
 * is refused the file goes again.
 * @param write gets the name to record, `''` for none, undefined to leave it as it is
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
    await logos.remove(name)
    throw error
  }
}

/** Whether two names are of the same picture, or both of none: what a file is called begins with its checksum. */
export const isSameLogo = (a: string, b: string) => a.split('-')[0] === b.split('-')[0]
