const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Where the first token stands that keeps a text from being JSON, or the text's length. Nesting must be bounded. */
export const syntaxErrorPosition = (text: string) => new JsonScanner(text).fault()

/** Where the string that begins at `start` ends: after its closing quote, or with the text. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) break
    at += code === BACKSLASH ? 2 : 1
  }
  return at + 1
}

/** Follows a text by JSON's grammar. Each part tells whether the text has it here, and goes past it if so. */
class JsonScanner {
  private at = 0

  constructor(private readonly text: string) {}

  /** The index of the first token that can't stand where it does, or the text's length. */
  fault(): number {
    if (this.value()) this.pass(SPACE)
    return this.at
  }

  private value(): boolean {
    if (this.mark('{')) return this.list('}', () => this.name() && this.mark(':') && this.value())
    if (this.mark('[')) return this.list(']', () => this.value())
    return this.scalar()
  }

  private list(close: string, item: () => boolean): boolean {
    if (this.mark(close)) return true
    do if (!item()) return false
    while (this.mark(','))
    return this.mark(close)
  }

  private name(): boolean {
    this.pass(SPACE)
    return this.text[this.at] === '"' && this.scalar()
  }

  private scalar(): boolean {
    this.pass(SPACE)
    const start = this.at
    if (this.text[start] === '"') this.at = stringEnd(this.text, start)
    else this.pass(WORD)
    if (isJson(this.text.slice(start, this.at))) return true
    this.at = start
    return false
  }

  private mark(char: string): boolean {
    this.pass(SPACE)
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  private pass(run: RegExp): void {
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
