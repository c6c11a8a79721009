import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import type { Environment } from '../../src/config/environment.ts'
import { TestBoard } from '../helpers/board.ts'
import { TestHost } from '../helpers/host.ts'
import { createReferences, jobBody, type References } from '../helpers/references.ts'
import { jsonList, jsonObject } from '../helpers/responses.ts'

let board: TestBoard
let server: Bun.Server<undefined>
let base: string
let references: References
let token: string
beforeEach(async () => {
  ;({ board, server, base } = await TestBoard.serve())
  const admin = await board.account('admin@example.com', 'admin')
  references = await createReferences(board)
  const body = { name: 'Sync', scopes: ['sources:ats'] }
  token = String((await jsonObject(board.post('/tokens.json', { as: admin, body })))['token'])
})
afterEach(async () => {
  await server.stop(true)
  await board.close()
})

const posting = (id: number, fields: object = {}) => ({ ...jobBody(references, fields), external_id: id })
const data = () => join(board.folder, 'data')

/** Writes a set, and returns the path of its file. */
function fileOf(set: readonly object[] | string): string {
  const path = join(board.folder, 'set.json')
  writeFileSync(path, typeof set === 'string' ? set : JSON.stringify(set))
  return path
}

async function sync(args: readonly string[], variables: Environment = {}) {
  const host = new TestHost({ variables })
  const status = await run(COMMANDS, ['sync', ...args], host)
  return { status, out: host.out, err: host.err }
}
const remote = (set: readonly object[] | string, ...args: string[]) =>
  sync([fileOf(set), '--source', 'ats', '--board', `${base}/`, ...args], { CORKBOARD_TOKEN: token })
const local = (set: readonly object[] | string, ...args: string[]) =>
  sync([fileOf(set), '--source', 'ats', '--data', data(), ...args])

const openIds = () =>
  board.board.store.read.jobs.all().flatMap(job => (job.closedAt === null ? [job.externalId] : []))

const COUNTS = (created: number, closed: number, refused = 0) =>
  `${created} created, 0 updated, 0 unchanged, 0 reopened, ${closed} closed, 0 detached, ${refused} refused.\n`

describe('with a running board', () => {
  test('sends the set with a token, and prints what was done and refused', async () => {
    expect(await remote([posting(1), posting(2, { title: '' }), {}])).toEqual({
      status: 0,
      out: COUNTS(1, 0, 2),
      err: 'Posting 2 (2): title is required.\nPosting 3: external_id is required.\n',
    })
    expect(await remote([posting(3)], '--dry-run')).toMatchObject({
      status: 0,
      out: `Nothing was changed. This would be done: ${COUNTS(1, 1)}`,
    })
    expect(openIds()).toEqual(['1'])
    await board.board.store.write(({ jobs }) => {
      const job = jobs.get(1)
      if (job) jobs.update(job, { title: 'Edited' })
    })
    expect((await remote([posting(1)])).err).toBe('Left alone, because somebody has changed it: 1 (job 1).\n')
  })

  test('fails with the message of the board if nothing was done', async () => {
    await remote([posting(1)])
    expect(await remote([])).toMatchObject({ status: 1, out: '' })
    expect((await remote([])).err).toContain('The set is empty, so nothing was changed.')
    expect(await remote([], '--force')).toMatchObject({ status: 0, out: COUNTS(0, 1) })
    expect((await remote('[{"external_id"')).err).toContain("The set can't be read")
    expect(await remote([posting(2, { title: '' })])).toMatchObject({ status: 1, out: COUNTS(0, 0, 1) })
  })

  test('says why a board does not take the set, and never shows the token', async () => {
    const large = Array.from({ length: 3000 }, (_, n) => posting(n))
    const args = [fileOf(large), '--source', 'other', '--board', base]
    const refused = await sync(args, { CORKBOARD_TOKEN: token })
    expect([refused.status, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain('This token lacks the scope "sources:other".')
    const file = join(board.folder, 'token')
    writeFileSync(file, `${token.slice(0, -1)}x\n`)
    const wrong = await sync(args, { CORKBOARD_TOKEN_FILE: file })
    expect([wrong.status, wrong.err.includes('cbt_')]).toEqual([1, false])
    const gone = await sync([...args.slice(0, 3), '--board', 'http://127.0.0.1:1'], {
      CORKBOARD_TOKEN: token,
    })
    expect([gone.status, gone.err]).toEqual([
      1,
      expect.stringContaining("http://127.0.0.1:1 can't be reached:"),
    ])
  })

  test('reads the set from a URL, also with an error or an empty response', async () => {
    await remote([posting(1), posting(2)])
    const source = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) =>
        url.endsWith('/jobs')
          ? Response.json([posting(2), posting(3)])
          : new Response('', { status: url.endsWith('/empty') ? 200 : 503 }),
    })
    const from = (path: string) =>
      sync([`http://127.0.0.1:${source.port}${path}`, '--source', 'ats', '--board', base], {
        CORKBOARD_TOKEN: token,
      })
    expect((await from('/empty')).err).toContain('The set is empty')
    expect((await from('/broken')).err).toContain('responded with 503')
    expect(openIds()).toEqual(['1', '2'])
    expect((await from('/jobs')).out).toBe(
      '1 created, 0 updated, 1 unchanged, 0 reopened, 1 closed, 0 detached, 0 refused.\n',
    )
    await source.stop(true)
  })
})

describe('without a server', () => {
  test('changes the jobs in the data directory, and records the run', async () => {
    await board.board.close()
    expect(await local([posting(1), posting(2)])).toEqual({ status: 0, out: COUNTS(2, 0), err: '' })
    expect(await local([posting(2), posting(3)], '--dry-run')).toMatchObject({ status: 0 })
    expect((await local([])).err).toContain('The set is empty, so nothing was changed.')
    expect(await local([posting(2), posting(3)])).toMatchObject({
      status: 0,
      out: '1 created, 0 updated, 1 unchanged, 0 reopened, 1 closed, 0 detached, 0 refused.\n',
    })
    board = await board.again('--base-url', base)
    const admin = await board.account('second@example.com', 'admin')
    expect(openIds()).toEqual(['2', '3'])
    expect(board.board.store.read.jobs.get(1)).toMatchObject({ userId: null, pending: false })
    const runs = await jsonList(board.get('/sources/ats/runs.json', { as: admin }))
    expect(runs.map(({ status }) => status)).toEqual(['done', 'failed', 'done'])
    const actors = board.board.store.read.journal.all().map(({ type, actor }) => [type, actor.kind])
    expect(actors).toContainEqual(['source.run', 'cli'])
    expect(actors).toContainEqual(['job.closed', 'source'])
    expect(board.board.store.findIntegrityErrors()).toEqual([])
  })

  test('says how to send the set to a server that runs', async () => {
    const refused = await local([posting(1)])
    expect([refused.status, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain('is in use by another Corkboard')
    expect(refused.err).toContain('use --board URL')
  })
})

test.each([
  [[], 'sync takes FILE|URL'],
  [['x'], 'sync requires --source NAME.'],
  [['x', '--source', 'No'], '--source must have 1 to 64 characters'],
  [['x', '--source', 'a', '--board', 'jobs.example'], '--board must be an absolute http or https URL'],
  [['x', '--source', 'a', '--board', 'https://jobs.example'], 'requires an access token in CORKBOARD_TOKEN'],
  [['x', '--source', 'a', '--token', 'cbt_x'], 'CORKBOARD_TOKEN'],
])('wrong usage is explained: %j', async (args, message) => {
  const { status, err } = await sync(args)
  expect([status, err]).toEqual([2, expect.stringContaining(message)])
})
