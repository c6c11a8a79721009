import { momentText } from '../base/clock.ts'
import { errorCode } from '../base/error.ts'
import { andThen, type Later } from '../base/later.ts'
import type { Peers } from '../http/request/context.ts'
import { challengeNotFound, pageUnavailable, redirectTo } from '../http/response/plainResponses.ts'
import { CertificateStatus } from '../tls/certificateStatus.ts'
import type { KeyPair } from '../tls/keyPair.ts'
import type { Challenges } from '../tls/order.ts'
import { requireFree } from './exclusivePort.ts'
import { type Handler, Listener } from './listener.ts'

/** For a year. */
const HSTS = 'max-age=31536000'
const CHALLENGE_PATH = '/.well-known/acme-challenge/'

interface DomainAddress {
  readonly host: string
  readonly httpPort: number
  readonly httpsPort: number
  /** The names of the domain, the main one first. */
  readonly names: readonly string[]
  /** The beginning of absolute URLs. */
  readonly base: string
}

/**
 * Serves a domain with a certificate that the board gets itself. Port 80 answers the authority's challenges, and redirects.
 * Before the first certificate, it says why there is none.
 */
export class DomainListener implements Peers {
  /** The responses to the authority's challenges, by their token. */
  readonly challenges: Challenges = new Map()
  /** What port 80 says before the first certificate. */
  status = new CertificateStatus()
  private readonly plain: Listener
  private secure: Listener | undefined
  private handler: Handler | undefined

  /** @throws Error if it can't listen on the port for HTTP */
  constructor(private readonly address: DomainAddress) {
    const { host, httpPort: port } = address
    this.plain = new Listener({ host, port })
  }

  /** Before the first certificate, nothing listens on the port for HTTPS. @throws Error if another program does */
  requireFreePort(): void {
    requireFree(this.address.host, this.address.httpsPort)
  }

  requestIP(request: Request): ReturnType<Peers['requestIP']> {
    return this.secure?.requestIP(request) ?? null
  }

  isOpen(request: Request): boolean {
    return this.secure?.isOpen(request) ?? false
  }

  holdOpen(request: Request): void {
    this.secure?.holdOpen(request)
  }

  get port(): number {
    return this.address.httpsPort
  }

  serve(handler: Handler): void {
    this.handler = request => andThen(this.redirectToMain(request) ?? handler(request), withHsts)
    this.secure?.serve(this.handler)
    this.plain.serve(request => this.plainResponse(request))
  }

  /** Uses a certificate for new connections. @throws Error if it can't listen on the port, or use it */
  async useCertificate(tls: KeyPair): Promise<void> {
    if (this.secure) return await this.secure.useCertificate(tls)
    const { host, httpsPort: port } = this.address
    this.secure = openSecure(host, port, tls)
    if (this.handler) this.secure.serve(this.handler)
  }

  /** Refuses further requests, and waits for the running ones, for a limited time. */
  async drain(): Promise<void> {
    await Promise.all([this.plain.drain(), this.secure?.drain()])
  }

  private plainResponse(request: Request): Later<Response> {
    const target = targetOf(request)
    if (target.startsWith(CHALLENGE_PATH)) {
      const response = this.challenges.get(target.slice(CHALLENGE_PATH.length))
      return response === undefined ? challengeNotFound() : new Response(response)
    }
    return this.secure ? redirectTo(`${this.address.base}${target}`) : this.explanation()
  }

  private redirectToMain(request: Request): Response | undefined {
    const { names, base } = this.address
    const host = hostNameOf(request)
    return host !== names[0] && names.includes(host) ? redirectTo(`${base}${targetOf(request)}`) : undefined
  }

  private explanation(): Response {
    const { problem, retryAt } = this.status
    const names = this.address.names.join(', ')
    const title = `No certificate for ${names} yet`
    if (problem === undefined)
      return pageUnavailable(title, ['It is being requested, which takes a few seconds.'])
    const next = retryAt === undefined ? [] : [`The next attempt is on ${momentText(retryAt)}.`]
    return pageUnavailable(title, [problem, ...next])
  }
}

function openSecure(host: string, port: number, tls: KeyPair): Listener {
  try {
    return new Listener({ host, port, tls })
  } catch (error) {
    throw errorCode(error) === 'EADDRINUSE' ? new Error(`Port ${port} is in use by another program`) : error
  }
}

/** Makes browsers use HTTPS from now on, even if somebody types an address without it. */
function withHsts(response: Response): Response {
  response.headers.set('strict-transport-security', HSTS)
  return response
}

/** Returns the path and the query of a request; `/` if its Host header is invalid. */
function targetOf({ url }: Request): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.pathname}${parsed.search}` : '/'
}

const hostNameOf = ({ url }: Request) => URL.parse(url)?.hostname.replace(/\.$/, '') ?? ''
