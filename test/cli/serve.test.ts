import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../src/config/environment.ts'
import { Store } from '../../src/store/store.ts'
import { basic } from '../helpers/board.ts'
import { COMMAND, Corkboard, corkboard, corkboardOnTerminal, until, VERSION } from '../helpers/process.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse'
const ADMIN = { CORKBOARD_ADMIN_EMAIL: EMAIL, CORKBOARD_ADMIN_PASSWORD: PASSWORD }

let folder: string
let running: Corkboard[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-serve-'))
  running = []
})

afterEach(async () => {
  await Promise.all(running.map(server => server.end('SIGKILL')))
  await rm(folder, { recursive: true })
})

/** Starts a server in the test's folder, on a free port. */
function start(args: readonly string[] = [], variables: Environment = {}): Corkboard {
  const server = new Corkboard(['serve', '--port', '0', ...args], { variables, folder })
  running.push(server)
  return server
}

const generatedAccount = (out: string) => /^ {2}(\S+@\S+)\n {2}([a-z2-9]{20})$/m.exec(out)?.slice(1)

interface Job {
  readonly id: number
  readonly url: string
  readonly created_at: string
  readonly plan: { readonly pin: boolean }
}

async function getJobs(url: string): Promise<Job[]> {
  const response = await get(`${url}/jobs.json`)
  return (await response.json()) as Job[] // as the interface says
}

const get = (url: string, email?: string, password = '') =>
  fetch(url, email === undefined ? {} : { headers: { authorization: basic(email, password) } })

describe('the first start', () => {
  test('creates a private data directory, and an administrator whose password it prints once', async () => {
    const server = start(['--sample'])
    const url = await server.url()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    const [email, password] = generatedAccount(server.out) ?? []
    expect(email).toBe('admin@localhost')
    const response = await get(`${url}/users.json`, email, password)
    expect(await response.json()).toMatchObject([{ id: 1, email: 'admin@localhost', role: 'admin' }])
    expect(`${server.out}${server.err}`.split(String(password))).toHaveLength(2)
  })

  test('creates the configured administrator, and prints no password', async () => {
    const server = start([], ADMIN)
    const url = await server.url()
    expect((await get(`${url}/users.json`, EMAIL, PASSWORD)).status).toBe(200)
    expect(server.out).toContain('Created the administrator ada@example.com with the configured password.')
    expect(server.out).not.toContain(PASSWORD)
  })

  test('reads the password from a file', async () => {
    writeFileSync(join(folder, 'password'), `${PASSWORD}\n`)
    const { CORKBOARD_ADMIN_EMAIL } = ADMIN
    const server = start([], { CORKBOARD_ADMIN_EMAIL, CORKBOARD_ADMIN_PASSWORD_FILE: 'password' })
    expect((await get(`${await server.url()}/users.json`, EMAIL, PASSWORD)).status).toBe(200)
  })

  test('is the only start that creates an administrator', async () => {
    const first = start()
    await first.url()
    const [email, password] = generatedAccount(first.out) ?? []
    expect(await first.end('SIGTERM')).toBe(0)
    const second = start([], ADMIN)
    const url = await second.url()
    expect(second.out).toStartWith(`Corkboard ${VERSION} listens on ${url} and keeps its data in ./data.\n`)
    expect(second.out).toContain(
      `Open ${url}/ in a browser. The API is at ${url}/docs.\nThe board has no jobs yet.`,
    )
    expect(second.out).not.toContain('password')
    expect((await get(`${url}/users.json`, email, password)).status).toBe(200)
    expect((await get(`${url}/users.json`, EMAIL, PASSWORD)).status).toBe(401)
  })

  test('fills an empty board with --sample once, and shows what to try', async () => {
    const first = start(['--sample'])
    const url = await first.url()
    const before = await getJobs(url)
    expect(before.length).toBeGreaterThan(20)
    expect(before[0]).toMatchObject({ plan: { pin: true }, url: `${url}/jobs/${before[0]?.id}.json` })
    expect(new Set(before.map(job => job.created_at)).size).toBe(before.length)
    expect(first.out).toContain(`  curl '${url}/jobs.json?q=nurse'\n`)
    await first.end('SIGTERM')
    const second = start(['--sample'])
    expect(await getJobs(await second.url())).toHaveLength(before.length)
  })

  test('does not change a board that is not empty with --sample', async () => {
    const variables = ADMIN
    const first = start([], variables)
    const body = JSON.stringify({ name: 'Ours' })
    const headers = { authorization: basic(EMAIL, PASSWORD), 'content-type': 'application/json' }
    await fetch(`${await first.url()}/terms.json`, { method: 'POST', headers, body })
    await first.end('SIGTERM')
    const second = start(['--sample'], variables)
    const url = await second.url()
    expect(await getJobs(url)).toEqual([])
    expect(await (await get(`${url}/terms.json`, EMAIL, PASSWORD)).json()).toHaveLength(1)
  })
})

