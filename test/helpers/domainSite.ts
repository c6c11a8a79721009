import { afterAll, afterEach } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log } from '../../src/http/log.ts'
import { DomainListener } from '../../src/server/domainListener.ts'
import { CertificateRenewal } from '../../src/tls/renewal.ts'
import { TlsFolder } from '../../src/tls/tlsFolder.ts'
import { freePorts, type Pebble } from './pebble.ts'
import { until } from './process.ts'
import { CERTIFICATE } from './tls.ts'

const HOST = '127.0.0.1'
export const NAMES = ['jobs.test', 'www.jobs.test']

/** A domain whose certificate comes from an authority. Its clock can be moved. */
export class DomainSite {
  readonly listener: DomainListener
  readonly renewal: CertificateRenewal
  readonly logged: string[] = []
  /** In milliseconds, by how much its clock is ahead. */
  ahead = 0

  constructor(
    readonly folder: string,
    readonly ports: { readonly http: number; readonly https: number },
    directory: string,
    readonly names: readonly string[],
  ) {
    const base = `https://${names[0]}`
    this.listener = new DomainListener({
      host: HOST,
      httpPort: ports.http,
      httpsPort: ports.https,
      names,
      base,
    })
    this.listener.serve(() => new Response('ok'))
    const clock = () => this.now
    const sink = { write: (text: string) => void this.logged.push(text), flush: () => {} }
    this.renewal = new CertificateRenewal({
      names,
      email: 'ada@example.com',
      authority: { directory, ca: CERTIFICATE },
      folder: new TlsFolder(folder),
      clock,
      log: new Log(sink, 'json', 'info', clock),
      status: this.listener.status,
      challenges: this.listener.challenges,
      use: pair => this.listener.useCertificate(pair),
    })
  }

  get now(): number {
    return Date.now() + this.ahead
  }

  get status() {
    return this.listener.status
  }

  /** Starts, and waits for the first attempt. */
  async start() {
    await this.renewal.start()
    await this.settled()
    return this
  }

  /** Waits for the end of an attempt. */
  async settled() {
    await until(() => this.status.expiresAt !== undefined || this.status.problem !== undefined)
  }

  async plain(path: string, method = 'GET') {
    return await fetch(`http://${HOST}:${this.ports.http}${path}`, { method, redirect: 'manual' })
  }

  async secure(path: string, host = 'jobs.test') {
    return await fetch(`https://${HOST}:${this.ports.https}${path}`, {
      headers: { host },
      keepalive: false,
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
    })
  }

  get stored(): string {
    return readFileSync(join(this.folder, 'tls', 'certificate.pem'), 'utf8')
  }

  async close() {
    await this.renewal.close()
    await this.listener.drain()
  }
}

/** Returns functions that create data directories and sites, which are closed and deleted after the tests. */
export function domainSites() {
  const sites: DomainSite[] = []
  const folders: string[] = []

  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'corkboard-tls-'))
    folders.push(folder)
    return folder
  }

  /** Returns a site that is not started. */
  const newSite = (
    authority: Pick<Pebble, 'directory' | 'httpPort'>,
    folder = newFolder(),
    names: readonly string[] = NAMES,
  ): DomainSite => {
    const ports = { http: authority.httpPort, ...freePorts('https') }
    const site = new DomainSite(folder, ports, authority.directory, names)
    sites.push(site)
    return site
  }

  afterEach(async () => {
    await Promise.all(sites.splice(0).map(site => site.close()))
  })
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return { newFolder, newSite }
}
