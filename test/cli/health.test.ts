import { afterAll, beforeAll, expect, test } from 'bun:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { version } from '../../src/config/version.ts'
import { TestBoard } from '../helpers/board.ts'
import { TestHost } from '../helpers/host.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

let board: TestBoard
let plain: Bun.Server<undefined>
let secure: Bun.Server<undefined>
let other: Bun.Server<undefined>

beforeAll(async () => {
  board = await TestBoard.open()
  plain = board.listen()
  const tls = { cert: CERTIFICATE, key: PRIVATE_KEY }
  const healthy = () => Response.json({ status: 'ok', version })
  secure = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: healthy })
  other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: ({ url }) => replyOf(new URL(url).pathname) })
})
afterAll(async () => {
  for (const server of [plain, secure, other]) await server.stop(true)
  await board.close()
})

let otherStatus = 200
const replyOf = (path: string) =>
  new Response(path === '/health.json' ? '{"status":"fine"}' : 'x', { status: otherStatus })

async function health(...args: string[]) {
  const host = new TestHost()
  const status = await run(COMMANDS, ['health', ...args], host)
  return [status, host.out + host.err]
}

const HEALTHY = [0, `The board is healthy (version ${version}).\n`]

test('a board on this machine is healthy, over HTTP and HTTPS, by its port or its URL', async () => {
  expect(await health('--port', String(plain.port))).toEqual(HEALTHY)
  expect(await health('--port', String(plain.port), '--host', '0.0.0.0')).toEqual(HEALTHY)
  expect(await health('--port', String(secure.port))).toEqual(HEALTHY)
  expect(await health('--domain', 'jobs.example', '--https-port', String(secure.port))).toEqual(HEALTHY)
  expect(await health('--url', `http://127.0.0.1:${plain.port}/some/page`)).toEqual(HEALTHY)
})

test('a URL with a certificate that nobody vouches for is not healthy', async () => {
  const [status, text] = await health('--url', `https://127.0.0.1:${secure.port}`)
  expect([status, text]).toEqual([
    1,
    expect.stringMatching(/^https:\/\/127.* isn't healthy: can't connect \(self signed certificate\)\.\n$/),
  ])
})

test('nothing, another program and an error are not healthy', async () => {
  const free = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const freePort = free.port
  await free.stop(true)
  const url = (port: number | undefined) => `http://127.0.0.1:${port}`
  expect(await health('--port', String(freePort))).toEqual([
    1,
    `${url(freePort)} isn't healthy: nothing listens there.\n`,
  ])
  expect(await health('--url', url(other.port))).toEqual([
    1,
    `${url(other.port)} isn't healthy: it isn't a Corkboard.\n`,
  ])
  otherStatus = 503
  expect(await health('--url', url(other.port))).toEqual([
    1,
    `${url(other.port)} isn't healthy: its response has status 503.\n`,
  ])
})

test('a URL must be valid', async () => {
  expect(await health('--url', 'jobs.example')).toEqual([2, '--url must be an absolute http or https URL.\n'])
})
