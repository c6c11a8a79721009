import { afterEach, describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { Listener } from '../../src/server/listener.ts'
import { KeepAliveClient, servedSerial } from '../helpers/keepAlive.ts'
import { until } from '../helpers/process.ts'
import { CERTIFICATE, NEW_CERTIFICATE, NEW_PRIVATE_KEY, PRIVATE_KEY } from '../helpers/tls.ts'

const HOST = '127.0.0.1'
const RETIREMENT = 150
/** In milliseconds. Every client of a busy machine gets a response within this time, and with it learns to reconnect. */
const LONG_RETIREMENT = 750
const OLD = { cert: CERTIFICATE, key: PRIVATE_KEY }
const NEW = { cert: NEW_CERTIFICATE, key: NEW_PRIVATE_KEY }
const serialOf = ({ cert }: typeof OLD) => new X509Certificate(cert).serialNumber

const open: Listener[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(listener => listener.drain()))
})

function listen(port: number, tls?: typeof OLD, retirement = RETIREMENT): Listener {
  const listener = new Listener({ host: HOST, port, ...(tls && { tls }) }, retirement)
  listener.serve(() => new Response('ok'))
  open.push(listener)
  return listener
}

const get = (port: number, path = '/') =>
  fetch(`https://${HOST}:${port}${path}`, { tls: { rejectUnauthorized: false }, keepalive: false })

describe('a new certificate', () => {
  test('is used for new connections', async () => {
    const listener = listen(0, OLD)
    expect(await servedSerial(listener.port)).toBe(serialOf(OLD))
    await listener.useCertificate(NEW)
    for (let i = 0; i < 8; i++) expect(await servedSerial(listener.port)).toBe(serialOf(NEW))
  })

  test('costs no request, on new connections or on those that stay open', async () => {
    const listener = listen(0, OLD, LONG_RETIREMENT)
    const over = new AbortController()
    const failures: string[] = []
    let requests = 0
    const repeat = async (request: () => Promise<number>) => {
      while (!over.signal.aborted)
        await request().then(
          status => (status === 200 ? requests++ : failures.push(`status ${status}`)),
          error => failures.push(String(error)),
        )
    }
    const clients = Array.from({ length: 4 }, () => new KeepAliveClient(listener.port))
    const load = [
      ...Array.from({ length: 6 }, () => repeat(async () => (await get(listener.port)).status)),
      ...clients.map(client => repeat(() => client.get('/'))),
    ]
    for (const certificate of [NEW, OLD, NEW]) {
      await listener.useCertificate(certificate)
      const before = requests
      await until(() => requests > before + 30)
    }
    over.abort()
    await Promise.all(load)
    for (const client of clients) client.close()
    expect(failures).toEqual([])
  })

  test('lets a running request finish, with the address of its connection', async () => {
    const listener = listen(0, OLD)
    const answer = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    listener.serve(async request => {
      arrived.resolve()
      await answer.promise
      return new Response(listener.requestIP(request)?.address)
    })
    const response = get(listener.port)
    await arrived.promise
    await listener.useCertificate(NEW)
    await Bun.sleep(2 * RETIREMENT)
    answer.resolve()
    expect(await (await response).text()).toBe(HOST)
  })

  test('that is invalid leaves the old one in use', async () => {
    const listener = listen(0, OLD)
    expect(await listener.useCertificate({ cert: 'x', key: 'y' }).catch(() => 'refused')).toBe('refused')
    expect(await servedSerial(listener.port)).toBe(serialOf(OLD))
  })

  test('does not delay the end, at which running requests finish', async () => {
    const listener = listen(0, OLD, 60_000)
    await listener.useCertificate(NEW)
    const start = performance.now()
    await listener.drain()
    await listener.useCertificate(OLD)
    expect(performance.now() - start).toBeLessThan(1000)
    expect(await get(listener.port).catch(() => 'refused')).toBe('refused')
  })
})

describe('a port', () => {
  test.each([
    ['HTTPS', 'HTTPS', OLD, OLD],
    ['HTTPS', 'HTTP', OLD, undefined],
    ['HTTP', 'HTTPS', undefined, OLD],
    ['HTTP', 'HTTP', undefined, undefined],
  ])('with %s is not shared with another that has %s', (_, __, first, second) => {
    const { port } = listen(0, first)
    expect(() => listen(port, second)).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
  })

  test('is not shared during a swap', async () => {
    const listener = listen(0, OLD)
    await listener.useCertificate(NEW)
    expect(() => listen(listener.port, OLD)).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
  })
})
