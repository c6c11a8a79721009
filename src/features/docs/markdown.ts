const OPTIONS = { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } }

/** Renders the prose of the description, which is the board's own, as HTML. */
export const markdown = (text: string) =>
  // what is wider than the screen is scrolled by whoever has no mouse too
  Bun.markdown.html(text, OPTIONS).replaceAll('<table>', '<table tabindex="0">')

/** Renders one line of it, without a paragraph around it. */
export const markdownLine = (text: string) =>
  markdown(text)
    .trim()
    .replace(/^<p>(.*)<\/p>$/s, '$1')
