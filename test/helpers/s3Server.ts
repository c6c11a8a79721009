import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refusalOf } from './s3Signature.ts'

/** The most keys in one response of a list, small so that tests meet several. */
const LIST_PAGE = 3
const STATUSES: Readonly<Record<string, number>> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  InvalidPart: 400,
  EntityTooSmall: 400,
  QuotaExceeded: 403,
  InternalError: 500,
  SlowDown: 503,
}
const MIN_PART = 5 * 2 ** 20

/** An S3 server with one bucket in a folder, which verifies credentials and signatures, and has faults on request. */
export class S3Server {
  readonly server: Bun.Server<undefined>
  /** Each request so far, as `PUT key`. */
  readonly requests: string[] = []
  readonly keys: Record<string, string> = { AKTEST: 'test-secret' }
  bucket: string | undefined = 'backups'
  /** Returns an error code for a request that fails, or a response of its own. */
  fault: (request: Request, number: number) => string | Response | undefined = () => undefined
  private uploads = 0
  private readonly uploadKeys = new Map<string, string>()

  constructor(private readonly folder: string) {
    mkdirSync(join(folder, 'objects'), { recursive: true })
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      maxRequestBodySize: 2 ** 30,
      fetch: request => this.reply(request),
    })
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.server.port}`
  }

  /** The keys of all objects, in order. */
  get objects(): string[] {
    return readdirSync(join(this.folder, 'objects')).map(decodeURIComponent).sort()
  }

  /** The number of uploads that were neither completed nor aborted. */
  get openUploads(): number {
    return readdirSync(this.folder).filter(name => name.startsWith('upload-')).length
  }

  pathOf(key: string): string {
    return join(this.folder, 'objects', encodeURIComponent(key))
  }

  async stop(): Promise<void> {
    await this.server.stop(true)
  }

  private async reply(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    this.requests.push(`${request.method} ${key}${searchParams.has('uploadId') ? ' part' : ''}`)
    const fault = this.fault(request, this.requests.length)
    const body = await request.bytes()
    if (fault instanceof Response) return fault
    const refusal = fault ?? refusalOf(request, body, this.keys)
    if (refusal !== undefined) return errorResponse(refusal)
    if (bucket !== this.bucket) return errorResponse('NoSuchBucket')
    if (key === '') return searchParams.has('uploads') ? this.listUploads() : this.list(searchParams)
    if (searchParams.has('uploads') || searchParams.has('uploadId'))
      return await this.replyToUpload(request.method, key, searchParams, body)
    return await this.replyToObject(request, key, body)
  }

  private async replyToObject(request: Request, key: string, body: Uint8Array): Promise<Response> {
    const path = this.pathOf(key)
    if (request.method === 'PUT') {
      await Bun.write(path, body)
      return new Response(null, { headers: { etag: etagOf(body) } })
    }
    if (request.method === 'DELETE') {
      await rm(path, { force: true })
      return new Response(null, { status: 204 })
    }
    if (!existsSync(path)) return errorResponse('NoSuchKey')
    const file = Bun.file(path)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
    if (request.method === 'HEAD')
      return new Response(null, { headers: { 'content-length': String(file.size) } })
    if (from === undefined) return new Response(file)
    if (Number(from) >= file.size) return new Response(null, { status: 416 })
    const part = await file.slice(Number(from), Number(to) + 1).bytes()
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.size}`
    return new Response(part, { status: 206, headers: { 'content-range': range } })
  }

  private async replyToUpload(method: string, key: string, query: URLSearchParams, body: Uint8Array) {
    if (query.has('uploads')) {
      const id = `${++this.uploads}`
      mkdirSync(join(this.folder, `upload-${id}`))
      this.uploadKeys.set(id, key)
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const upload = join(this.folder, `upload-${query.get('uploadId')}`)
    if (!existsSync(upload)) return errorResponse('NoSuchUpload')
    if (method === 'PUT') {
      await Bun.write(join(upload, query.get('partNumber') ?? ''), body)
      return new Response(null, { headers: { etag: etagOf(body) } })
    }
    if (method === 'POST') {
      const text = new TextDecoder().decode(body)
      const failed = await this.complete(key, upload, text)
      if (failed !== undefined) return errorResponse(failed)
    }
    await rm(upload, { recursive: true })
    return method === 'DELETE'
      ? new Response(null, { status: 204 })
      : xml(`<CompleteMultipartUploadResult><Key>${escapeXml(key)}</Key></CompleteMultipartUploadResult>`)
  }

  /** Joins the parts of an upload. Returns the error code if one is missing, too small or not the one that was sent. */
  private async complete(key: string, upload: string, text: string): Promise<string | undefined> {
    const parts = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>([^<]+)<\/ETag>/g)]
    if (parts.length === 0) return 'InvalidPart'
    const writer = Bun.file(this.pathOf(`${key}~`)).writer()
    for (const [at, [, number = '', etag = '']] of parts.entries()) {
      const path = join(upload, number)
      if (!existsSync(path)) return 'InvalidPart'
      const part = await Bun.file(path).bytes()
      if (etag.replaceAll('&quot;', '"') !== etagOf(part)) return 'InvalidPart'
      if (at < parts.length - 1 && part.length < MIN_PART) return 'EntityTooSmall'
      await writer.write(part)
      await writer.flush()
    }
    await writer.end()
    await Bun.write(this.pathOf(key), Bun.file(this.pathOf(`${key}~`)))
    await rm(this.pathOf(`${key}~`))
    return undefined
  }

  private listUploads(): Response {
    const ids = [...this.uploadKeys.keys()].filter(id => existsSync(join(this.folder, `upload-${id}`)))
    const uploads = ids.map(id => {
      const initiated = statSync(join(this.folder, `upload-${id}`)).mtime.toISOString()
      return `<Upload><Key>${escapeXml(this.uploadKeys.get(id) ?? '')}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`
    })
    return xml(`<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`)
  }

  private list(query: URLSearchParams): Response {
    const after = query.get('continuation-token') ?? ''
    const found = this.objects.filter(key => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = found.slice(0, LIST_PAGE)
    const next =
      found.length > page.length
        ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>`
        : ''
    const contents = page.map(key => {
      const { size, mtime } = statSync(this.pathOf(key))
      return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${mtime.toISOString()}</LastModified><Size>${size}</Size></Contents>`
    })
    return xml(
      `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
  }
}

const etagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const xml = (text: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

const errorResponse = (code: string) =>
  xml(`<Error><Code>${code}</Code><Message>Refused by the test.</Message></Error>`, STATUSES[code] ?? 403)