describe('a start that fails', () => {
  test('lists every error, and creates nothing', async () => {
    const variables = { CORKBOARD_PORT: 'x', CORKBOARD_LOG: 'xml' }
    const { status, out, err } = await corkboard(['--smaple', '--approve=some'], { variables, folder })
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err.trimEnd().split('\n')).toEqual([
      'Unknown option --smaple. Did you mean --sample?',
      'CORKBOARD_PORT must be a whole number from 0 to 65535 (given: "x").',
      '--approve must be none, paid or all (given: "some").',
      'CORKBOARD_LOG must be pretty or json (given: "xml").',
    ])
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('reports that the data is in use', async () => {
    await start().url()
    const { status, err } = await corkboard(['--port', '0'], { folder })
    expect(status).toBe(1)
    expect(err).toMatch(/^\.\/data is in use by another Corkboard \(process \d+\)\. Stop it first\.\n$/)
  })

  test('reports that the port is in use, and creates no data directory', async () => {
    const { port } = new URL(await start().url())
    const { status, err } = await corkboard(['--port', port, '--data', 'other'], { folder })
    expect(status).toBe(1)
    expect(err).toBe(
      `Can't listen on 127.0.0.1, port ${port}: the port is in use. Stop the other program, or choose another --port.\n`,
    )
    expect(existsSync(join(folder, 'other'))).toBe(false)
  })

  test('reports that the host is another machine', async () => {
    const { status, err } = await corkboard(['--port', '0', '--host', '192.0.2.1'], { folder })
    expect({ status, err }).toEqual({
      status: 1,
      err: "Can't listen on 192.0.2.1, port 0: this machine has no such address.\n",
    })
  })

  test('reports that the data directory is a file', async () => {
    writeFileSync(join(folder, 'data'), '')
    const { status, err } = await corkboard(['--port', '0'], { folder })
    expect(status).toBe(1)
    expect(err).toBe("./data can't be used: it isn't a directory.\n")
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})

test('starts links with the base URL, wherever it listens', async () => {
  const server = start(['--sample', '--base-url', 'https://jobs.example.com/'])
  const [job] = await getJobs(await server.url())
  expect(job?.url).toBe(`https://jobs.example.com/jobs/${job?.id}.json`)
})

test('shows the start of links if it listens to other machines without a base URL', async () => {
  const server = start(['--host', '0.0.0.0'])
  const url = await server.url()
  expect(server.out).toContain(`Links start with ${url}. Set --base-url if people use another address.\n`)
})

test('uses TLS with a certificate', async () => {
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE)
  writeFileSync(join(folder, 'key.pem'), PRIVATE_KEY)
  const url = await start(['--tls-cert', 'cert.pem', '--tls-key', 'key.pem']).url()
  expect(url).toStartWith('https://127.0.0.1:')
  const response = await fetch(`${url}/health.json`, { tls: { ca: CERTIFICATE } })
  const statusFor = async (host: string) =>
    (await fetch(`${url}/jobs.json`, { tls: { ca: CERTIFICATE }, headers: { host } })).status
  // Elysia looks for the path after a scheme of three letters or more
  expect(await Promise.all(['a', 'ab', 'abc', 'a:80'].map(statusFor))).toEqual([400, 400, 200, 200])
  expect(response.status).toBe(200)
})

describe('a signal', () => {
  /** Starts a request that ends only when `finish` has sent the rest of it. */
  async function beginRequest(url: string) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let response = ''
    socket.on('data', chunk => (response += chunk.toString()))
    socket.on('error', () => {})
    const head = ['POST /terms.json HTTP/1.1', 'host: x', `authorization: ${basic(EMAIL, PASSWORD)}`]
    const rest = ['content-type: application/json', 'content-length: 16', 'connection: close']
    socket.write([...head, ...rest, '', '{"name":'].join('\r\n'))
    // authenticated, and waiting for the body
    await get(`${url}/users/me.json`, EMAIL, PASSWORD)
    await Bun.sleep(100)
    return { finish: () => socket.write('"Begun"}'), response: () => response }
  }

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends an idle server with status 0', async name => {
    const server = start([], ADMIN)
    const url = await server.url()
    expect((await get(`${url}/jobs.json`)).status).toBe(200)
    expect(await server.end(name)).toBe(0)
    expect(server.err).toContain('"message":"stopping"')
    expect(await get(`${url}/jobs.json`).catch(() => 'refused')).toBe('refused')
  })

  test('lets a running request finish', async () => {
    const server = start([], ADMIN)
    const request = await beginRequest(await server.url())
    server.signal('SIGTERM')
    await until(() => server.err.includes('stopping'))
    request.finish()
    expect(await server.end()).toBe(0)
    expect(request.response()).toStartWith('HTTP/1.1 201 ')
    const again = start([], ADMIN)
    expect(await (await get(`${await again.url()}/terms.json`, EMAIL, PASSWORD)).json()).toMatchObject([
      { name: 'Begun' },
    ])
  })

  test('ends the server at once when it is repeated', async () => {
    const server = start([], ADMIN)
    await beginRequest(await server.url())
    server.signal('SIGTERM')
    await until(() => server.err.includes('stopping'))
    expect(await server.end('SIGTERM')).toBe(1)
  })
})

