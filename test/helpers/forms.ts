import { png } from './pictures.ts'

/** Returns the name of a field in a form. */
export type Naming = (field: string) => string
export const WRAPPED: Naming = field => `job[${field}]`
export const BARE: Naming = field => field

/** Returns a multipart form of these fields, of which files are sent as files. */
export function formOf(fields: object, nameOf = WRAPPED): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields))
    form.append(nameOf(field), value instanceof Blob ? value : String(value ?? ''))
  return form
}

/** Returns a picture as the file of a logo. */
export const logoFile = (picture: Uint8Array = png(2, 2)) => new File([new Uint8Array(picture)], 'logo.png')
