import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostOf } from '../base/address.ts'
import { SECOND } from '../base/clock.ts'
import { errorCode } from '../base/error.ts'
import { version } from '../config/version.ts'
import { addressesOf, type Resolve, TargetError, withAddress } from './target.ts'

const TIMEOUT = 15 * SECOND
/** In bytes. No more of a response is read, and nothing of it is kept. */
const MAX_RESPONSE_SIZE = 16 * 1024
const MAX_REDIRECT = 399
/** The number of addresses of a host that are tried. */
const MAX_ADDRESSES = 3

interface ReceiverOptions {
  /** Whether messages may be sent to this machine and its network, and by plain http. */
  readonly allowsPrivate: boolean
  readonly resolve?: Resolve
  /** In milliseconds. */
  readonly timeout?: number
  /** A certificate authority that is trusted instead of the system's, as PEM. */
  readonly ca?: string
}

/** A response to a message, or the reason why there was none. */
export interface Answer {
  readonly status: number | null
  /** Undefined if the message was delivered. */
  readonly error: string | undefined
  readonly retryAfter: string | null
}

/** Sends messages to other programs. */
export class Receiver {
  private readonly allowsPrivate: boolean
  private readonly resolve: Resolve
  private readonly timeout: number
  private readonly ca: string | undefined

  constructor({ allowsPrivate, resolve = resolveHost, timeout = TIMEOUT, ca }: ReceiverOptions) {
    this.allowsPrivate = allowsPrivate
    this.resolve = resolve
    this.timeout = timeout
    this.ca = ca
  }

  /**
   * Sends a message, and waits until the response is complete or larger than anybody needs.
   * @throws the reason of `stop`, if that is aborted
   */
  async send(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    stop: AbortSignal,
  ): Promise<Answer> {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), this.timeout)
    const signal = AbortSignal.any([silence.signal, stop])
    try {
      const response = await untilAborted(this.connect(new URL(url), { headers, body, signal }), signal)
      await drain(response, signal)
      const { status } = response
      return { status, error: statusError(status), retryAfter: response.headers.get('retry-after') }
    } catch (error) {
      if (stop.aborted) throw stop.reason
      const reason = silence.signal.aborted
        ? `no complete response within ${this.timeout / SECOND} seconds`
        : reasonOf(error)
      return { status: null, error: reason, retryAfter: null }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sends the request to the first of the checked addresses that accepts a connection. */
  private async connect(
    url: URL,
    {
      headers,
      body,
      signal,
    }: { headers: Readonly<Record<string, string>>; body: Uint8Array; signal: AbortSignal },
  ): Promise<Response> {
    const addresses = await addressesOf(url, this.resolve, this.allowsPrivate)
    signal.throwIfAborted()
    const isNamed = isIP(hostOf(url)) === 0
    const tls = {
      ...(isNamed && { serverName: url.hostname }),
      ...(this.ca !== undefined && { ca: this.ca }),
    }
    const request = {
      method: 'POST',
      headers: {
        ...headers,
        host: url.host,
        'content-type': 'application/json',
        'user-agent': `Corkboard/${version}`,
      },
      body: body as Uint8Array<ArrayBuffer>, // a buffer of this process
      redirect: 'manual',
      proxy: false,
      decompress: false,
      signal,
      tls,
    } as const
    let failure: unknown
    for (const address of addresses.slice(0, MAX_ADDRESSES))
      try {
        return await fetch(withAddress(url, address), request)
      } catch (error) {
        if (errorCode(error) !== 'ECONNREFUSED') throw error
        failure = error
      }
    throw failure
  }
}

/** Reads a response, but no more than a little of it. A connection is used again if its response was read to the end. */
async function drain({ body }: Response, signal: AbortSignal) {
  const reader = body?.getReader()
  if (!reader) return
  for (let size = 0; size <= MAX_RESPONSE_SIZE;) {
    const { done, value } = await untilAborted(reader.read(), signal)
    if (done) return
    size += value.length
  }
  await reader.cancel()
}

/** Resolves as a promise, or fails when a signal is aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

function statusError(status: number): string | undefined {
  if (status >= 200 && status <= 299) return undefined
  return status <= MAX_REDIRECT
    ? `the receiver responded with status ${status}; redirects are not followed`
    : `the receiver responded with status ${status}`
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before the response was complete',
  ENOTFOUND: "the host wasn't found",
  Malformed_HTTP_Response: 'the response is not HTTP',
  ResponseHeadersTooLarge: 'the headers of the response are too large',
}

/** Says why there is no response. Messages of the system aren't used, because they contain the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof TargetError) return `the URL ${error.message}`
  const code = errorCode(error) ?? 'unknown error'
  return (
    REASONS[code] ??
    (/CERT|SSL|TLS/.test(code) ? `the certificate is not valid (${code})` : `the connection failed (${code})`)
  )
}

const resolveHost: Resolve = async host => (await lookup(host, { all: true })).map(({ address }) => address)
