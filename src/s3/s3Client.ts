import { S3Error } from './s3Error.ts'
import { type S3Bucket, S3Requests } from './s3Requests.ts'
import { elementsIn, textIn } from './xml.ts'

/** An object in a bucket. */
export interface S3Object {
  readonly name: string
  /** In bytes. */
  readonly size: number
}

/** In bytes, the parts in which objects are read. */
const READ_SIZE = 4 * 2 ** 20
const NOT_FOUND = new Set(['NoSuchKey', 'NotFound'])

/** The objects of a bucket. Errors are S3Errors. */
export class S3Client {
  private readonly requests: S3Requests

  constructor(bucket: S3Bucket) {
    this.requests = new S3Requests(bucket)
  }

  /**
   * Stores an object, which appears once it is complete.
   * @param parts at least one; all but the last have the same size, of 5 MiB or more. One is in memory at a time
   */
  async upload(name: string, parts: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    const iterator = parts[Symbol.asyncIterator]()
    const first = await iterator.next()
    const second = first.done === true ? first : await iterator.next()
    if (second.done === true) {
      const body = first.done === true ? new Uint8Array() : first.value
      await this.requests.send({ method: 'PUT', name, body, signal })
      return
    }
    const started = await this.requests
      .send({ method: 'POST', name, query: { uploads: '' }, signal })
      .catch(async (error: unknown) => {
        await iterator.return?.()
        throw error
      })
    const uploadId = textIn(new TextDecoder().decode(started.body), 'UploadId') ?? ''
    try {
      const tags: string[] = []
      for (let part = first; part.done !== true; part = tags.length === 1 ? second : await iterator.next())
        tags.push(await this.uploadPart(name, uploadId, tags.length + 1, part.value, signal))
      await this.complete(name, uploadId, tags, signal)
    } catch (error) {
      // Otherwise the parts would stay, unseen, and be paid for.
      await this.requests.send({ method: 'DELETE', name, query: { uploadId } }).catch(() => undefined)
      throw error
    } finally {
      await iterator.return?.()
    }
  }

  /** Reads an object of a known size, in parts, so that a broken connection costs only one of them. */
  async *read({ name, size }: S3Object, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < size; from += READ_SIZE) {
      const to = Math.min(from + READ_SIZE, size)
      const headers = { range: `bytes=${from}-${to - 1}` }
      const { body } = await this.requests.send({ method: 'GET', name, headers, signal })
      if (body.length !== to - from)
        throw new S3Error(`The S3 server sent ${body.length} bytes of ${name} instead of ${to - from}.`, '')
      yield body
    }
  }

  /** Returns an object's description; undefined if there is none of this name. */
  async find(name: string): Promise<S3Object | undefined> {
    try {
      const { headers } = await this.requests.send({ method: 'HEAD', name })
      return { name, size: Number(headers.get('content-length')) }
    } catch (error) {
      if (error instanceof S3Error && NOT_FOUND.has(error.serverCode)) return undefined
      throw error
    }
  }

  /** Lists the objects whose names begin so. */
  async list(prefix: string): Promise<S3Object[]> {
    const objects: S3Object[] = []
    let token: string | undefined
    do {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
      const { body } = await this.requests.send({ method: 'GET', name: '', query })
      const xml = new TextDecoder().decode(body)
      // A login page or another service would otherwise look like an empty bucket.
      if (!xml.includes('<ListBucketResult'))
        throw new S3Error(
          'The server of --s3-endpoint is not an S3 server, or something between changes its responses.',
          '',
        )
      for (const entry of elementsIn(xml, 'Contents'))
        objects.push({ name: textIn(entry, 'Key') ?? '', size: Number(textIn(entry, 'Size')) })
      token = textIn(xml, 'NextContinuationToken')
    } while (token !== undefined)
    return objects
  }

  /**
   * Ends uploads that a killed process has left behind, whose parts nobody sees and everybody pays for.
   * @param isOwn whether an object of this name is one of ours: others may use the bucket too
   * @param before the time before which they began, in milliseconds since 1970
   */
  async abortUploads(prefix: string, isOwn: (name: string) => boolean, before: number): Promise<void> {
    const { body } = await this.requests.send({ method: 'GET', name: '', query: { uploads: '', prefix } })
    for (const entry of elementsIn(new TextDecoder().decode(body), 'Upload')) {
      const name = textIn(entry, 'Key') ?? ''
      const uploadId = textIn(entry, 'UploadId')
      const begun = Date.parse(textIn(entry, 'Initiated') ?? '')
      if (isOwn(name) && uploadId !== undefined && begun < before)
        await this.requests.send({ method: 'DELETE', name, query: { uploadId } })
    }
  }

  async remove(name: string): Promise<void> {
    await this.requests.send({ method: 'DELETE', name })
  }

  private async uploadPart(
    name: string,
    uploadId: string,
    number: number,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const query = { partNumber: String(number), uploadId }
    const { headers } = await this.requests.send({ method: 'PUT', name, query, body: bytes, signal })
    return headers.get('etag') ?? ''
  }

  private async complete(
    name: string,
    uploadId: string,
    tags: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${Bun.escapeHTML(tag)}</ETag></Part>`,
    )
    const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const body = new TextEncoder().encode(xml)
    try {
      await this.requests.send({ method: 'POST', name, query: { uploadId }, body, signal })
    } catch (error) {
      // If the response to a first attempt was lost, the upload is complete. The caller reads the object back.
      const isGone = error instanceof S3Error && error.serverCode === 'NoSuchUpload'
      if (!isGone || !(await this.find(name))) throw error
    }
  }
}
