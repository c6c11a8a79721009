import { PASSWORD, type TestBoard } from './board.ts'
import { textsOf, valuesOf } from './html.ts'
import { HTML } from './website.ts'

/** A page as a visitor got it. */
export class Page {
  constructor(
    readonly response: Response,
    readonly html: string,
  ) {}

  get status(): number {
    return this.response.status
  }

  /** The path that the response redirects to. */
  get location(): string {
    return this.response.headers.get('location') ?? ''
  }

  get heading(): string {
    return this.texts('h1')[0] ?? ''
  }

  /** The entries of the summary of errors. */
  get errors(): string[] {
    return this.texts('#summary li a')
  }

  texts = (selector: string) => textsOf(this.html, selector).map(text => decoded(text).trim())
  values = (selector: string, attribute = 'value') => valuesOf(this.html, selector, attribute)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const decoded = (text: string) => text.replaceAll(/&[#\w]+;/g, entity => ENTITIES[entity] ?? entity)

type FormFields = Readonly<Record<string, string | Blob>>

/** A browser without JavaScript, which keeps the cookie of a session and sends forms. */
export class Visitor {
  cookie = ''
  private page: Page | undefined

  constructor(
    private readonly board: TestBoard,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async get(path: string): Promise<Page> {
    return await this.receive(this.board.get(path, { headers: this.allHeaders }))
  }

  /** Sends a form of the page that was read last, with its hidden fields. */
  async submit(path: string, fields: FormFields = {}): Promise<Page> {
    return await this.post(path, { ...this.hiddenFields(), ...fields })
  }

  /** Sends fields that are in no form. */
  async post(path: string, fields: FormFields = {}): Promise<Page> {
    const hasFile = Object.values(fields).some(value => value instanceof Blob)
    const body = hasFile ? new FormData() : new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) body.append(name, value as string)
    return await this.receive(this.board.post(path, { headers: this.allHeaders, body }))
  }

  async signIn(email: string, password = PASSWORD): Promise<Page> {
    await this.get('/sign-in')
    return await this.submit('/sign-in', { email, password })
  }

  /** The hidden fields of the last page's main form, or else of its menu. */
  hiddenFields(): Record<string, string> {
    const main = (attribute: string) => this.page?.values('main input[type=hidden]', attribute) ?? []
    const menu = (attribute: string) => this.page?.values('header input[type=hidden]', attribute) ?? []
    const [names, values] = [
      [...menu('name'), ...main('name')],
      [...menu('value'), ...main('value')],
    ]
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
  }

  private get allHeaders() {
    return { ...HTML, ...this.headers, ...(this.cookie !== '' && { cookie: this.cookie }) }
  }

  private async receive(sent: Promise<Response>): Promise<Page> {
    const response = await sent
    const cookie = response.headers.get('set-cookie')
    if (cookie !== null) this.cookie = cookie.includes('Max-Age=0') ? '' : (cookie.split(';')[0] ?? '')
    return (this.page = new Page(response, await response.text()))
  }
}
