import { Problem } from '../../base/problem.ts'
import { type Described, OPERATION } from '../operation.ts'
import type { BodySource } from './body.ts'
import { type Fields, readFields } from './fields.ts'

/**
 * Reads the fields that a request sends to an operation. Unknown ones are ignored, so that a client may send back what
 * it read; but where fields were sent and the operation knows none of them, nothing would happen, and the sender would
 * take it for done.
 * @throws Problem 'invalid' if none is known, with a guess at what went wrong; besides as `readFields`
 */
export async function readInput(source: BodySource, operation: Described): Promise<Fields> {
  const { body, file } = operation.detail[OPERATION]
  const fields = await readFields(source, file !== undefined)
  const known = [...Object.keys(body?.properties ?? {}), ...(file ? [file.name] : [])]
  const sent = [...fields.values.keys()]
  if (sent.length === 0 || sent.some(name => known.includes(name))) return fields
  throw new Problem('invalid', `${guessFault(fields, known)} The fields are: ${known.join(', ')}.`)
}

/** The most likely reason why no name was known. It quotes nothing that was sent, which may be a secret. */
function guessFault({ values, form }: Fields, known: readonly string[]): string {
  const names = [...values.keys()]
  if (form && names.some(name => /^\s*[{[]/.test(name)))
    return 'The body looks like JSON, but its content type says that it is a form: send it as application/json.'
  if (form && names.some(name => name.includes('[')))
    return 'No field was recognized: in a form, wrap names as job[name] or send them plain.'
  if (names.some(name => name.includes('[')))
    return 'No field was recognized: names in brackets are for forms. In JSON, send plain names.'
  const isWrapped = [...values.values()].some(value => isObject(value) && known.some(name => name in value))
  if (isWrapped)
    return 'No field was recognized: the fields are inside another object. Send them at the top level.'
  return 'No field was recognized.'
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
