import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CERTIFICATE, PRIVATE_KEY } from './tls.ts'

const HOST = '127.0.0.1'
const DAYS_90 = 7_776_000
const ATTEMPTS = 3
const PATIENCE = 10_000
const BETWEEN_LOOKS = 10
const PROGRAMS = ['pebble', 'pebble-challtestsrv'].map(name => Bun.which(name))

/** Whether to run tests with an ACME server. Without Debian's pebble they are skipped, except in CI, which installs it. */
export const hasPebble = process.env['CI'] !== undefined || !PROGRAMS.includes(null)
if (!hasPebble) console.warn('Tests with an ACME server are skipped: pebble is not installed.')

/** Returns ports that are free now. */
export function freePorts<const N extends readonly string[]>(...names: N): Record<N[number], number> {
  const servers = names.map(() => Bun.serve({ hostname: HOST, port: 0, fetch: () => new Response() }))
  const ports = names.map((name, index): [string, number] => [name, servers[index]?.port ?? 0])
  for (const server of servers) void server.stop(true)
  return Object.fromEntries(ports) as Record<N[number], number> // each name has a port
}

/** A strict ACME server with a DNS of its own, in which every name leads to this machine. */
export class Pebble {
  private readonly folder = mkdtempSync(join(tmpdir(), 'corkboard-pebble-'))
  private readonly ports = freePorts('directory', 'management', 'dns', 'names', 'tls', 'http')
  private readonly processes: Bun.Subprocess[] = []
  /** The port on which it expects the responses to its challenges, as it would on port 80. */
  readonly httpPort: number
  readonly directory = `https://localhost:${this.ports.directory}/dir`
  /** The path of the certificate to trust. */
  readonly ca = join(this.folder, 'ca.pem')

  /**
   * @param refusedNonces how many valid nonces it refuses, in percent
   * @param lifetime of its certificates, in seconds
   */
  static async start({ refusedNonces = 20, lifetime = DAYS_90 } = {}): Promise<Pebble> {
    for (let attempts = 1; ; attempts++) {
      const pebble = new Pebble()
      try {
        await pebble.run(refusedNonces, lifetime)
        return pebble
      } catch (error) {
        await pebble.stop()
        // Another test may have taken one of the ports.
        if (attempts === ATTEMPTS) throw error
      }
    }
  }

  private constructor() {
    this.httpPort = this.ports.http
  }

  /** Makes a name lead to these addresses, which may be none. */
  async setAddresses(host: string, addresses: readonly string[]): Promise<void> {
    await this.post(addresses.length > 0 ? 'add-a' : 'set-servfail', { host: `${host}.`, addresses })
  }

  /** Makes a name lead to this machine again. */
  async clearAddresses(host: string): Promise<void> {
    await this.post('clear-a', { host: `${host}.` })
    await this.post('clear-servfail', { host: `${host}.` })
  }

  async stop(): Promise<void> {
    for (const child of this.processes) child.kill()
    await Promise.all(this.processes.map(child => child.exited))
    rmSync(this.folder, { recursive: true })
  }

  private async run(refusedNonces: number, lifetime: number) {
    const { directory, management, dns, names, tls } = this.ports
    const path = (name: string) => join(this.folder, name)
    writeFileSync(this.ca, CERTIFICATE)
    writeFileSync(path('key.pem'), PRIVATE_KEY)
    const config = {
      listenAddress: `${HOST}:${directory}`,
      managementListenAddress: `${HOST}:${management}`,
      certificate: this.ca,
      privateKey: path('key.pem'),
      httpPort: this.httpPort,
      tlsPort: tls,
      certificateValidityPeriod: lifetime,
    }
    writeFileSync(path('config.json'), JSON.stringify({ pebble: config }))
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', '']
    const where = ['-dns01', `${HOST}:${dns}`, '-management', `${HOST}:${names}`, '-defaultIPv6', '']
    this.spawn(['pebble-challtestsrv', ...where, ...none])
    this.spawn(['pebble', '-strict', '-config', path('config.json'), '-dnsserver', `${HOST}:${dns}`], {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: String(refusedNonces),
    })
    await this.answers(() => fetch(this.directory, { tls: { ca: CERTIFICATE } }))
    await this.answers(() => fetch(`http://${HOST}:${names}/`))
  }

  private async answers(request: () => Promise<Response>) {
    const start = performance.now()
    while (
      !(await request().then(
        () => true,
        () => false,
      ))
    ) {
      if (performance.now() - start > PATIENCE || this.processes.some(({ exitCode }) => exitCode !== null))
        throw new Error('The ACME server does not start.')
      await Bun.sleep(BETWEEN_LOOKS)
    }
  }

  private spawn(command: string[], variables: Record<string, string> = {}) {
    this.processes.push(Bun.spawn(command, { env: variables, stdout: 'ignore', stderr: 'ignore' }))
  }

  private async post(path: string, body: object) {
    await fetch(`http://${HOST}:${this.ports.names}/${path}`, { method: 'POST', body: JSON.stringify(body) })
  }
}
