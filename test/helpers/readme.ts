/** A command in the README and the output shown for it. */
export interface ShownCommand {
  readonly command: string
  readonly output: string
}

const BLOCK = /^```\n(\$ [^]*?)^```$/gm

/** Returns the commands of a Markdown text in order: lines starting with `$ ` in blocks that start so. */
export const commandsOf = (markdown: string): ShownCommand[] =>
  [...markdown.matchAll(BLOCK)].flatMap(([, block = '']) => block.split(/^\$ /m).slice(1).map(split))

/** Splits a command, with its continuation lines, from its output. */
function split(text: string): ShownCommand {
  const lines = text.trimEnd().split('\n')
  const document = /<<'(\w+)'$/.exec(lines[0] ?? '')?.[1]
  const last =
    document === undefined ? lines.findIndex(line => !line.endsWith('\\')) : lines.indexOf(document)
  return { command: lines.slice(0, last + 1).join('\n'), output: lines.slice(last + 1).join('\n') }
}

/** Patterns of output that varies: timestamps, days, versions of images and names of logos. */
const VARIABLE = [
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/,
  /\d{4}-\d\d-\d\d/,
  /\?v=[0-9a-z]+/,
  /\/logos\/[0-9a-f-]+\.webp/,
]
const VARYING = new RegExp(VARIABLE.map(({ source }) => `(${source})`).join('|'))

/** Returns a pattern for output as shown: `…` matches anything, and lines may be wrapped. */
export const showsOutput = (shown: string): RegExp =>
  new RegExp(`^${shown.split('…').map(patternOf).join('[^]*')}$`)

function patternOf(text: string): string {
  const found = VARYING.exec(text)
  if (!found) return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/\s+/g, '\\s*')
  const [varying] = found
  const form = VARIABLE.find(pattern => new RegExp(`^${pattern.source}$`).test(varying))
  const before = text.slice(0, found.index)
  const after = text.slice(found.index + varying.length)
  return `${patternOf(before)}${form?.source}${patternOf(after)}`
}
