const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Returns the text of the first element with a name in a response of S3, whose elements have no attributes that matter. */
export function textIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml) ?? []
  return text?.replace(/&(?:#(\d+)|(\w+));/g, (entity, code: string | undefined, word: string) =>
    code === undefined ? (ENTITIES[word] ?? entity) : String.fromCodePoint(Number(code)),
  )
}

/** Returns the contents of all elements with a name, of which none is inside another. */
export const elementsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, content = '']) => content)
