import { createHash } from 'node:crypto'
import { Problem } from '../../base/problem.ts'
import type { RequestContext } from '../request/context.ts'
import { httpStatusOf } from './errors.ts'
import { prefersHtml } from './negotiation.ts'
import { Reply } from './reply.ts'

/** What somebody is told who follows a link. */
export interface Confirmation {
  readonly message: string
  /** What the button says that does what the link is for, by a POST to the same address. */
  readonly button?: string
}

const STYLE =
  'body{font-family:sans-serif;line-height:1.5;max-width:32em;margin:4em auto;padding:0 1em}button{font:inherit;padding:.5em 1em}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** What a link is answered with is for the one who followed it, and depends on what they read it with. */
const HEADERS = {
  'cache-control': 'private, no-store',
  vary: 'Accept, Authorization, Accept-Encoding, Origin',
}
const PAGE_HEADERS = {
  ...HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // with `no-referrer` the button's POST would not say that it comes from the board's own page (`Origin: null`)
  'referrer-policy': 'same-origin',
}

/**
 * Answers a link out of a mail: people get a small page, refusals included, and programs JSON.
 * @param title the page's
 * @throws Problem what `tell` throws, to a program
 */
export const confirmation = (
  context: RequestContext,
  title: string,
  tell: () => Confirmation | Promise<Confirmation>,
) =>
  prefersHtml(context.request.headers.get('accept'), false) ? answerPerson(title, tell) : answerProgram(tell)

async function answerProgram(tell: () => Confirmation | Promise<Confirmation>) {
  return new Reply<{ message: string }, 200>({ message: inWords(await tell()) }, 200, HEADERS)
}

async function answerPerson(
  title: string,
  tell: () => Confirmation | Promise<Confirmation>,
): Promise<Response> {
  try {
    return pageOf(title, await tell(), 200)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return pageOf(title, error, httpStatusOf(error))
  }
}

const inWords = ({ message, button }: Confirmation) =>
  button === undefined ? message : `${message} To say "${button}", send a POST to this address.`

const pageOf = (title: string, told: Confirmation, status: number) =>
  new Response(render(title, told), { status, headers: PAGE_HEADERS })

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
