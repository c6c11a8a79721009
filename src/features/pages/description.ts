import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'

/** What a description may be made of. Everything else that Markdown gives is taken off, and its text stays. */
const ELEMENTS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del a table thead tbody tr th td'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Map([
  ['a', ['href', 'title']],
  ['ol', ['start']],
])

/** As it stands in the source: an attribute that begins so begins so however it is decoded. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i
const LINK_RELATION = 'nofollow noopener ugc'

/** The level of a description's first heading: the page's own is above it. */
const FIRST_LEVEL = 2
/** A table of many empty cells or a pile of quotes becomes HTML of many times its length: that is no description. */
const GROWTH = 8
const GROWTH_FROM = 4096

const MARKDOWN = { noHtmlBlocks: true, noHtmlSpans: true, autolinks: true }

/** Tags that are looked at, which takes a microsecond each. A long description has a tenth of these. */
const MOST_TAGS = 20_000
/** Cells that the tables of a text may have. Wide ones of empty rows have millions, which takes a fifth of a second. */
const MOST_CELLS = 20_000

/**
 * Renders a description, Markdown by whoever posted the job, as HTML that does no harm wherever it stands. What would take
 * long stays text: while one is rendered, nobody is answered.
 */
export function renderDescription(markdown: string): string {
  if (mayHaveCells(markdown) > MOST_CELLS) return plain(markdown)
  const html = Bun.markdown.html(markdown, MARKDOWN)
  if (html.length > markdown.length * GROWTH + GROWTH_FROM) return plain(markdown)
  if (countOf('<', html) > MOST_TAGS) return plain(markdown)
  const levels = [...new Set(html.match(/<h[1-6]/g))].sort().map(tag => tag.slice(1))
  return new HTMLRewriter()
    .on('*', { element: element => tame(element, levels) })
    .onDocument({ comments: comment => void comment.remove() })
    .transform(html)
}

/** Of UTF-16, at most. */
const BYTES_OF_UNIT = 2

/** Returns a job's description as HTML. It is kept until the job changes, so the job must be as it is now. */
export function descriptionOf({ descriptions }: Board, { id, description }: JobRow): string {
  const kept = descriptions.get(id)
  if (kept) return kept.html
  const html = renderDescription(description)
  return descriptions.keep(id, { html, cost: html.length * BYTES_OF_UNIT }).html
}

const plain = (markdown: string) => `<pre>${Bun.escapeHTML(markdown)}</pre>`

/** A line that may part the head of a table from its rows, perhaps within lists and quotes. */
const DELIMITER_ROW = /^[-+*>\d.) \t\r:|]*$/

/** How many cells the tables of a text have at most: every row has as many as the line below its head. */
function mayHaveCells(markdown: string): number {
  if (!markdown.includes('|')) return 0
  const lines = markdown.split('\n')
  const widest = lines.reduce(
    (width, line) => (DELIMITER_ROW.test(line) ? Math.max(width, countOf('|', line) + 1) : width),
    1,
  )
  return widest * lines.length
}

function countOf(sign: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count++
  return count
}

function tame(element: HTMLRewriterTypes.Element, levels: readonly string[]) {
  const { tagName } = element
  if (tagName === 'img') element.replace(altOf(element), { html: true })
  else if (tagName === 'input') element.replace(element.hasAttribute('checked') ? '☑ ' : '☐ ')
  else if (!ELEMENTS.has(tagName) || (tagName === 'a' && !isSafe(element))) element.removeAndKeepContent()
  else {
    keepOnly(element, ATTRIBUTES.get(tagName) ?? [])
    if (tagName === 'a') element.setAttribute('rel', LINK_RELATION)
    // it may be wider than the screen, and who has no mouse scrolls what has the focus
    if (tagName === 'table') element.setAttribute('tabindex', '0')
    const level = levels.indexOf(tagName)
    if (level >= 0) element.tagName = `h${FIRST_LEVEL + level}`
  }
}

const isSafe = (link: HTMLRewriterTypes.Element) => SAFE_LINK.test(link.getAttribute('href') ?? '')

/** What a picture shows, in words; the picture itself is another host's. The attribute is HTML already, save tags. */
const altOf = (image: HTMLRewriterTypes.Element) =>
  (image.getAttribute('alt') ?? '').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function keepOnly(element: HTMLRewriterTypes.Element, names: readonly string[]) {
  for (const [name] of [...element.attributes]) if (!names.includes(name)) element.removeAttribute(name)
}

const SUMMARY_LENGTH = 200
/** What a summary is made from: long links and much markup do not count as words. */
const SUMMARY_SOURCE = 4096
const SPACED = ['paragraph', 'heading', 'listItem', 'code', 'td', 'th'] as const
const apart = (text: string) => `${text} `
const AS_WORDS = Object.fromEntries(SPACED.map(block => [block, apart]))

/** The words that a description begins with, as plain text on one line. */
export function summarize(markdown: string): string {
  const source = markdown.slice(0, SUMMARY_SOURCE)
  const words = mayHaveCells(source) > MOST_CELLS ? source : Bun.markdown.render(source, AS_WORDS, MARKDOWN)
  const text = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const points = [...text.slice(0, 2 * SUMMARY_LENGTH + 2)]
  if (points.length <= SUMMARY_LENGTH) return text
  const cut = points.slice(0, SUMMARY_LENGTH).join('')
  return `${/^.+(?= )/s.exec(cut)?.[0] ?? cut}…`
}
