import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '../../src/base/clock.ts'
import { validityOf } from '../../src/tls/keyPair.ts'
import { domainSites } from '../helpers/domainSite.ts'
import { KeepAliveClient, servedSerial } from '../helpers/keepAlive.ts'
import { hasPebble, Pebble } from '../helpers/pebble.ts'
import { until } from '../helpers/process.ts'

const { newSite } = domainSites()
let pebble: Pebble
/** An authority whose certificates last for seconds. */
let brief: Pebble | undefined

describe.skipIf(!hasPebble)('a domain', () => {
  beforeAll(async () => {
    pebble = await Pebble.start({ refusedNonces: 40 })
  })
  afterAll(async () => {
    await pebble.stop()
    await brief?.stop()
  })

  test('gets a certificate for its names, and keeps it', async () => {
    const site = newSite(pebble)
    const before = await site.plain('/')
    expect(before.status).toBe(503)
    expect(await before.text()).toContain('No certificate for jobs.test, www.jobs.test yet')
    await site.start()
    expect(site.status).toMatchObject({ problem: undefined, retryAt: undefined })
    const { subjectAltName, validTo } = new X509Certificate(site.stored)
    expect(subjectAltName).toBe('DNS:jobs.test, DNS:www.jobs.test')
    expect(site.status.expiresAt).toBe(Date.parse(validTo))
    const modes = ['', 'account.pem', 'certificate.pem'].map(
      name => statSync(join(site.folder, 'tls', name)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o600, 0o600])

    const [moved, missing, second] = await Promise.all([
      site.plain('/a?q=1', 'POST'),
      site.plain('/.well-known/acme-challenge/x'),
      site.secure('/a?q=1', 'www.jobs.test'),
    ])
    expect([moved.status, moved.headers.get('location')]).toEqual([308, 'https://jobs.test/a?q=1'])
    expect(missing.status).toBe(404)
    expect([second.status, second.headers.get('location')]).toEqual([308, 'https://jobs.test/a?q=1'])
    const response = await site.secure('/')
    expect([response.status, response.headers.get('strict-transport-security')]).toEqual([
      200,
      'max-age=31536000',
    ])

    const { stored } = site
    await site.close()
    const again = await newSite(pebble, site.folder).start()
    expect(await servedSerial(again.ports.https)).toBe(new X509Certificate(stored).serialNumber)
    await again.renewal.check()
    expect(again.stored).toBe(stored)
    expect(again.logged.join('')).not.toContain('ordering')
  })

  test('renews the certificate under load at two thirds of its lifetime, without a failed request', async () => {
    brief = await Pebble.start({ lifetime: 4 })
    const site = await newSite(brief).start()
    const { stored } = site
    const over = new AbortController()
    const failures: string[] = []
    const repeat = async (request: () => Promise<number>) => {
      while (!over.signal.aborted)
        await request().then(
          status => status === 200 || failures.push(`status ${status}`),
          error => failures.push(String(error)),
        )
    }
    const clients = Array.from({ length: 3 }, () => new KeepAliveClient(site.ports.https))
    const load = [
      ...Array.from({ length: 3 }, () => repeat(async () => (await site.secure('/')).status)),
      ...clients.map(client => repeat(() => client.get('/'))),
    ]
    await until(() => site.stored !== stored)
    await Bun.sleep(200)
    over.abort()
    await Promise.all(load)
    for (const client of clients) client.close()
    expect(failures).toEqual([])
    const age = validityOf(site.stored).from - validityOf(stored).from
    expect(age).toBeGreaterThanOrEqual(2 * SECOND)
  })

  test.each<[string, readonly string[], string]>([
    [
      'leads to another address',
      ['127.0.0.9'],
      "The certificate authority can't connect to port 80 of www.jobs.test. Check",
    ],
    ['has no address', [], 'www.jobs.test has no address in the DNS. Add an A or AAAA record'],
  ])('says what is wrong if a name %s, and recovers', async (_, addresses, message) => {
    await pebble.setAddresses('www.jobs.test', addresses)
    const site = await newSite(pebble).start()
    expect(site.status.problem).toStartWith(message)
    const page = await site.plain('/any')
    expect(page.status).toBe(503)
    expect(await page.text()).toContain(Bun.escapeHTML(message))
    expect(site.status.retryAt).toBeGreaterThan(site.now + MINUTE)
    expect(site.logged.join('')).not.toContain('jobs.test has no address in the DNS. jobs.test')
    await pebble.clearAddresses('www.jobs.test')
    await site.renewal.check()
    expect(site.status).toMatchObject({ problem: undefined, retryAt: undefined })
    expect((await site.secure('/')).status).toBe(200)
  })

  test('says that the port for HTTPS is taken, and recovers', async () => {
    const site = newSite(pebble)
    const other = Bun.serve({ hostname: '127.0.0.1', port: site.ports.https, fetch: () => new Response() })
    expect(() => site.listener.requireFreePort()).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
    await site.start()
    expect(site.status.problem).toBe(`Port ${site.ports.https} is in use by another program.`)
    const { stored } = site
    await other.stop(true)
    await site.renewal.check()
    expect(site.stored).toBe(stored)
    expect((await site.secure('/')).status).toBe(200)
  })

  test('says that the clock is wrong, and orders no further certificates for that', async () => {
    const site = newSite(pebble)
    site.ahead = Date.UTC(2036, 0, 1) - Date.now()
    await site.start()
    const { stored } = site
    expect(site.status.problem).toStartWith('The clock of this machine is wrong: it says 1 January 2036 at')
    expect((await site.secure('/')).status).toBe(200)
    await site.renewal.check()
    expect(site.stored).toBe(stored)
    site.ahead = 0
    await site.renewal.check()
    expect([site.stored, site.status.problem]).toEqual([stored, undefined])
  })

  test('orders a certificate again if the stored one is damaged, or for other names', async () => {
    const site = await newSite(pebble).start()
    const { stored, folder } = site
    await site.close()
    writeFileSync(join(folder, 'tls', 'certificate.pem'), stored.slice(0, -200))
    writeFileSync(join(folder, 'tls', 'certificate.pem.unfinished'), 'x')
    const again = await newSite(pebble, folder).start()
    expect(again.status.problem).toBeUndefined()
    expect(again.stored).not.toBe(stored)
    await again.close()
    const other = newSite(pebble, folder, ['jobs.test'])
    await other.start()
    await until(() => new X509Certificate(other.stored).subjectAltName === 'DNS:jobs.test')
  })
})
