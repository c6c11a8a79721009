import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'

/** The elements that a description may contain. Of others, only the text is kept. */
const ELEMENTS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del a table thead tbody tr th td'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Map([
  ['a', ['href', 'title']],
  ['ol', ['start']],
])

/** Matches safe links. They begin with no entities, so decoding a value doesn't change its beginning. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i
const LINK_RELATION = 'nofollow noopener ugc'

/** The level of a description's highest heading, below the page's own. */
const FIRST_LEVEL = 2
/** The HTML of nested quotes and of empty table cells is many times as long as the text; that of real descriptions isn't. */
const MAX_GROWTH = 8
const MIN_LIMITED_LENGTH = 4096

const MARKDOWN = { noHtmlBlocks: true, noHtmlSpans: true, autolinks: true }

/** Each tag takes a microsecond to sanitize. Long descriptions have a tenth as many. */
const MAX_TAGS = 20_000
/** Wide tables of empty rows can have millions of cells, which take 200 ms to render. */
const MAX_TABLE_CELLS = 20_000

/**
 * Renders a description, untrusted Markdown, as safe HTML. A description that would take long to render becomes plain
 * text, because rendering blocks all other requests.
 */
export function renderDescription(markdown: string): string {
  if (maxTableCells(markdown) > MAX_TABLE_CELLS) return plainText(markdown)
  const html = Bun.markdown.html(markdown, MARKDOWN)
  if (html.length > markdown.length * MAX_GROWTH + MIN_LIMITED_LENGTH) return plainText(markdown)
  if (countOf('<', html) > MAX_TAGS) return plainText(markdown)
  const levels = [...new Set(html.match(/<h[1-6]/g))].sort().map(tag => tag.slice(1))
  return new HTMLRewriter()
    .on('*', { element: element => sanitize(element, levels) })
    .onDocument({ comments: comment => void comment.remove() })
    .transform(html)
}

/** The most memory that a text takes, in bytes for each UTF-16 unit. */
const BYTES_PER_UNIT = 2

/** Returns the key under which a job's rendered description is cached. */
export const descriptionKey = (id: number) => `description ${id}`

/** Returns a job's description as HTML, cached until the job changes. @param job as it is stored now */
export function descriptionOf({ responses, jobIndex }: Board, { id, description }: JobRow): string {
  const render = () => {
    const html = renderDescription(description)
    return { html, cost: html.length * BYTES_PER_UNIT }
  }
  return responses.getOrCreate(descriptionKey(id), () => jobIndex.versionOf(id), render).html
}

const plainText = (markdown: string) => `<pre>${Bun.escapeHTML(markdown)}</pre>`

/** Matches a line that may separate a table's head from its rows, perhaps inside lists and quotes. */
const DELIMITER_ROW = /^[-+*>\d.) \t\r:|]*$/

/** Returns an upper bound for the number of table cells in a text. Every row has as many as the line below the head. */
function maxTableCells(markdown: string): number {
  if (!markdown.includes('|')) return 0
  const lines = markdown.split('\n')
  const widest = lines.reduce(
    (width, line) => (DELIMITER_ROW.test(line) ? Math.max(width, countOf('|', line) + 1) : width),
    1,
  )
  return widest * lines.length
}

function countOf(character: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++
  return count
}

function sanitize(element: HTMLRewriterTypes.Element, levels: readonly string[]) {
  const { tagName } = element
  if (tagName === 'img') element.replace(altOf(element), { html: true })
  else if (tagName === 'input') element.replace(element.hasAttribute('checked') ? '☑ ' : '☐ ')
  else if (!ELEMENTS.has(tagName) || (tagName === 'a' && !isSafeLink(element))) element.removeAndKeepContent()
  else {
    removeOtherAttributes(element, ATTRIBUTES.get(tagName) ?? [])
    if (tagName === 'a') element.setAttribute('rel', LINK_RELATION)
    // Tables are focusable, so that the keyboard can scroll one that is wider than the screen.
    if (tagName === 'table') element.setAttribute('tabindex', '0')
    const level = levels.indexOf(tagName)
    if (level >= 0) element.tagName = `h${FIRST_LEVEL + level}`
  }
}

const isSafeLink = (link: HTMLRewriterTypes.Element) => SAFE_LINK.test(link.getAttribute('href') ?? '')

/** Returns an image's alternative text; the image itself may be on another host. Entities are already escaped, tags not. */
const altOf = (image: HTMLRewriterTypes.Element) =>
  (image.getAttribute('alt') ?? '').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function removeOtherAttributes(element: HTMLRewriterTypes.Element, names: readonly string[]) {
  for (const [name] of [...element.attributes]) if (!names.includes(name)) element.removeAttribute(name)
}

const SUMMARY_LENGTH = 200
/** The length of the source that a summary is made from, in UTF-16 units; longer because markup and links don't count. */
const SUMMARY_SOURCE_LENGTH = 4096
const BLOCKS = ['paragraph', 'heading', 'listItem', 'code', 'td', 'th'] as const
const withSpace = (text: string) => `${text} `
const PLAIN_TEXT = Object.fromEntries(BLOCKS.map(block => [block, withSpace]))

/** Returns the beginning of a description as plain text on one line, at most 200 characters. */
export function summarize(markdown: string): string {
  const source = markdown.slice(0, SUMMARY_SOURCE_LENGTH)
  const words =
    maxTableCells(source) > MAX_TABLE_CELLS ? source : Bun.markdown.render(source, PLAIN_TEXT, MARKDOWN)
  const text = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const points = [...text.slice(0, 2 * SUMMARY_LENGTH + 2)]
  if (points.length <= SUMMARY_LENGTH) return text
  const cut = points.slice(0, SUMMARY_LENGTH).join('')
  return `${/^.+(?= )/s.exec(cut)?.[0] ?? cut}…`
}
