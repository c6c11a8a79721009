import { Liquid } from 'liquidjs'
import field from '../../assets/docs/field.liquid' with { type: 'text' }
import operation from '../../assets/docs/operation.liquid' with { type: 'text' }
import page from '../../assets/docs/page.liquid' with { type: 'text' }
import script from '../../assets/docs/script.js' with { type: 'text' }
import shape from '../../assets/docs/shape.liquid' with { type: 'text' }
import told from '../../assets/docs/told.liquid' with { type: 'text' }
import trial from '../../assets/docs/try.liquid' with { type: 'text' }
import type from '../../assets/docs/type.liquid' with { type: 'text' }
import icon from '../../assets/pages/icon.svg' with { type: 'text' }
import { Rendered } from '../../http/rendered.ts'
import { Reply } from '../../http/reply.ts'
import type { Contract } from './contract.ts'
import { presentContract } from './view.ts'
import style from '../../assets/docs/style.css' with { type: 'text' }
import board from '../../assets/pages/style.css' with { type: 'text' }

const HTML = 'text/html; charset=utf-8'

/** What is tried goes to where the page came from, and an image that comes of it is shown as data. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
}

/** A file's name changes with its content, so that a copy never goes stale. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The page to read the interface and try it in, made of its description; it can be read without its script. */
export class DocsPage {
  private readonly files = new Map<string, Rendered>()
  private page: Rendered | undefined

  /**
   * @param accent the colour of links and buttons, as CSS knows it
   * @param describe gives the description, once somebody asks
   */
  constructor(
    private readonly accent: string,
    private readonly describe: () => Contract,
  ) {}

  read(): Reply {
    return new Reply((this.page ??= this.render()), undefined, HEADERS)
  }

  /** One of the page's own files; undefined if there is none of that name. */
  file(name: string): Reply | undefined {
    this.page ??= this.render()
    const file = this.files.get(name)
    return file && new Reply(file, undefined, FOR_EVER)
  }

  private render(): Rendered {
    const dress = `:root{--accent:${this.accent}}\n${board}${style}`
    const files = {
      style: this.add('style', '.css', dress, 'text/css; charset=utf-8'),
      script: this.add('script', '.js', script, 'text/javascript; charset=utf-8'),
      icon: this.add('icon', '.svg', icon.replaceAll('currentColor', this.accent), 'image/svg+xml'),
    }
    const engine = new Liquid({
      templates: { page, operation, shape, told, type, field, try: trial },
      outputEscape: 'escape',
      strictFilters: true,
      strictVariables: true,
    })
    return Rendered.text(
      String(engine.renderFileSync('page', { ...presentContract(this.describe()), files })),
      HTML,
    )
  }

  private add(stem: string, ending: string, text: string, contentType: string): string {
    const name = `${stem}-${Bun.hash.wyhash(text).toString(36)}${ending}`
    this.files.set(name, Rendered.text(text, contentType))
    return name
  }
}
