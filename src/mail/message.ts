/** A part of what a mail says, in both forms. Whatever people wrote is text in the HTML, never markup. */
export interface MessagePart {
  readonly text: string
  readonly html: string
}

/** A mail in words, as the mail server is handed it. */
export interface Message {
  /** Stays the same however often the mail is tried. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly parts: readonly MessagePart[]
  /** Where one POST ends mails of this kind (RFC 8058). */
  readonly unsubscribe?: string
}

/** Something to look at, in a list of such. */
export interface ListItem {
  readonly title: string
  readonly details: string
  readonly url: string
}

const escape = (text: string) => Bun.escapeHTML(text)
const anchor = (url: string, text: string) => `<a href="${escape(url)}">${escape(text)}</a>`
const indented = (text: string) => text.replaceAll(/^/gm, '    ')

/** A paragraph. */
export const paragraph = (text: string): MessagePart => ({ text, html: `<p>${escape(text)}</p>` })

/** What the mail asks for, and where that is done. */
export const linkParagraph = (text: string, url: string): MessagePart => ({
  text: `${text}:\n${url}`,
  html: `<p>${anchor(url, text)}</p>`,
})

/** Something to be copied as it stands. */
export const codeBlock = (text: string): MessagePart => ({
  text: indented(text),
  html: `<pre>${escape(text)}</pre>`,
})

export const bulletList = (list: readonly ListItem[]): MessagePart => ({
  text: list.map(({ title, details: about, url }) => `* ${title}\n  ${about}\n  ${url}`).join('\n\n'),
  html: `<ul>\n${list.map(({ title, details: about, url }) => `<li>${anchor(url, title)}<br>${escape(about)}</li>`).join('\n')}\n</ul>`,
})

/** The plain text of a mail. */
export const asText = ({ parts }: Message) => `${parts.map(({ text }) => text).join('\n\n')}\n`

/** The same as HTML. */
export const asHtml = ({ subject, parts }: Message) =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">
${parts.map(({ html }) => html).join('\n')}
</body>
</html>
`
