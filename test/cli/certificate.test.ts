import { afterAll, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { temporaryFiles } from '../helpers/files.ts'
import { servedSerial } from '../helpers/keepAlive.ts'
import { Corkboard, corkboard, until } from '../helpers/process.ts'
import { CERTIFICATE, NEW_CERTIFICATE, NEW_PRIVATE_KEY, PRIVATE_KEY } from '../helpers/tls.ts'

const { folder, file } = temporaryFiles()
const running: Corkboard[] = []
afterAll(async () => {
  await Promise.all(running.map(server => server.end('SIGKILL')))
})

const TLS = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem']

async function start(...args: string[]) {
  const server = new Corkboard(args, { folder })
  running.push(server)
  return { server, port: Number(new URL(await server.url()).port) }
}

const inUse = (port: number) =>
  `Can't listen on 127.0.0.1, port ${port}: the port is in use. Stop the other program, or choose another --port.\n`

test('changed certificate files are used on SIGHUP, and a wrong pair is refused', async () => {
  file('cert.pem', CERTIFICATE)
  file('key.pem', PRIVATE_KEY)
  const { server, port } = await start('--port', '0', '--log', 'json', ...TLS)
  const [second, plain] = await Promise.all([
    corkboard(['--port', String(port), '--data', 'second', ...TLS], { folder }),
    corkboard(['--port', String(port), '--data', 'third'], { folder }),
  ])
  expect([second.err, plain.err]).toEqual([inUse(port), inUse(port)])

  file('cert.pem', NEW_CERTIFICATE)
  server.signal('SIGHUP')
  await until(() => server.err.includes('the changed certificate is refused'))
  expect(server.err).toContain("--tls-key doesn't match the certificate of --tls-cert.")
  expect(await servedSerial(port)).toBe(new X509Certificate(CERTIFICATE).serialNumber)

  file('key.pem', NEW_PRIVATE_KEY)
  server.signal('SIGHUP')
  await until(() => server.err.includes('using the changed certificate'))
  expect(await servedSerial(port)).toBe(new X509Certificate(NEW_CERTIFICATE).serialNumber)
  expect(await server.end('SIGTERM')).toBe(0)
})

test('a board with HTTPS never shares the port of one without it', async () => {
  file('cert.pem', CERTIFICATE)
  file('key.pem', PRIVATE_KEY)
  const { port } = await start('--port', '0', '--data', 'plain')
  const { status, err } = await corkboard(['--port', String(port), ...TLS], { folder })
  expect({ status, err }).toEqual({ status: 1, err: inUse(port) })
})
