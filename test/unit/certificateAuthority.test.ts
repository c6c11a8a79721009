import { describe, expect, test } from 'bun:test'
import {
  AuthorityKeyIdentifierExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.ts'
import { TlsFolder } from '../../src/tls/tlsFolder.ts'
import { domainSites } from '../helpers/domainSite.ts'
import { freePorts } from '../helpers/pebble.ts'
import { until } from '../helpers/process.ts'
import { CERTIFICATE, pem, PRIVATE_KEY } from '../helpers/tls.ts'

const HOST = '127.0.0.1'
const { newFolder, newSite } = domainSites()

describe('an authority', () => {
  /** Serves an ACME directory, and responds to other paths as given. */
  function authority(respond: (path: string, request: Request) => Response | Promise<Response>) {
    const server = Bun.serve({
      hostname: HOST,
      port: 0,
      tls: { cert: CERTIFICATE, key: PRIVATE_KEY },
      fetch: (request, { port }) => {
        const { pathname } = new URL(request.url)
        const resources = ['newNonce', 'newAccount', 'newOrder', 'renewalInfo']
        if (pathname === '/newNonce') return new Response(null, { headers: { 'replay-nonce': 'x' } })
        if (pathname !== '/dir') return respond(pathname, request)
        return Response.json(
          Object.fromEntries(resources.map(name => [name, `https://${HOST}:${port}/${name}`])),
        )
      },
    })
    return { server, directory: `https://${HOST}:${server.port}/dir`, httpPort: freePorts('http').http }
  }

  const problem = (type: string, headers: Record<string, string> = {}) =>
    Response.json(
      { type: `urn:ietf:params:acme:error:${type}`, detail: 'too many <certificates>' },
      { status: 429, headers },
    )

  test('that is down is tried again after growing pauses', async () => {
    const { server, ...address } = authority(() => problem('x'))
    await server.stop(true)
    const site = await newSite(address).start()
    expect(site.status.problem).toMatch(
      /^The certificate authority .* can't be reached: it refuses the connection\.$/,
    )
    const pauses = []
    for (let i = 0; i < 3; i++) {
      pauses.push(((site.status.retryAt ?? 0) - site.now) / MINUTE)
      await site.renewal.check()
    }
    const [first = 0, second = 0, third = 0] = pauses
    expect(first).toBeWithin(1.6, 2.4)
    expect(second).toBeWithin(3.2, 4.8)
    expect(third).toBeWithin(6.4, 9.6)
    await site.renewal.close()
  })

  test('that asks to wait is not asked before', async () => {
    const { server, ...address } = authority(() => problem('rateLimited', { 'retry-after': '7200' }))
    const site = await newSite(address).start()
    expect(site.status.problem).toBe(
      `The rate limit of the certificate authority is reached. ${new URL(address.directory).host} says: “too many <certificates>”.`,
    )
    expect(await (await site.plain('/')).text()).toContain('too many &lt;certificates&gt;')
    expect((site.status.retryAt ?? 0) - site.now).toBeWithin(2 * HOUR - SECOND, 2 * HOUR + 1)
    await server.stop(true)
  })

  test('that wants an early renewal gets an order that names the certificate, at first', async () => {
    const asked: string[] = []
    const orders: unknown[] = []
    const window = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
    const { server, ...address } = authority(async (path, request) => {
      asked.push(path)
      const headers = { 'replay-nonce': 'x', location: `https://${HOST}:${server.port}/account` }
      if (path.startsWith('/renewalInfo/')) return Response.json({ suggestedWindow: window })
      if (path !== '/newOrder') return Response.json({}, { headers })
      const { payload } = (await request.json()) as { payload: string } // as the client sends it
      orders.push(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      return problem('serverInternal')
    })
    const folder = newFolder()
    await new TlsFolder(folder).writeCertificate(await certificateOf('jobs.test'), address.directory)
    const site = newSite(address, folder, ['jobs.test'])
    await site.renewal.start()
    await until(() => site.status.problem !== undefined)
    expect(site.status.problem).toStartWith('The certificate authority has a problem of its own.')
    await site.renewal.check()
    const id = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'
    expect(asked[0]).toBe(`/renewalInfo/${id}`)
    const identifiers = [{ type: 'dns', value: 'jobs.test' }]
    expect(orders).toEqual([{ identifiers, replaces: id }, { identifiers }])
    expect((await site.secure('/')).status).toBe(200)
    await server.stop(true)
  })

  test('that is none is named', async () => {
    const server = Bun.serve({
      hostname: HOST,
      port: 0,
      tls: { cert: CERTIFICATE, key: PRIVATE_KEY },
      fetch: () => new Response('<html>'),
    })
    const directory = `https://${HOST}:${server.port}/dir`
    const site = await newSite({ directory, httpPort: freePorts('http').http }).start()
    expect(site.status.problem).toBe(
      `${directory} isn't the directory of an ACME authority (HTTP status 200).`,
    )
    await server.stop(true)
  })
})

/** Returns a certificate with the key of an issuer and the serial number of the example in RFC 9773. */
async function certificateOf(name: string) {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '0087654321',
    name: `CN=${name}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new AuthorityKeyIdentifierExtension('69885b6b87464041e1b37b847ba0ae2cde01c8d4'),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: certificate.toString('pem'), key: pem('PRIVATE KEY', key) }
}
