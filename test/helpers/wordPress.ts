/** A term of a taxonomy, such as a category. */
interface Term {
  readonly id: number
  readonly name: string
}

/** A job as WordPress stores it. Texts of posts are filtered HTML. */
interface Post {
  readonly title?: string
  readonly content?: string
  readonly date?: string
  readonly status?: string
  readonly categories?: readonly number[]
  readonly types?: readonly number[]
  readonly media?: number
  readonly meta?: Readonly<Record<string, string | number>>
}

const META = {
  _job_location: 'Lisbon, Portugal',
  _application: 'https://harbour.example/apply',
  _company_name: 'Harbour Hospice',
  _company_website: 'https://harbour.example',
  _company_tagline: '',
  _company_twitter: '',
  _company_video: '',
  _filled: 0,
  _featured: 0,
  _remote_position: 0,
  _job_salary: '',
  _job_salary_currency: '',
  _job_salary_unit: '',
}

const MAX_PER_PAGE = 100

/** A WordPress site with WP Job Manager, whose REST interface answers visitors as theirs do. */
export class FakeWordPress {
  /** The posts by their ids. */
  readonly posts = new Map<number, Post>()
  readonly categories: Term[] = [
    { id: 3, name: 'Care &amp; Cure' },
    { id: 4, name: 'Boats' },
  ]
  readonly types: Term[] = [{ id: 7, name: 'Full Time' }]
  readonly media = new Map<number, Uint8Array>()
  /** The path of the site. */
  folder = ''
  /** Whether paths of the interface are `/wp-json/…`, and not `/?rest_route=/…`. */
  hasPermalinks = true
  hasPlugin = true
  /** Whether jobs contain their categories and logos, if they are asked to. */
  embeds = true
  /** Whether lists have the headers that say how many jobs there are. */
  hasTotals = true
  /** Whether pages link to the interface. */
  links = true
  /** Answers a request before the site does. */
  before: (url: URL) => Response | undefined = () => undefined
  /** The paths and queries that were requested. */
  readonly requests: string[] = []
  private readonly server: Bun.Server<undefined>

  constructor() {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: request => this.answer(new URL(request.url)),
    })
  }

  get origin(): string {
    return this.server.url.origin
  }

  get home(): string {
    return this.origin + this.folder
  }

  get host(): string {
    return this.server.url.host
  }

  async close(): Promise<void> {
    await this.server.stop(true)
  }

  private get api(): string {
    return this.hasPermalinks ? `${this.home}/wp-json/` : `${this.home}/?rest_route=/`
  }

  private answer(url: URL): Response {
    this.requests.push(url.pathname + url.search)
    const early = this.before(url)
    if (early) return early
    const file = /^\/logos\/(\d+)\.png$/.exec(url.pathname.slice(this.folder.length))?.[1]
    const picture = this.media.get(Number(file))
    if (picture) return new Response(new Uint8Array(picture))
    const route = this.hasPermalinks
      ? /\/wp-json(\/.*)$/.exec(url.pathname)?.[1]
      : (url.searchParams.get('rest_route') ?? undefined)
    if (route !== undefined && url.pathname.startsWith(this.folder))
      return this.interface(route, url.searchParams)
    return url.pathname === `${this.folder}/` || url.pathname === (this.folder || '/')
      ? new Response('<!doctype html><title>Jobs</title>', {
          headers: {
            'content-type': 'text/html; charset=UTF-8',
            ...(this.links && { link: `<${this.api}>; rel="https://api.w.org/"` }),
          },
        })
      : new Response('<!doctype html><title>Not found</title>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        })
  }

  private interface(route: string, query: URLSearchParams): Response {
    if (route === '/')
      return Response.json({ name: 'Quay &amp; Sons', home: this.home, gmt_offset: 1, namespaces: ['wp/v2'] })
    const [, kind = '', id] = /^\/wp\/v2\/([a-z-]+)(?:\/(\d+))?$/.exec(route) ?? []
    if (kind === 'job-listings' && id === undefined && this.hasPlugin) return this.list(query)
    const found =
      kind === 'job-categories'
        ? this.categories.find(term => term.id === Number(id))
        : kind === 'job-types'
          ? this.types.find(term => term.id === Number(id))
          : kind === 'media'
            ? this.presentMedia(Number(id))
            : undefined
    return found ? Response.json(found) : failure('rest_no_route', 'No route was found.', 404)
  }

  private list(query: URLSearchParams): Response {
    const perPage = Number(query.get('per_page') ?? 10)
    const page = Number(query.get('page') ?? 1)
    if (perPage > MAX_PER_PAGE) return failure('rest_invalid_param', 'Invalid parameter(s): per_page', 400)
    const published = [...this.posts].filter(([, { status = 'publish' }]) => status === 'publish')
    const pages = Math.ceil(published.length / perPage)
    if (page > pages && page > 1)
      return failure('rest_post_invalid_page_number', 'The page number requested is larger.', 400)
    const isAscending = query.get('order') === 'asc'
    const sorted = published.toSorted(([a], [b]) => (isAscending ? a - b : b - a))
    const shown = sorted.slice((page - 1) * perPage, page * perPage)
    const isEmbedded = this.embeds && query.has('_embed')
    return Response.json(
      shown.map(([id, post]) => this.present(id, post, isEmbedded)),
      {
        headers: this.hasTotals
          ? { 'X-WP-Total': String(published.length), 'X-WP-TotalPages': String(pages) }
          : {},
      },
    )
  }

  private present(id: number, post: Post, isEmbedded: boolean) {
    const { title = `Job ${id}`, content = '<p>Words &#8211; <strong>bold</strong>.</p>' } = post
    const { date = '2026-01-02T03:04:05', categories = [3], types = [7], media = 0, meta = {} } = post
    const termsOf = (terms: readonly Term[], ids: readonly number[], taxonomy: string) =>
      terms.filter(term => ids.includes(term.id)).map(term => ({ ...term, taxonomy }))
    return {
      id,
      date,
      date_gmt: date,
      modified_gmt: '2026-01-05T06:07:08',
      status: 'publish',
      type: 'job_listing',
      link: `${this.home}/job/${id}/`,
      title: { rendered: title },
      content: { rendered: content, protected: false },
      author: 1,
      featured_media: media,
      meta: { ...META, ...meta },
      'job-categories': categories,
      'job-types': types,
      ...(isEmbedded && {
        _embedded: {
          ...(media > 0 && { 'wp:featuredmedia': [this.presentMedia(media)] }),
          'wp:term': [
            termsOf(this.categories, categories, 'job_listing_category'),
            termsOf(this.types, types, 'job_listing_type'),
          ],
        },
      }),
    }
  }

  private presentMedia(id: number) {
    return this.media.has(id) ? { id, source_url: `${this.home}/logos/${id}.png` } : undefined
  }
}

const failure = (code: string, message: string, status: number) =>
  Response.json({ code, message, data: { status } }, { status })
