import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Listener } from '../../src/server/listener.ts'
import { TestBoard } from '../helpers/board.ts'
import { listen, RawConnection } from '../helpers/rawConnection.ts'

const FILES: Record<string, string> = {
  'secret.txt': 'secret',
  'public/favicon.ico': 'icon',
  'public/team photo.PNG': 'png',
  'public/mark.svg': '<svg/>',
  'public/google1234.html': '<p>verified',
  'public/ads.txt': 'ads',
  'public/app.webmanifest': '{}',
  'public/site-association': '{}',
  'public/images/a.webp': 'webp',
  'public/long.txt': 'word '.repeat(1000),
  'public/.env': 'secret',
  'public/.git/config': 'secret',
  // paths that routes have
  'public/robots.txt': 'shadow',
  'public/jobs.json': 'shadow',
  'public/jobs/7': 'shadow',
  'public/users.json': 'shadow',
  'public/pages/mine.css': 'shadow',
}

let folder: string
let board: TestBoard
let listener: Listener

const path = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-public-'))
  for (const [name, text] of Object.entries(FILES)) await Bun.write(path(name), text)
  await mkdir(path('public/empty'))
  await mkdir(path('public-too'))
  await Bun.write(path('public-too/secret.txt'), 'secret')
  await symlink(path('secret.txt'), path('public/out.txt'))
  await symlink(path('public-too'), path('public/out'))
  await symlink(path('public/.env'), path('public/hidden.txt'))
  await symlink(path('public/images/a.webp'), path('public/in.webp'))
  await symlink(path('public/loop'), path('public/loop'))
  board = await TestBoard.open('--pages-dir', folder)
  listener = listen(board)
})

afterAll(async () => {
  await listener.drain()
  await board.close()
  await rm(folder, { recursive: true })
})

/** Sends a path as it is, which `Request` would normalize. */
async function rawGet(target: string) {
  const connection = await RawConnection.open(listener.port)
  connection.send([`GET ${target} HTTP/1.1`, 'Host: localhost'])
  const response = await connection.readResponse()
  connection.close()
  return response
}

describe('public files', () => {
  test.each([
    ['/favicon.ico', 'image/vnd.microsoft.icon'],
    ['/team%20photo.PNG', 'image/png'],
    ['/mark.svg', 'image/svg+xml'],
    ['/google1234.html', 'text/html; charset=utf-8'],
    ['/google1234%2Ehtml?v=1', 'text/html; charset=utf-8'],
    ['/ads.txt', 'text/plain; charset=utf-8'],
    ['/app.webmanifest', 'application/manifest+json'],
    ['/site-association', 'application/octet-stream'],
    ['/images/a.webp', 'image/webp'],
    ['/in.webp', 'image/webp'],
  ])('%s is served as %s', async (target, type) => {
    const response = await board.get(target)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })

  test.each([
    '/missing.txt',
    '/images',
    '/images/',
    '/empty',
    '/favicon.ico/',
    '//favicon.ico',
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/out.txt',
    '/out/secret.txt',
    '/hidden.txt',
    '/loop',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/images/..%2f..%2fsecret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/images%2fa.webp',
    '/..%2fpublic-too%2fsecret.txt',
    '/favicon.ico%00',
    '/favicon.ico%00.png',
    '/%ff',
    '/%',
    `/${'a'.repeat(5000)}`,
  ])('%s is a path that does not exist', async target => {
    const response = await rawGet(target)
    expect(response.status).toBe(404)
    expect(JSON.parse(response.body)).toMatchObject({ error: 'No such path.' })
  })

  test.each(['/robots.txt', '/jobs.json', '/jobs/7', '/users.json', '/pages/mine.css'])(
    'do not shadow the route of %s',
    async target => {
      expect(await (await board.get(target)).text()).not.toBe('shadow')
    },
  )

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is as for an unknown path', async method => {
    const [file, unknown] = await Promise.all(
      ['/favicon.ico', '/missing.ico'].map(target => board.request(method, target)),
    )
    expect(file?.status).toBe(404)
    expect(await file?.json()).toEqual(await unknown?.json())
  })

  test('are read with HEAD and revalidated', async () => {
    const get = await board.get('/favicon.ico')
    const etag = get.headers.get('etag') ?? ''
    const head = await board.request('HEAD', '/favicon.ico')
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
      200,
      etag,
      '4',
    ])
    expect(await head.text()).toBe('')
    const again = await board.get('/favicon.ico', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('are compressed if they are text', async () => {
    const response = await board.get('/long.txt', { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(Bun.gunzipSync(await response.arrayBuffer())).toHaveLength(5000)
  })

  test('can be added, changed and removed at any time', async () => {
    const read = async () => {
      const response = await board.get('/new.txt')
      return response.ok ? [await response.text(), response.headers.get('etag')] : response.status
    }
    expect(await read()).toBe(404)
    await Bun.write(path('public/new.txt'), 'one')
    const first = await read()
    await Bun.sleep(20)
    await Bun.write(path('public/new.txt'), 'two')
    const second = await read()
    expect([first, second]).toEqual([
      ['one', expect.any(String)],
      ['two', expect.any(String)],
    ])
    expect(second).not.toEqual(first)
    await rm(path('public/new.txt'))
    expect(await read()).toBe(404)
  })

  test('are not in the API description, and their folder is not reported as an unknown template', async () => {
    expect(await (await board.get('/openapi.json')).text()).not.toContain('favicon')
    await board.board.log.flush()
    const warning = board.logged.find(line => line.includes('templates folder'))
    expect(warning).toContain('"files":"public-too, secret.txt"')
  })
})

test('without a folder, or with the website off, there are none', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'corkboard-public-'))
  for (const flags of [[], ['--pages-dir', empty], ['--pages-dir', folder, '--pages', 'off']]) {
    const other = await TestBoard.open(...flags)
    expect((await other.get('/favicon.ico')).status).toBe(404)
    await other.close()
  }
  await rm(empty, { recursive: true })
})
