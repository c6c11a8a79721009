const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Returns the index of the first token that makes a text invalid JSON, or the text's length if it ends too early. The
 * scanner is recursive, so the caller must have checked the depth.
 */
export const syntaxErrorPosition = (text: string) => new JsonScanner(text).errorPosition()

/** Returns the index after the closing quote of the string that begins at `start`, or after the text if it has none. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) break
    at += code === BACKSLASH ? 2 : 1
  }
  return at + 1
}

/** Follows the grammar of JSON. Each method returns whether the text has this part here, and skips it if so. */
class JsonScanner {
  private at = 0

  constructor(private readonly text: string) {}

  /** Returns the index of the first token that is not allowed in its place, or the text's length. */
  errorPosition(): number {
    if (this.value()) this.skip(SPACE)
    return this.at
  }

  private value(): boolean {
    if (this.token('{')) return this.items('}', () => this.name() && this.token(':') && this.value())
    if (this.token('[')) return this.items(']', () => this.value())
    return this.scalar()
  }

  private items(close: string, item: () => boolean): boolean {
    if (this.token(close)) return true
    do if (!item()) return false
    while (this.token(','))
    return this.token(close)
  }

  private name(): boolean {
    this.skip(SPACE)
    return this.text[this.at] === '"' && this.scalar()
  }

  private scalar(): boolean {
    this.skip(SPACE)
    const start = this.at
    if (this.text[start] === '"') this.at = stringEnd(this.text, start)
    else this.skip(WORD)
    if (isJson(this.text.slice(start, this.at))) return true
    this.at = start
    return false
  }

  private token(char: string): boolean {
    this.skip(SPACE)
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  private skip(run: RegExp): void {
    run.lastIndex = this.at
    run.test(this.text)
    this.at = run.lastIndex
  }
}

const SPACE = /[ \t\n\r]*/y
const WORD = /[^\s",:[\]{}]*/y

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