describe('an account that is changed while a server runs', () => {
  const command = (words: string, stdin = '') => corkboard(['user', ...words.split(' ')], { folder, stdin })

  test('changes for the next request', async () => {
    const server = start([], ADMIN)
    const url = await server.url()
    const statusOf = async (password: string) =>
      (await get(`${url}/users.json`, 'bob@example.com', password)).status

    expect(await command('add bob@example.com --password-stdin', 'first password\n')).toMatchObject({
      status: 0,
    })
    const store = await Store.open(join(folder, 'data'), { shared: true })
    expect(store.read.users.all().at(-1)?.passwordHash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    await store.close()
    expect(await statusOf('first password')).toBe(403)
    await command('role bob@example.com admin')
    expect(await statusOf('first password')).toBe(200)
    await command('password bob@example.com --password-stdin', 'second password\n')
    expect(await statusOf('first password')).toBe(401)
    expect(await statusOf('second password')).toBe(200)
    expect((await command('list')).out.split('\n').map(line => line.split('\t')[1])).toEqual([
      EMAIL,
      'bob@example.com',
      undefined,
    ])
    await command('remove bob@example.com')
    expect(await statusOf('second password')).toBe(401)
  })
})

describe('a password that is entered on a terminal', () => {
  const add = (...entries: string[]) =>
    corkboardOnTerminal(['user', 'add', 'bob@example.com', '--data', join(folder, 'data')], entries)

  beforeEach(async () => {
    const server = start([], ADMIN)
    await server.url()
  })

  test('is entered twice and never shown', async () => {
    expect(await add('battery staple\r', 'battery staple\r')).toEqual({
      status: 0,
      screen: 'Password: \r\nRepeat password: \r\nCreated the account bob@example.com (user).\r\n',
    })
  })

  test.each([
    ['too short', ['staple\r'], 'Password: \r\nThe password must have at least 8 characters.\r\n'],
    [
      'another',
      ['battery staple\r', 'battery stable\r'],
      "Password: \r\nRepeat password: \r\nThe passwords don't match.\r\n",
    ],
    ['interrupted', ['batt\x03'], 'Password: \r\nNo password was entered.\r\n'],
    ['closed without input', ['\x04'], 'Password: \r\nNo password was entered.\r\n'],
  ])('is refused if it is %s', async (_, entries, screen) => {
    expect(await add(...entries)).toEqual({ status: 1, screen })
  })
})

test('does not fail if its output is closed', () => {
  const script = `{ sleep 0.3; "$@" --help; echo "status $?" >&2; } | true`
  const env = { PATH: '/usr/bin:/bin' }
  const { stderr } = Bun.spawnSync(['sh', '-c', script, 'sh', ...COMMAND], { env })
  expect(stderr.toString()).toBe('status 0\n')
})
