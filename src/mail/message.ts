/** A part of a message, as text and as HTML, in which user input is escaped. */
interface MessagePart {
  readonly text: string
  readonly html: string
}

/** A message to send. */
export interface Message {
  /** The Message-ID, which is the same at every attempt. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly parts: readonly MessagePart[]
  /** The URL that ends mails of this kind by a single POST (RFC 8058). */
  readonly unsubscribe?: string
}

/** An item of a list, which links to a page. */
export interface ListItem {
  readonly title: string
  readonly details: string
  readonly url: string
}

const escape = (text: string) => Bun.escapeHTML(text)
const anchor = (url: string, text: string) => `<a href="${escape(url)}">${escape(text)}</a>`
const indented = (text: string) => text.replaceAll(/^/gm, '    ')

export const paragraph = (text: string): MessagePart => ({ text, html: `<p>${escape(text)}</p>` })

/** Creates a paragraph that consists of a link. */
export const linkParagraph = (text: string, url: string): MessagePart => ({
  text: `${text}:\n${url}`,
  html: `<p>${anchor(url, text)}</p>`,
})

/** Returns a text that somebody wrote. */
export const quote = (text: string): MessagePart => ({
  text: text.replaceAll(/^/gm, '> '),
  html: `<blockquote style="white-space: pre-line">${escape(text)}</blockquote>`,
})

/** Creates a block of text to copy. */
export const codeBlock = (text: string): MessagePart => ({
  text: indented(text),
  html: `<pre>${escape(text)}</pre>`,
})

export const bulletList = (list: readonly ListItem[]): MessagePart => ({
  text: list.map(({ title, details, url }) => `* ${title}\n  ${details}\n  ${url}`).join('\n\n'),
  html: `<ul>\n${list.map(({ title, details, url }) => `<li>${anchor(url, title)}<br>${escape(details)}</li>`).join('\n')}\n</ul>`,
})

/** Returns the plain text of a message. */
export const asText = ({ parts }: Message) => `${parts.map(({ text }) => text).join('\n\n')}\n`

/** Returns the HTML of a message. */
export const asHtml = ({ subject, parts }: Message) =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">
${parts.map(({ html }) => html).join('\n')}
</body>
</html>
`
