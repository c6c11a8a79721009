import { setImmediate } from 'node:timers/promises'
import { Liquid } from 'liquidjs'
import field from '../../assets/docs/field.liquid' with { type: 'text' }
import operation from '../../assets/docs/operation.liquid' with { type: 'text' }
import page from '../../assets/docs/page.liquid' with { type: 'text' }
import schema from '../../assets/docs/schema.liquid' with { type: 'text' }
import script from '../../assets/docs/script.js' with { type: 'text' }
import shape from '../../assets/docs/shape.liquid' with { type: 'text' }
import told from '../../assets/docs/told.liquid' with { type: 'text' }
import trial from '../../assets/docs/try.liquid' with { type: 'text' }
import type from '../../assets/docs/type.liquid' with { type: 'text' }
import icon from '../../assets/pages/icon.svg' with { type: 'text' }
import { decodeUtf8 } from '../../base/text.ts'
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
  private readonly paths: { readonly style: string; readonly script: string; readonly icon: string }
  private page: Promise<Rendered> | undefined
  private readonly engine = new Liquid({
    templates: { page, operation, schema, shape, told, type, field, try: trial },
    outputEscape: 'escape',
    strictFilters: true,
    strictVariables: true,
  })

  /**
   * @param accent the colour of links and buttons, as CSS knows it
   * @param document gives the description, once somebody asks
   */
  constructor(
    accent: string,
    private readonly document: () => Rendered<Uint8Array>,
  ) {
    const dress = `:root{--accent:${accent}}\n${board}${style}`
    this.paths = {
      style: this.add('style', '.css', dress, 'text/css; charset=utf-8'),
      script: this.add('script', '.js', script, 'text/javascript; charset=utf-8'),
      icon: this.add('icon', '.svg', icon.replaceAll('currentColor', accent), 'image/svg+xml'),
    }
  }

  async read(): Promise<Reply<string, 200>> {
    return new Reply(await (this.page ??= this.render()), undefined, HEADERS)
  }

  /** One of the page's own files; undefined if there is none of that name. */
  file(name: string): Reply | undefined {
    const file = this.files.get(name)
    return file && new Reply(file, undefined, FOR_EVER)
  }

  private async render(): Promise<Rendered> {
    // the document is ours
    const contract = JSON.parse(decodeUtf8(this.document().body, 'document')) as Contract
    const view = presentContract(contract)
    const parts = new Map<string, string>()
    for (const shown of view.sections.flatMap(({ operations }) => operations))
      parts.set(shown.id, await this.part('operation', { operation: shown }))
    for (const shown of view.schemas) parts.set(shown.id, await this.part('schema', { schema: shown }))
    const all = { ...view, parts: Object.fromEntries(parts), files: this.paths }
    return Rendered.text(String(this.engine.renderFileSync('page', all)), HTML)
  }

  /** Renders a part of the page after other requests had their turn: all of it takes a tenth of a second. */
  private async part(template: string, view: object): Promise<string> {
    await setImmediate()
    return String(this.engine.renderFileSync(template, view))
  }

  private add(stem: string, ending: string, text: string, contentType: string): string {
    const name = `${stem}-${Bun.hash.wyhash(text).toString(36)}${ending}`
    this.files.set(name, Rendered.text(text, contentType))
    return name
  }
}
