import { EncodedBody } from './encodedBody.ts'
import { Reply } from './reply.ts'
import { FOR_EVER } from './send.ts'

/** CSS, JavaScript and SVG, or where they are. */
interface AssetTexts {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** What pages are dressed in, in the colour of the board: each file under a name that changes with its content. */
export class Assets {
  private readonly byName = new Map<string, EncodedBody>()
  /** The paths of the files, as templates know them. */
  readonly paths: AssetTexts

  /**
   * @param folder the path of them all, with a slash at its end
   * @param accent the colour of links and buttons, as CSS knows it, and of the icon
   */
  constructor(
    private readonly folder: string,
    accent: string,
    { style, script, icon }: AssetTexts,
  ) {
    this.paths = {
      style: this.add('style', '.css', `:root{--accent:${accent}}\n${style}`, 'text/css; charset=utf-8'),
      script: this.add('script', '.js', script, 'text/javascript; charset=utf-8'),
      icon: this.add('icon', '.svg', icon.replaceAll('currentColor', accent), 'image/svg+xml'),
    }
  }

  /** Undefined if there is none of that name. */
  answer(name: string): Reply | undefined {
    const file = this.byName.get(name)
    return file && new Reply(file, undefined, { 'cache-control': FOR_EVER })
  }

  private add(stem: string, ending: string, text: string, type: string): string {
    const name = `${stem}-${Bun.hash.wyhash(text).toString(36)}${ending}`
    const file = EncodedBody.text(text, type)
    file.isCached = true
    this.byName.set(name, file)
    return this.folder + name
  }
}
