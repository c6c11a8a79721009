import { createHash } from 'node:crypto'
import type { Later } from '../../base/later.ts'
import { Problem } from '../../base/problem.ts'
import type { RequestContext } from '../request/context.ts'
import { EncodedBody } from './encodedBody.ts'
import { PRIVATE } from './encoder.ts'
import { httpStatusOf } from './errors.ts'
import { prefersHtml } from './negotiation.ts'
import { Reply } from './reply.ts'

/** The content of the page that a link in a mail opens. */
export interface Confirmation {
  readonly message: string
  /** The label of the button, which sends a POST to the same address. */
  readonly button?: string
}

const STYLE =
  'body{font-family:sans-serif;line-height:1.5;max-width:32em;margin:4em auto;padding:0 1em}button{font:inherit;padding:.5em 1em}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const HTML = 'text/html; charset=utf-8'
const HEADERS = {
  'cache-control': PRIVATE,
  // Browsers get a page, and programs JSON.
  vary: 'Accept, Authorization, Accept-Encoding, Origin',
}
const PAGE_HEADERS = {
  ...HEADERS,
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // With `no-referrer`, the button's POST would have `Origin: null`, and look as if it came from another site.
  'referrer-policy': 'same-origin',
}

/**
 * Replies to a link in a mail: with a small page for browsers, also for errors, and with JSON for programs. The page doesn't
 * use the website's templates, because the website may be off.
 * @param title the title of the page
 * @throws whatever `confirm` throws, unless a Problem is shown as a page
 */
export async function confirmation(
  context: RequestContext,
  title: string,
  confirm: () => Later<Confirmation>,
): Promise<Reply<{ message: string }, 200>> {
  const isBrowser = prefersHtml(context.header('accept'), false)
  try {
    const confirmed = await confirm()
    return isBrowser ? page(title, confirmed, 200) : new Reply({ message: asText(confirmed) }, 200, HEADERS)
  } catch (error) {
    if (!isBrowser || !(error instanceof Problem)) throw error
    return page(title, error, httpStatusOf(error))
  }
}

const asText = ({ message, button }: Confirmation) =>
  button === undefined ? message : `${message} To choose "${button}", send a POST to this address.`

const page = (title: string, content: Confirmation, status: number) =>
  new Reply<{ message: string }, 200>(EncodedBody.text(render(title, content), HTML), status, PAGE_HEADERS)

const render = (title: string, { message, button }: Confirmation) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${Bun.escapeHTML(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${Bun.escapeHTML(title)}</h1>
<p>${Bun.escapeHTML(message)}</p>
${button === undefined ? '' : `<form method="post"><button>${Bun.escapeHTML(button)}</button></form>\n`}</body>
</html>
`
