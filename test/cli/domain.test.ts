import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFiles } from '../helpers/files.ts'
import { servedSerial } from '../helpers/keepAlive.ts'
import { freePorts, hasPebble, Pebble } from '../helpers/pebble.ts'
import { Corkboard, until } from '../helpers/process.ts'

const { folder } = temporaryFiles()
const CERTIFICATE = join(folder, 'data', 'tls', 'certificate.pem')
const ORDERING = 'ordering a certificate'
const USING = 'using a new certificate'

describe.skipIf(!hasPebble)('a board with a domain', () => {
  let pebble: Pebble
  const { https } = freePorts('https')
  const running: Corkboard[] = []

  beforeAll(async () => {
    pebble = await Pebble.start()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map(server => server.end('SIGKILL')))
  })
  afterAll(() => pebble.stop())

  function start(...args: string[]) {
    const ports = ['--http-port', String(pebble.httpPort), '--https-port', String(https)]
    const authority = ['--acme-directory', pebble.directory, '--acme-ca', pebble.ca]
    const domain = ['--domain', 'jobs.test,www.jobs.test', '--host', '127.0.0.1', '--log', 'json']
    const server = new Corkboard(['serve', ...domain, ...ports, ...authority, ...args], { folder })
    running.push(server)
    return server
  }

  const serialOf = (text: string) => new X509Certificate(text).serialNumber
  const stored = () => readFileSync(CERTIFICATE, 'utf8')

  test('gets a certificate at the first start, and has it at the next one', async () => {
    const first = start('--sample')
    const base = `https://jobs.test:${https}`
    expect(await first.url()).toBe(base)
    expect(first.out).toContain('It is requesting a certificate first: http://jobs.test and the log')
    await until(() => first.err.includes(USING))
    const response = await fetch(`https://127.0.0.1:${https}/jobs/1.json`, {
      headers: { host: 'jobs.test' },
      tls: { rejectUnauthorized: false },
    })
    expect(await response.json()).toMatchObject({ url: `${base}/jobs/1.json` })
    const plain = await fetch(`http://127.0.0.1:${pebble.httpPort}/jobs`, { redirect: 'manual' })
    expect(plain.headers.get('location')).toBe(`${base}/jobs`)
    expect(await first.end('SIGTERM')).toBe(0)

    const second = start()
    await second.url()
    expect(await servedSerial(https)).toBe(serialOf(stored()))
    expect(second.out).not.toContain('certificate')
    expect(second.err).not.toContain(ORDERING)
    expect(await second.end('SIGTERM')).toBe(0)
  })

  test('has a whole certificate after it is killed during an order', async () => {
    for (const delay of [40, 160]) {
      // A certificate of another authority is replaced at once.
      writeFileSync(CERTIFICATE, stored().replace(/^Authority: .*$/m, 'Authority: https://old.example/'))
      const server = start()
      await until(() => server.err.includes(ORDERING))
      await Bun.sleep(delay)
      await server.end('SIGKILL')
      expect(stored()).toMatch(/^Authority: [^]*-----BEGIN CERT[^]*-----END PRIVATE KEY-----\s*$/)
    }
    const server = start()
    await server.url()
    // The second order may have ended before the kill, so the first certificate served can be the new one.
    await until(() => stored().includes(pebble.directory))
    await until(async () => (await servedSerial(https)) === serialOf(stored()))
    expect(await server.end('SIGTERM')).toBe(0)
  })

  test('stops at once during an order', async () => {
    writeFileSync(CERTIFICATE, stored().replace(/^Authority: .*$/m, 'Authority: https://old.example/'))
    await pebble.setAddresses('jobs.test', ['192.0.2.1'])
    const server = start()
    await until(() => server.err.includes(ORDERING))
    const before = performance.now()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(performance.now() - before).toBeLessThan(3000)
  })
})
