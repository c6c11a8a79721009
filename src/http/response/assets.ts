import mime from 'mime'
import { EncodedBody } from './encodedBody.ts'
import { IMMUTABLE } from './encoder.ts'
import { type HiddenReply, Reply } from './reply.ts'

/** The contents of the style sheet, the script and the icon, or their paths. */
interface AssetTexts {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** Serves the style sheet, script and icon of pages. Each has a name that changes with its content. */
export class Assets {
  private readonly byName = new Map<string, EncodedBody>()
  /** The paths of the files, for templates. */
  readonly paths: AssetTexts

  /**
   * @param folder the path of the files' folder, with a slash at the end
   * @param accent the CSS colour of links, buttons and the icon
   */
  constructor(
    private readonly folder: string,
    accent: string,
    { style, script, icon }: AssetTexts,
  ) {
    this.paths = {
      style: this.add('style', '.css', `:root{--accent:${accent}}\n${style}`),
      script: this.add('script', '.js', script),
      icon: this.add('icon', '.svg', icon.replaceAll('currentColor', accent)),
    }
  }

  /** Returns the file of this name, or undefined if there is none. */
  reply(name: string): HiddenReply | undefined {
    const file = this.byName.get(name)
    return file && new Reply<never, 200>(file, 200, { 'cache-control': IMMUTABLE })
  }

  private add(stem: string, ending: string, text: string): string {
    const name = `${stem}-${Bun.hash.wyhash(text).toString(36)}${ending}`
    const file = EncodedBody.text(text, contentTypeOf(name))
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
