import mime from 'mime'
import { EncodedBody } from './encodedBody.ts'
import { IMMUTABLE } from './headers.ts'
import { type HiddenReply, Reply } from './reply.ts'

/** The contents of the style sheet, the script and the icon, or their paths. */
interface AssetTexts {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** The name by which the style sheet refers to its font. */
const FONT_NAME = 'inter.woff2'

/** Serves the style sheet, font, script and icon of pages. Each has a name that changes with its content. */
export class Assets {
  private readonly byName = new Map<string, EncodedBody>()
  /** The paths of the files, for templates. */
  readonly paths: AssetTexts & { readonly font: string }

  /**
   * @param folder the path of the files' folder, with a slash at the end
   * @param accent the CSS colour of links, buttons and the icon
   * @param font the bytes of a WOFF2 file
   */
  constructor(
    private readonly folder: string,
    accent: string,
    { style, script, icon }: AssetTexts,
    font: Uint8Array,
  ) {
    const fontPath = this.add('font', '.woff2', font)
    const linked = style.replace(FONT_NAME, fontPath.slice(folder.length))
    this.paths = {
      font: fontPath,
      style: this.add('style', '.css', `:root{--accent:${accent}}\n${linked}`),
      script: this.add('script', '.js', script),
      icon: this.add('icon', '.svg', icon.replaceAll('currentColor', accent)),
    }
  }

  /** Returns the file of this name, or undefined if there is none. */
  reply(name: string): HiddenReply | undefined {
    const file = this.byName.get(name)
    return file && new Reply<never, 200>(file, 200, { 'cache-control': IMMUTABLE })
  }

  /** Adds a style sheet or a script, and returns its path. */
  addText(stem: string, ending: string, text: string): string {
    return this.add(stem, ending, text)
  }

  private add(stem: string, ending: string, content: string | Uint8Array): string {
    const hash = Bun.hash.wyhash(content).toString(36)
    const name = `${stem}-${hash}${ending}`
    const type = contentTypeOf(name)
    const file =
      typeof content === 'string' ? EncodedBody.text(content, type) : EncodedBody.file(content, type, hash)
    file.isCached = true
    this.byName.set(name, file)
    return this.folder + name
  }
}

/** The content type of a file, by the ending of its path. Text is assumed to be UTF-8. */
export function contentTypeOf(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
