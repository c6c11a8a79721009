import { codePointLength, isBlank } from '../../base/text.ts'
import { TITLE_LENGTH } from './schema.ts'

const ELLIPSIS = '…'

/**
 * Cuts a title that is too long at a word, and puts the whole title above the description. Other fields stay as they are.
 * @param values the fields of a job, which are changed
 */
export function cutLongTitle(values: Map<string, unknown>): void {
  const title = values.get('title')
  if (typeof title !== 'string') return
  const whole = title.trim()
  if (codePointLength(whole) <= TITLE_LENGTH) return
  values.set('title', cutAtWord(whole))
  const [html, text] = [values.get('description_html'), values.get('description')]
  if (typeof html === 'string' && !isBlank(html))
    values.set('description_html', `<p>${Bun.escapeHTML(whole)}</p>\n${html}`)
  else if (typeof text === 'string' && !isBlank(text))
    values.set('description', `${escapeMarkdown(whole)}\n\n${text}`)
}

/** Returns the words at the beginning of a text that fit with an ellipsis. A single long word is cut. */
function cutAtWord(text: string): string {
  const room = [...text].slice(0, TITLE_LENGTH - 1).join('')
  const isWhole = /^\s/.test(text.slice(room.length))
  const words = isWhole ? room : room.replace(/\s+\S*$/, '')
  return `${words.replace(/[\s,;:–—-]+$/, '')}${ELLIPSIS}`
}

/** Returns text as Markdown of one paragraph. */
const escapeMarkdown = (text: string) =>
  text
    .replaceAll(/[\\`*_[\]<>~|]|&(?=#?\w+;)/g, String.raw`\$&`)
    .replace(/^([#+=-]|\d+(?=[.)]))/, match => (/\d/.test(match) ? match : `\\${match}`))
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
