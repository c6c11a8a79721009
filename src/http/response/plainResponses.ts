import { NOT_FOUND, STATUS } from './errors.ts'
import { COMMON_HEADERS } from './headers.ts'

const PERMANENT_REDIRECT = 308
const RETRY_AFTER = '30'

/** Returns the permanent redirect to another address, which keeps the method. */
export const redirectTo = (location: string) =>
  new Response(null, { status: PERMANENT_REDIRECT, headers: { ...COMMON_HEADERS, location } })

/** Returns the response to a challenge of a certificate authority that is unknown. */
export const challengeNotFound = () =>
  new Response('Not found.\n', { status: NOT_FOUND, headers: COMMON_HEADERS })

/** Returns a page that says why the board can't be used yet. */
export function pageUnavailable(title: string, paragraphs: readonly string[]): Response {
  const body = paragraphs.map(text => `<p>${Bun.escapeHTML(text)}</p>`).join('\n')
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${Bun.escapeHTML(title)}</title>
<h1>${Bun.escapeHTML(title)}</h1>
${body}
</html>
`
  return new Response(page, {
    status: STATUS.busy,
    headers: {
      ...COMMON_HEADERS,
      'cache-control': 'no-store',
      'content-type': 'text/html;charset=utf-8',
      'retry-after': RETRY_AFTER,
    },
  })
}
