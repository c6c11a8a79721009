/** The elements that are kept. Others stand for one of these, or only their text is kept. */
const KEPT = new Set('p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong b em i a div'.split(' '))
/** The elements that begin a line of their own. */
const BLOCKS = new Set(
  'address article aside center dd dl dt fieldset figcaption figure footer form header main nav section summary table tr'.split(
    ' ',
  ),
)
const CELLS = new Set(['td', 'th'])
/** The elements that aren't text for readers, and those whose content isn't HTML. */
const REMOVED = new Set(
  'audio base canvas embed frameset head iframe img link map math meta noembed noframes noscript object picture plaintext script select style svg template textarea title video xmp'.split(
    ' ',
  ),
)
/** The elements that close by themselves, so that they don't nest. */
const UNNESTED = new Set(['p', 'br', 'hr', 'li'])

/** Each kept element takes 20 to 50 µs to convert. Long descriptions have a few hundred. */
const MAX_ELEMENTS = 2000
const MAX_DEPTH = 100
/** Each tag takes about 5 µs to read. HTML with more tags becomes text. */
const MAX_TAGS = 10_000

/**
 * Reduces HTML to the elements that Markdown has: without scripts, styles and pictures. Of
 * further and deeper elements than a description needs, only the text is kept, so that it can be converted quickly.
 */
export function cleanHtml(html: string): string {
  if (html.split('<').length > MAX_TAGS) return html.replaceAll(/<[^<>]*>/g, ' ')
  const clean = reduceElements(html.replaceAll(/&nbsp;|&#160;|&#xa0;|\u00a0/gi, ' ')).replaceAll(
    /<\/br\b[^>]*>/gi,
    '',
  )
  // An end tag without its element, which the parser can't see, is an empty paragraph.
  return clean.split('</p').length > MAX_ELEMENTS ? clean.replaceAll(/<\/p\b[^>]*>/gi, '') : clean
}

function reduceElements(html: string): string {
  let elements = 0
  let depth = 0
  return new HTMLRewriter()
    .on('*', {
      element: element => {
        const { tagName } = element
        const isKept = KEPT.has(tagName) || BLOCKS.has(tagName)
        if (REMOVED.has(tagName) || isHidden(element)) element.remove()
        else if (!isKept || elements >= MAX_ELEMENTS || depth >= MAX_DEPTH) {
          // Words of neighbouring elements stay apart.
          if (isKept || CELLS.has(tagName)) element.before(' ')
          element.removeAndKeepContent()
        } else {
          elements++
          if (BLOCKS.has(tagName)) element.tagName = 'div'
          if (UNNESTED.has(tagName)) return
          depth++
          element.onEndTag(() => void depth--)
        }
      },
    })
    .onDocument({ comments: comment => void comment.remove(), doctype: doctype => void doctype.remove() })
    .transform(html)
}

const isHidden = (element: HTMLRewriterTypes.Element) =>
  element.hasAttribute('hidden') || /display\s*:\s*none/i.test(element.getAttribute('style') ?? '')
