import { timestamp } from '../base/clock.ts'

/** In bytes. Standard Webhooks advises against larger bodies. */
const MAX_BODY_SIZE = 20_000 - 1
const ELLIPSIS = '…'

/** An object in JSON. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Encodes the body of a message. If it is too large, the longest texts of the record, such as a job's description, are cut:
 * they end in `…`, and `data.shortened` names them.
 */
export function encodeBody(type: string, at: number, data: Fields): Uint8Array {
  const encode = (value: Fields) =>
    Buffer.from(JSON.stringify({ type, timestamp: timestamp(at), data: value }))
  let body = encode(data)
  let { data: record } = data
  const shortened: string[] = []
  while (body.length > MAX_BODY_SIZE && isFields(record)) {
    const longest = longestText(record)
    if (!longest || shortened.includes(longest.name)) break
    const { name, text } = longest
    const full = record
    shortened.push(name)
    const cut = (length: number) => ({ ...full, [name]: text.slice(0, length).toWellFormed() + ELLIPSIS })
    const cutBody = (length: number) => encode({ ...data, data: cut(length), shortened })
    const length = largest(text.length, to => cutBody(to).length <= MAX_BODY_SIZE)
    record = cut(length)
    body = cutBody(length)
  }
  return body
}

/** Returns the largest number below a limit that fits, by bisection; 0 if none does. */
function largest(limit: number, fits: (number: number) => boolean): number {
  let [low, high] = [0, limit]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

function longestText(record: Fields): { name: string; text: string } | undefined {
  const texts = Object.entries(record).flatMap(([name, text]) =>
    typeof text === 'string' ? [{ name, text }] : [],
  )
  return texts.toSorted((a, b) => b.text.length - a.text.length)[0]
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
