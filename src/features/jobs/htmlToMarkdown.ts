import { LRUCache } from 'lru-cache'
import TurndownService from 'turndown'
import { cleanHtml } from './cleanHtml.ts'

type HtmlNode = TurndownService.HtmlNode

/** The length of the results that are remembered, in UTF-16 units, because a request is validated more than once. */
const MAX_REMEMBERED = 2 ** 21
const remembered = new LRUCache<string, string>({
  maxSize: MAX_REMEMBERED,
  sizeCalculation: (markdown, html) => html.length + markdown.length + 1,
})

/** Converts untrusted HTML to Markdown with headings, lists, bold text and links to http, https and mailto. */
export function htmlToMarkdown(html: string): string {
  const known = remembered.get(html)
  if (known !== undefined) return known
  const markdown = tidy(service.turndown(cleanHtml(decoded(html))))
  remembered.set(html, markdown)
  return markdown
}

/** Joins neighbouring pieces of bold text, and removes superfluous blank lines. */
const tidy = (markdown: string) =>
  markdown
    .replaceAll(/(?<!\\)\*{4}(?!\*)/g, '')
    .replaceAll(/^[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')

/** Returns the text of HTML on one line, without markup. */
export const htmlToText = (html: string) =>
  plain
    .turndown(html.replaceAll(/<\/?[a-z][^<>]*>/gi, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Decodes HTML that was escaped as a whole, as that of Greenhouse is. */
const decoded = (html: string) =>
  !/<[a-z/!]/i.test(html) && /&lt;[a-z/!]/i.test(html) ? plain.turndown(`<pre>${html}</pre>`) : html

const service = new TurndownService({ headingStyle: 'atx', bulletListMarker: '-', emDelimiter: '*' })
const escapeText = service.escape

/** Escapes text that would be markup. Addresses are left as they are, because a renderer turns them into links. */
service.escape = text =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/i)
    .map((part, at) => (at % 2 === 1 ? part : escapePart(part)))
    .join('')

const escapePart = (text: string) =>
  escapeText(text)
    .replaceAll(/<|~|&(?=#?\w+;)/g, '\\$&')
    .replace(/^(\d{1,9})\)(?=\s)/, '$1\\)')

service
  .addRule('link', { filter: 'a', replacement: (content, node) => link(content, node) })
  .addRule('list item', { filter: 'li', replacement: (content, node) => listItem(content, node) })
  .addRule('quote', {
    filter: 'blockquote',
    replacement: content => `\n\n${indented(content.trim(), '> ', '> ')}\n\n`,
  })
  .addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, { nodeName }) =>
      `\n\n${'#'.repeat(Number(nodeName.charAt(1)))} ${content.replaceAll(/\s*\n\s*/g, ' ')}\n\n`,
  })
  .addRule('bold', { filter: ['b', 'strong'], replacement: (content, node) => marked('**', content, node) })
  .addRule('italic', { filter: ['i', 'em'], replacement: (content, node) => marked('*', content, node) })

const plain = new TurndownService({})
plain.escape = text => text

const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

function link(content: string, node: HtmlNode): string {
  const url = URL.parse(node.getAttribute('href') ?? '')
  if (!url || !PROTOCOLS.has(url.protocol) || content.trim() === '') return content
  return `[${content.replaceAll(/\s*\n\s*/g, ' ')}](${url.href.replaceAll(/[()<>\\]/g, escapeInUrl)})`
}

const escapeInUrl = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

function listItem(content: string, node: HtmlNode): string {
  const prefix = node.parentNode?.nodeName === 'OL' ? `${numberOf(node, node.parentNode)}. ` : '- '
  return `${indented(content.trim(), prefix, ' '.repeat(prefix.length))}${node.nextSibling ? '\n' : ''}`
}

/** The length of text, in UTF-16 units, up to which its lines are indented: nested elements repeat that for each level. */
const MAX_INDENTED = 2 ** 17

const indented = (text: string, first: string, others: string) =>
  text.length > MAX_INDENTED ? text : `${first}${text.replaceAll('\n', `\n${others}`)}`

function numberOf(item: HtmlNode, list: HtmlNode): number {
  const start = Number(list.getAttribute('start') ?? 1)
  return (
    (Number.isSafeInteger(start) && start >= 0 ? start : 1) +
    Array.prototype.indexOf.call(list.children, item)
  )
}

const BOLD = new Set(['B', 'STRONG', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6'])
const ITALIC = new Set(['I', 'EM'])

const OPENING = new Set(`"'(“‘«¿¡`)
const CLOSING = new Set(`.,:;!?…)"'”’»`)
const WORD_START = /^[\p{L}\p{N}]/u
const WORD_END = /[\p{L}\p{N}]$/u
/** Matches the end of a line, unless it is a break within a paragraph. */
const LINE_END = /(?<! {2})\n/

/**
 * Marks text as bold or italic, unless it is already. Markdown ignores a mark between punctuation and a word, so
 * punctuation next to a word is left outside.
 */
function marked(mark: '**' | '*', content: string, node: HtmlNode): string {
  if (LINE_END.test(content) || isWithin(node, mark === '**' ? BOLD : ITALIC)) return content
  const opens = WORD_END.test(node.previousSibling?.textContent ?? '')
  const closes = WORD_START.test(node.nextSibling?.textContent ?? '')
  let start = 0
  let end = content.length
  if (opens) while (OPENING.has(content.charAt(start))) start++
  // The parentheses of a link belong to it.
  if (closes && !content.includes('](')) while (end > start && CLOSING.has(content.charAt(end - 1))) end--
  const text = content.slice(start, end)
  if (text.trim() === '' || (opens && !WORD_START.test(text)) || (closes && !WORD_END.test(text)))
    return content
  return `${content.slice(0, start)}${mark}${text}${mark}${content.slice(end)}`
}

function isWithin(node: HtmlNode, names: ReadonlySet<string>): boolean {
  for (let parent = node.parentNode; parent; parent = parent.parentNode)
    if (names.has(parent.nodeName)) return true
  return false
}
