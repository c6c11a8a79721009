import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { MINUTE, SECOND } from '../base/clock.ts'
import { errorCode, errorMessage } from '../base/error.ts'
import { type S3Error, s3ErrorOf } from './s3Error.ts'
import { textIn } from './xml.ts'

/** The credentials of an S3 server. */
export interface S3Key {
  readonly id: string
  readonly secret: string
}

/** A bucket on a server, and how to use it. */
export interface S3Bucket {
  /** The origin of the server. */
  readonly endpoint: string
  readonly bucket: string
  readonly key: S3Key
  /** In milliseconds, the pause before a request is tried again, which doubles each time. */
  readonly pause?: number
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of the object, `''` for the bucket itself. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly signal?: AbortSignal | undefined
}

export interface S3Response {
  readonly headers: Headers
  readonly body: Uint8Array
}

const ATTEMPTS = 5
const FIRST_PAUSE = SECOND / 2
/** For a request with its body. */
const TIMEOUT = 2 * MINUTE
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500
/** Codes of 4xx that may pass. */
const TEMPORARY: ReadonlySet<string> = new Set(['RequestTimeout', 'OperationAborted'])
/** The codes of responses to HEAD, which have no body. */
const CODES: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  403: 'Forbidden',
  404: 'NoSuchKey',
}
const DEFAULT_REGION = 'us-east-1'
/** The region in the host of most servers: `s3.eu-central-1.amazonaws.com`. `s3.amazonaws.com` names none. */
const REGION_IN_HOST = /^s3[.-](?:dualstack\.)?([a-z0-9-]+)\.[a-z0-9-]+\.[a-z]/

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** Returns the region that a server's host names, or the usual one. */
export const regionIn = (host: string) => REGION_IN_HOST.exec(host)?.[1] ?? DEFAULT_REGION

/** Sends signed requests to a bucket. Tries again after errors that may pass. */
export class S3Requests {
  private region: string
  private readonly host: string

  constructor(private readonly target: S3Bucket) {
    this.host = new URL(target.endpoint).host
    this.region = regionIn(this.host)
  }

  /** Sends a request until it succeeds. @throws S3Error after several attempts, or at once if trying again is useless */
  async send(request: S3Request): Promise<S3Response> {
    const { pause = FIRST_PAUSE } = this.target
    for (let attempts = 1; ; attempts++) {
      request.signal?.throwIfAborted()
      const result = await this.attempt(request)
      if ('body' in result) return result
      if (!result.isTemporary || attempts >= ATTEMPTS) throw result.error
      // If it is stopped meanwhile, the next turn throws.
      await setTimeout(pause * 2 ** (attempts - 1), undefined, { signal: request.signal }).catch(
        () => undefined,
      )
    }
  }

  private async attempt(
    request: S3Request,
  ): Promise<S3Response | { readonly error: S3Error; readonly isTemporary: boolean }> {
    const { bucket } = this.target
    let response: Response
    let body: Uint8Array
    try {
      response = await fetch(await this.sign(request))
      body = await response.bytes()
    } catch (error) {
      request.signal?.throwIfAborted()
      const code = error instanceof DOMException ? error.name : (errorCode(error) ?? '')
      const failure = { host: this.host, bucket, code, details: errorMessage(error) }
      return { error: s3ErrorOf(failure), isTemporary: true }
    }
    const { status, headers } = response
    const text = status >= 300 || request.method === 'POST' ? new TextDecoder().decode(body) : ''
    // Completing an upload can fail after the headers of a success are sent.
    if (response.ok && !text.includes('<Error>')) return { headers, body }
    const code = textIn(text, 'Code') ?? CODES[status] ?? ''
    // A response to HEAD has no body, but a header names the region, too.
    const region = textIn(text, 'Region') ?? headers.get('x-amz-bucket-region') ?? undefined
    const isOtherRegion = this.useRegion(region)
    const isTemporary =
      isOtherRegion || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR || TEMPORARY.has(code)
    const details = textIn(text, 'Message')
    return { error: s3ErrorOf({ host: this.host, bucket, code, status, details }), isTemporary }
  }

  /** Signs for the region that the server names in an error. Returns false if it is the same. */
  private useRegion(region: string | undefined): boolean {
    if (region === undefined || region === this.region) return false
    this.region = region
    return true
  }

  private async sign({ method, name, query = {}, headers, body, signal }: S3Request): Promise<Request> {
    const { endpoint, bucket, key } = this.target
    const url = new URL(`/${[bucket, ...(name === '' ? [] : [name])].join('/')}`, endpoint)
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value)
    const client = new AwsClient({
      accessKeyId: key.id,
      secretAccessKey: key.secret,
      service: 's3',
      region: this.region,
    })
    const timeout = AbortSignal.timeout(TIMEOUT)
    return await client.sign(url, {
      method,
      // The server refuses a body with another hash, so what it stores is what was sent.
      headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? new Uint8Array()) },
      // Nothing here has shared memory, which the type allows.
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  }
}
