import { createHash } from 'node:crypto'
import type { Later } from '../../base/later.ts'
import { Problem } from '../../base/problem.ts'
import { JSON_SUFFIX } from '../paths.ts'
import type { RequestContext } from '../request/context.ts'
import { EncodedBody } from './encodedBody.ts'
import { httpStatusOf } from './errors.ts'
import { PRIVATE } from './headers.ts'
import { prefersHtml } from './negotiation.ts'
import { Reply } from './reply.ts'

/** The content of the page that a link in a mail opens. */
export interface Confirmation {
  readonly message: string
  /** The label of the button, which sends a POST to the same address. */
  readonly button?: string
  /** Where to go next. Only pages with the website's templates have it. */
  readonly link?: { readonly path: string; readonly text: string }
  /** The field for a new password. Only pages with the website's templates have it. */
  readonly field?: { readonly label: string; readonly hint: string; readonly error?: string }
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

/** The page of a link in a mail, which the website shows in its own look. */
export class ConfirmationPage extends Reply<{ message: string }, 200> {
  constructor(
    readonly title: string,
    readonly content: Confirmation,
    status: number,
  ) {
    super(EncodedBody.text(render(title, content), HTML), status, PAGE_HEADERS)
  }
}

/**
 * Replies to a link in a mail: with a page for browsers, also for errors, and with JSON for programs.
 * @param title the title of the page
 * @param form what to show again if the fields that were sent are invalid
 * @throws whatever `confirm` throws, unless a Problem is shown as a page
 */
export async function confirmation(
  context: RequestContext,
  title: string,
  confirm: () => Later<Confirmation>,
  form?: Confirmation,
): Promise<Reply<{ message: string }, 200>> {
  const isBrowser = prefersHtml(context.header('accept'), !context.path.endsWith(JSON_SUFFIX))
  try {
    const confirmed = await confirm()
    return isBrowser
      ? new ConfirmationPage(title, confirmed, 200)
      : new Reply({ message: asText(confirmed) }, 200, HEADERS)
  } catch (error) {
    if (!isBrowser || !(error instanceof Problem)) throw error
    return new ConfirmationPage(title, withError(error, form), httpStatusOf(error))
  }
}

/** Returns the form with the first error of its field, or else just the error. */
function withError({ message, details }: Problem, form: Confirmation | undefined): Confirmation {
  const [error] = Object.values(details.errors ?? {}).flat()
  if (!form?.field || error === undefined) return { message }
  return { ...form, field: { ...form.field, error } }
}

const asText = ({ message, button }: Confirmation) =>
  button === undefined ? message : `${message} To choose "${button}", send a POST to this address.`

/** Renders a page without the website's templates, because the website may be off. */
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
