import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Corkboard, EXECUTABLE } from '../helpers/process.ts'
import { TestReceiver, verify } from '../helpers/receiver.ts'
import { PATIENCE, rounds } from './duration.ts'
import { AUTHORIZATION, EMAIL } from './load.ts'

const CHANGES_PER_ROUND = 30

let folder: string
let receiver: TestReceiver

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-webhooks-'))
  receiver = new TestReceiver()
})
afterEach(async () => {
  await receiver.stop()
  await rm(folder, { recursive: true })
})

const start = () =>
  new Corkboard(['serve', '--port', '0', '--log-level', 'error', '--webhook-private', 'on'], {
    folder,
    program: EXECUTABLE,
    variables: { CORKBOARD_ADMIN_EMAIL: EMAIL, CORKBOARD_ADMIN_PASSWORD: 'correct horse' },
  })

async function post(url: string, path: string, fields: Readonly<Record<string, string>>) {
  const headers = { authorization: AUTHORIZATION }
  const body = new URLSearchParams(fields)
  const response = await fetch(url + path, { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  return (await response.json()) as Record<string, unknown> // the body of a record
}

test(
  'kill -9 between sending and noting it: every change arrives, in order, and again only with the same id',
  async () => {
    let server = start()
    let url = await server.url()
    const { secret } = await post(url, '/webhooks.json', { url: receiver.url })
    const count = rounds(2, 20)
    for (let round = 1; round <= count; round++) {
      const killed = Promise.withResolvers<void>()
      let isKilled = false
      const goal = receiver.messages.length + CHANGES_PER_ROUND / 2
      receiver.respond = () => {
        if (!isKilled && receiver.messages.length >= goal) {
          isKilled = true
          // In every other round the server is killed before it gets the response.
          const ended = server.end('SIGKILL').then(() => killed.resolve())
          if (round % 2 === 0) return ended.then(() => new Response())
        }
        return new Response()
      }
      for (let at = 1; at <= CHANGES_PER_ROUND; at++)
        await post(url, '/categories.json', { name: `Category ${round}.${at}` }).catch(() => {})
      await killed.promise
      server = start()
      url = await server.url()
    }
    await post(url, '/categories.json', { name: 'The last' })
    while (receiver.messages.at(-1)?.body.data.data?.['name'] !== 'The last') await Bun.sleep(10)
    expect(await server.end('SIGTERM')).toBe(0)

    const ids = new Map(receiver.messages.map(({ id, body }) => [body.data.seq, id]))
    const seqs = [...ids.keys()]
    const [first = 0] = seqs
    expect(seqs).toEqual(seqs.map((_, at) => first + at))
    let greatest = 0
    for (const { id, body } of receiver.messages) {
      expect(id).toBe(String(ids.get(body.data.seq)))
      // What comes again is followed by what came after it.
      expect(body.data.seq).toBeLessThanOrEqual(greatest === 0 ? first : greatest + 1)
      greatest = Math.max(greatest, body.data.seq)
    }
    const last = receiver.messages.at(-1)
    if (last) verify(String(secret), last)
  },
  PATIENCE,
)
