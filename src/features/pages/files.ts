import icon from '../../assets/pages/icon.svg' with { type: 'text' }
import script from '../../assets/pages/script.js' with { type: 'text' }
import { Rendered } from '../../http/rendered.ts'
import type { OwnFiles } from './templates.ts'
import style from '../../assets/pages/style.css' with { type: 'text' }

const FOLDER = '/pages/'

/** What the pages are dressed in: each under a name that changes with its content. */
export class Files {
  private readonly byName = new Map<string, Rendered>()
  /** The paths of the files, as templates know them. */
  readonly paths: { readonly style: string; readonly script: string; readonly icon: string }

  /** @param accent the colour of links and buttons, as CSS knows it */
  constructor(own: OwnFiles, accent: string) {
    const colours = `:root{--accent:${accent}}\n`
    this.paths = {
      style: this.add('style', '.css', colours + (own.get('style.css') ?? style), 'text/css; charset=utf-8'),
      script: this.add('script', '.js', script, 'text/javascript; charset=utf-8'),
      icon: this.add('icon', '.svg', icon.replaceAll('currentColor', accent), 'image/svg+xml'),
    }
  }

  get(name: string): Rendered | undefined {
    return this.byName.get(name)
  }

  private add(stem: string, ending: string, text: string, type: string): string {
    const name = `${stem}-${Bun.hash.wyhash(text).toString(36)}${ending}`
    this.byName.set(name, Rendered.text(text, type))
    return FOLDER + name
  }
}
