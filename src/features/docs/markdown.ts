const OPTIONS = { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } }

/** Renders Markdown from the API description, which is trusted, as HTML. */
export const markdown = (text: string) =>
  // Tables are focusable, so that the keyboard can scroll one that is wider than the screen.
  Bun.markdown.html(text, OPTIONS).replaceAll('<table>', '<table tabindex="0">')

/** Renders a single line of Markdown without a surrounding paragraph. */
export const markdownLine = (text: string) =>
  markdown(text)
    .trim()
    .replace(/^<p>(.*)<\/p>$/s, '$1')
