import { dateOf } from '../../base/clock.ts'
import { isBlank } from '../../base/text.ts'
import type { Board } from '../../board.ts'
import { Upload } from '../../http/request/fields.ts'
import type { Fields } from '../../validation/validation.ts'
import { textOf } from './text.ts'

/** The fields in which an uploaded logo survives a rejected form. */
const KEPT_LOGO = 'kept_logo'
const KEPT_NAME = 'kept_logo_name'
const REMOVE_LOGO = 'remove_logo'
const MAX_NAME_LENGTH = 80
const DAY = /^\d{4}-\d\d-\d\d$/

/**
 * Returns the fields of a job's form as those of the API: a day becomes a time, and a kept logo a file.
 * @param publishAt when the job is to be published so far; the same day keeps its time
 */
export function jobInputOf({ values, isForm }: Fields, publishAt: number | null = null): Fields {
  const input = new Map(values)
  const day = values.get('publish_at')
  if (day === '') input.set('publish_at', null)
  else if (publishAt !== null && day === dateOf(publishAt)) input.delete('publish_at')
  else if (typeof day === 'string' && DAY.test(day)) input.set('publish_at', `${day}T00:00:00Z`)
  const logo = values.get('logo')
  const kept = values.get(KEPT_LOGO)
  if (!(logo instanceof Upload)) {
    input.delete('logo')
    if (values.get(REMOVE_LOGO) === 'true') input.set('logo', '')
    else if (typeof kept === 'string' && !isBlank(kept))
      input.set('logo', new Upload(Buffer.from(kept, 'base64'), textOf(values.get(KEPT_NAME))))
  }
  return { values: input, isForm }
}

/** A logo in a form that was rejected, encoded as it would be stored. */
export interface KeptLogo {
  readonly name: string
  readonly data: string
}

/** Returns the logo of a rejected form, if it can be used. */
export async function keepLogo({ images }: Board, fields: Fields): Promise<KeptLogo | undefined> {
  const logo = jobInputOf(fields).values.get('logo')
  if (!(logo instanceof Upload)) return undefined
  const encoded = await images.logoEncoder.encode(logo.bytes)
  if ('error' in encoded) return undefined
  const name = logo.filename.replace(/^.*[/\\]/, '').slice(0, MAX_NAME_LENGTH)
  return { name: name || 'logo', data: Buffer.from(encoded.bytes).toString('base64') }
}
