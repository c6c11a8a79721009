import { EncodedBody } from '../../http/response/encodedBody.ts'
import { PRIVATE } from '../../http/response/headers.ts'
import { type HiddenReply, Reply } from '../../http/response/reply.ts'

type Value = string | number

/** Replies with a table as a CSV file (RFC 4180) to download, in UTF-8. */
export function csvReply(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): HiddenReply {
  const text = [columns, ...rows].map(row => `${row.map(csvValue).join(',')}\r\n`).join('')
  return new Reply<never, 200>(EncodedBody.text(text, 'text/csv; charset=utf-8'), 200, {
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': PRIVATE,
  })
}

/** Formats a value. Spreadsheets would run text that begins like a formula, so that it gets an apostrophe before it. */
function csvValue(value: Value): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
