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
import type { RequestContext } from '../../http/request/context.ts'
import { Assets } from '../../http/response/assets.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { Reply } from '../../http/response/reply.ts'
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

/** The page to read the interface and try it in, made of its description; it can be read without its script. */
export class DocsPage {
  readonly files: Assets
  private page: Promise<EncodedBody> | undefined
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
    private readonly document: () => EncodedBody<Uint8Array>,
  ) {
    this.files = new Assets('docs/', accent, { style: board + style, script, icon })
  }

  async read(context: RequestContext): Promise<Reply<string, 200>> {
    if (!this.page) context.isLate = true
    return new Reply(await (this.page ??= this.render()), undefined, HEADERS)
  }

  private async render(): Promise<EncodedBody> {
    // the document is ours
    const contract = JSON.parse(decodeUtf8(this.document().body, 'document')) as Contract
    const view = presentContract(contract)
    const parts = new Map<string, string>()
    for (const shown of view.sections.flatMap(({ operations }) => operations))
      parts.set(shown.id, await this.part('operation', { operation: shown }))
    for (const shown of view.schemas) parts.set(shown.id, await this.part('schema', { schema: shown }))
    const all = { ...view, parts: Object.fromEntries(parts), files: this.files.paths }
    const rendered = EncodedBody.text(String(this.engine.renderFileSync('page', all)), HTML)
    rendered.isCached = true
    return rendered
  }

  /** Renders a part of the page after other requests had their turn: all of it takes a tenth of a second. */
  private async part(template: string, view: object): Promise<string> {
    await setImmediate()
    return String(this.engine.renderFileSync(template, view))
  }
}
