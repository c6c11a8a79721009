/** Returns the texts of the elements that match a selector. */
export function textsOf(html: string, selector: string): string[] {
  const texts: string[] = []
  new HTMLRewriter()
    .on(selector, {
      element: () => void texts.push(''),
      text: ({ text }) => void (texts[texts.length - 1] += text),
    })
    .transform(html)
  return texts
}

/** Returns an attribute of the elements that match a selector. */
export function valuesOf(html: string, selector: string, attribute: string): string[] {
  const values: string[] = []
  new HTMLRewriter()
    .on(selector, { element: element => void values.push(element.getAttribute(attribute) ?? '') })
    .transform(html)
  return values
}
