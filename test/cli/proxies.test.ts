import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestBoard } from '../helpers/board.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const README = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8')
const BASE = 'https://jobs.example.com'
/** The proxy's address is that of the client, in a request to the board. */
const PEERS = { trusted: '127.0.0.1', client: '203.0.113.7' }
const caddy = Bun.which('caddy')
const nginx = Bun.which('nginx')

let folder: string
let board: TestBoard
let server: Bun.Server<undefined>
let forwarded: Headers | undefined
let proxy: Bun.Subprocess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-proxies-'))
  await writeFile(join(folder, 'cert.pem'), CERTIFICATE)
  await writeFile(join(folder, 'key.pem'), PRIVATE_KEY)
  board = await TestBoard.open('--base-url', BASE)
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: request => {
      forwarded = request.headers
      return board.handle(request)
    },
  })
})
afterAll(async () => {
  await server.stop(true)
  await board.close()
  await rm(folder, { recursive: true })
})

/** Returns a file that the README shows, for the board of this test. */
function shown(name: string): string {
  const [, text] = new RegExp(`^\\$ cat > ${name} <<'END'\\n([^]*?)^END$`, 'm').exec(README) ?? []
  return (text ?? `there is no ${name}`).replaceAll('127.0.0.1:3000', `127.0.0.1:${server.port}`)
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  listener.stop()
  return listener.port
}

/** Sends requests through a proxy, until it listens. */
async function expectProxied(command: readonly string[], origin: string) {
  proxy = Bun.spawn([...command], { cwd: folder, env: { HOME: folder }, stdout: 'ignore', stderr: 'ignore' })
  try {
    const headers = { host: 'jobs.example.com', 'x-forwarded-for': PEERS.client }
    const get = (path: string) =>
      fetch(`${origin}${path}`, { headers, tls: { rejectUnauthorized: false } }).catch(() => undefined)
    let response = await get('/robots.txt')
    for (let attempts = 0; !response?.ok && attempts < 200; attempts++) {
      await Bun.sleep(50)
      response = await get('/robots.txt')
    }
    expect(await response?.text()).toContain(`${BASE}/sitemap.xml`)
    expect(forwarded?.get('x-forwarded-for')).toEndWith(PEERS.trusted)
    expect(forwarded?.get('host')).toBe('jobs.example.com')
    // the metrics are only for this machine itself
    expect((await get('/metrics'))?.status).toBe(403)
  } finally {
    proxy.kill('SIGTERM')
    await proxy.exited
  }
}

test.skipIf(caddy === null)("the README's lines for Caddy work", async () => {
  const port = freePort()
  const text = shown('Caddyfile').replace('jobs.example.com {', `http://jobs.example.com:${port} {`)
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${text}`)
  await expectProxied(
    [caddy ?? '', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    `http://127.0.0.1:${port}`,
  )
})

test.skipIf(nginx === null)("the README's lines for nginx work", async () => {
  const port = freePort()
  const text = shown('corkboard.conf')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/etc/ssl/jobs.example.com.pem', join(folder, 'cert.pem'))
    .replace('/etc/ssl/jobs.example.com.key', join(folder, 'key.pem'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  const main = `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\n`
  await writeFile(
    join(folder, 'nginx.conf'),
    `${main}http {\naccess_log off;\n${paths.join('\n')}\n${text}}\n`,
  )
  const config = join(folder, 'nginx.conf')
  await expectProxied(
    [nginx ?? '', '-e', join(folder, 'error.log'), '-c', config],
    `https://127.0.0.1:${port}`,
  )
})
