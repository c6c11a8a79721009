import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Account } from '../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'

const KiB = 1024
const MiB = 1024 * KiB

const JSON_TYPE = 'application/json'
const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=B'

let board: FixtureBoard
beforeAll(async () => {
  board = await openFixtureBoard(
    '--registration',
    'open',
    '--smtp-url',
    'smtp://127.0.0.1:1',
    '--mail-from',
    'a@b.example',
  )
})
afterAll(() => board.test.close())

/** Returns a valid body of this type and number of bytes. */
function bodyOf(type: string, size: number): string {
  const [start = '', end = ''] = {
    [JSON_TYPE]: ['{"x":"', '"}'],
    [URLENCODED]: ['x=', ''],
    [MULTIPART]: ['--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n', '\r\n--B--\r\n'],
  }[type] as string[]
  return start + 'y'.repeat(size - start.length - end.length) + end
}

type Who = 'nobody' | 'owner' | 'admin'

async function send(method: string, path: string, who: Who, type: string, size: number): Promise<Response> {
  const account: Account | undefined = who === 'nobody' ? undefined : board[who]
  return await board.test.request(method, path, {
    ...(account && { as: account }),
    body: bodyOf(type, size),
    headers: { 'content-type': type, 'x-forwarded-for': `198.51.100.${Math.floor(Math.random() * 256)}` },
  })
}

const LIMITS: readonly (readonly [method: string, path: string, who: Who, type: string, limit: number])[] = [
  ...['/subscribers.json', '/events.json', '/password-resets.json', '/users.json'].flatMap(path =>
    [JSON_TYPE, URLENCODED, MULTIPART].map(type => ['POST', path, 'nobody', type, 16 * KiB] as const),
  ),
  ['POST', '/jobs.json', 'owner', MULTIPART, 8 * MiB],
  ['POST', '/jobs.json', 'owner', JSON_TYPE, MiB],
  ['POST', '/jobs.json', 'owner', URLENCODED, MiB],
  ['POST', '/categories.json', 'admin', MULTIPART, MiB],
  ['PUT', '/plans/1.json', 'admin', MULTIPART, MiB],
  ['PUT', '/users/2.json', 'owner', JSON_TYPE, MiB],
]

test.each(LIMITS)(
  '%s %s by %s as %s accepts %d bytes and no more',
  async (method, path, who, type, limit) => {
    expect((await send(method, path, who, type, limit)).status).not.toBe(413)
    const response = await send(method, path, who, type, limit + 1)
    expect(response.status).toBe(413)
    const size = limit < MiB ? `${limit / KiB} KiB` : `${limit / MiB} MiB`
    expect(await response.json()).toEqual({
      error: `The body is over ${size}, the limit here.`,
    })
  },
)
