import { SECOND } from '../base/clock.ts'
import { errorCode, errorMessage } from '../base/error.ts'
import { UsageError } from '../config/errors.ts'
import { originOf } from '../config/values.ts'
import { command, CommandError } from './command.ts'

/** A board that takes longer isn't healthy. */
const TIMEOUT = 5 * SECOND
/** The addresses that mean all of this machine, and one at which such a server can be reached, even without IPv6. */
const REACHABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '127.0.0.1' }

export const healthCommand = command({
  name: 'health',
  activity: 'checking the health',
  summary: "check a running board's health",
  details: `For containers and timers: the exit status is 0 if the board is serving requests, otherwise 1. Without --url, it asks the server
on --host and --port of this machine, or on --https-port if there is a --domain.`,
  args: [],
  flags: { url: { value: 'URL', help: 'the URL of the board, which may be on another machine' } },
  options: ['host', 'port', 'domain', 'httpsPort'],
  run: async ({ flags: { url }, config, stdout }) => {
    const { host, domain, httpsPort } = config
    const port = domain ? httpsPort : config.port
    const version =
      url === undefined ? await ownVersion(REACHABLE[host] ?? host, port) : await versionAt(healthUrl(url))
    stdout.write(`The board is healthy (version ${version}).\n`)
  },
})

function healthUrl(text: string): URL {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url) throw new UsageError(['--url must be an absolute http or https URL.'])
  return new URL('/health.json', url)
}

/** Asks the server of this machine, which may only speak HTTPS. Its certificate is for another name. */
async function ownVersion(host: string, port: number): Promise<string> {
  const [plain, secure] = (['http', 'https'] as const).map(
    scheme => new URL('/health.json', originOf(scheme, host, port)),
  )
  if (!plain || !secure) throw new Error('an address has two schemes')
  try {
    return await versionAt(plain)
  } catch (error) {
    if (!(error instanceof NoHttp)) throw error
    return await versionAt(secure, { rejectUnauthorized: false })
  }
}

/** The server doesn't speak this protocol. */
class NoHttp extends CommandError {}

/** @throws CommandError if the board isn't healthy */
async function versionAt(url: URL, tls: Bun.TLSOptions = {}): Promise<string> {
  const unhealthy = (why: string) => new CommandError(`${url.origin} isn't healthy: ${why}.`)
  let response: Response
  let text: string
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT), tls })
    text = await response.text()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw unhealthy(`no response within ${TIMEOUT / SECOND} seconds`)
    const code = errorCode(error) ?? ''
    const failure = unhealthy(REASONS[code] ?? `can't connect (${errorMessage(error)})`)
    throw code === CLOSED && url.protocol === 'http:' ? new NoHttp(failure.message) : failure
  }
  if (response.status !== 200) throw unhealthy(`its response has status ${response.status}`)
  const version = readVersion(text)
  if (version === undefined) throw unhealthy("it isn't a Corkboard")
  return version
}

/** The error of a server that closes the connection because it doesn't speak HTTP. */
const CLOSED = 'ECONNRESET'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ConnectionRefused: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  [CLOSED]: 'the connection was closed',
}

function readVersion(text: string): string | undefined {
  try {
    const { status, version }: { status?: unknown; version?: unknown } = JSON.parse(text)
    return status === 'ok' && typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
