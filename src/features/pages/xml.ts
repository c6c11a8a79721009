/** The characters that XML 1.0 can't contain, even escaped. */
const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Removes the characters that XML can't contain. */
export const withoutInvalidXml = (text: string) => text.replaceAll(INVALID, '')

/** Writes text as a CDATA section, which ends at the first `]]>`: one in the text is divided between two sections. */
const cdata = (text: string) => `<![CDATA[${withoutInvalidXml(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** Writes elements with the given texts, and leaves out those without text. */
export const textElements = (texts: Readonly<Record<string, string | undefined>>) =>
  Object.entries(texts)
    .map(([name, text = '']) => (text === '' ? '' : `<${name}>${cdata(text)}</${name}>\n`))
    .join('')
