import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { treaty } from '@elysiajs/eden'
import openapiTS, { astToString } from 'openapi-typescript'
import type { Corkboard } from '../../src/server/app.ts'
import { type Account, TestBoard } from '../helpers/board.ts'
import { contractOf } from '../helpers/contract.ts'
import { createReferences, jobBody, type References } from '../helpers/references.ts'

let board: TestBoard
let server: Bun.Server<undefined>
let references: References
let owner: Account
beforeAll(async () => {
  board = await TestBoard.open()
  server = board.listen()
  references = await createReferences(board)
  owner = await board.account('owner@example.com')
})
afterAll(async () => {
  await server.stop(true)
  await board.close()
})

describe("Eden's client", () => {
  const client = (account?: Account) =>
    treaty<Corkboard>(server.url.origin, {
      // times are typed as the text that they are
      parseDate: false,
      ...(account && { headers: { authorization: account.authorization } }),
    })

  test('posts, reads, lists, changes and deletes a job, all of it typed', async () => {
    const api = client(owner)
    const made = await api['jobs.json'].post({ ...jobBody(references), salary: 2400, arrangement: 'hybrid' })
    expect(made.error).toBeNull()
    const {
      id,
      status,
      expires_at: end,
    }: { id: number; status: Status; expires_at: string | null } = made.data ?? fail()
    expect([status, end]).toEqual(['active', null])

    // what was read may be sent back
    const changed = await api.jobs({ id: `${id}.json` }).put({ title: 'Head nurse', expires_at: end })
    const title: string | undefined = changed.data?.title
    expect(title).toBe('Head nurse')

    const list = await client()['jobs.json'].get({
      query: { q: 'nurse', category: references.category, per_page: 5 },
    })
    const [job] = list.data ?? []
    const salary: string | undefined = job?.salary
    expect(salary).toBe('2400')
    expect(list.response.headers.get('x-total-count')).toBe('1')

    const read = await client()
      .jobs({ id: `${id}.json` })
      .get()
    const shown = read.data
    expect(shown?.id).toBe(id)
    // what only owners and administrators see is there where it was looked for
    const views: number | undefined = shown && 'views' in shown ? shown.views : undefined
    expect(views).toBeUndefined()

    const gone = await api.jobs({ id: `${id}.json` }).delete()
    const message: string | undefined = gone.data?.message
    expect(message).toBe('The job "Head nurse" was deleted.')
  })

  test('sends a logo in a form', async () => {
    const logo = new File(
      [await Bun.file(`${import.meta.dir}/../../src/assets/plain-card.png`).bytes()],
      'logo.png',
    )
    const { data } = await client(owner)['jobs.json'].post({ ...jobBody(references), logo })
    expect(data?.logo).toStartWith('https://board.example.com/logos/')
  })

  test('tells what is wrong, typed too', async () => {
    const { error } = await client(owner)['jobs.json'].post({
      ...jobBody(references),
      // @ts-expect-error a title is text
      title: null,
    })
    const faults: Record<string, string[]> | undefined = error?.value.errors
    expect(faults).toEqual({ title: ['is required'] })
    expect(error?.status).toBe(422)
  })

  test('knows what each path takes', async () => {
    const api = client()
    const refused = await Promise.all([
      // @ts-expect-error no such arrangement
      api['jobs.json'].get({ query: { arrangement: 'anywhere' } }),
      // @ts-expect-error an id is a number
      api['jobs.json'].post({ ...jobBody(references), category_id: 'first' }),
      // @ts-expect-error an id is a number
      api.jobs({ id: '1.json' }).put({ plan_id: 'first' }),
      // @ts-expect-error a category has a name
      api['categories.json'].post({}),
      // @ts-expect-error a password is needed
      api['users.json'].post({ email: 'new@example.com' }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([422, 401, 401, 401, 401])
  })
})

type Status = 'active' | 'expired' | 'pending'

const fail = (): never => {
  throw new Error('nothing came')
}

describe('the types that openapi-typescript makes', () => {
  const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './corkboard.ts'

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '', headers: { authorization: process.argv[3] ?? '' } })

const list = await client.GET('/jobs.json', { params: { query: { q: 'nurse', per_page: 5 } } })
const titles: string[] = (list.data ?? []).map(job => job.title)

const body: components['schemas']['NewJob'] = JSON.parse(process.argv[4] ?? '')
const made = await client.POST('/jobs.json', { body })
const id: number = made.data?.id ?? 0

const read = await client.GET('/jobs/{id}.json', { params: { path: { id } } })
const salary: string | undefined = read.data?.salary

const changed = await client.PUT('/jobs/{id}.json', { params: { path: { id } }, body: { title: 'Head nurse' } })
const refused = await client.PUT('/jobs/{id}.json', { params: { path: { id } }, body: { title: '' } })
const faults: Record<string, string[]> | undefined = refused.error?.errors

// @ts-expect-error no such arrangement
await client.GET('/jobs.json', { params: { query: { arrangement: 'anywhere' } } })
// @ts-expect-error a title is text
await client.POST('/jobs.json', { body: { ...body, title: 1 } })

console.log(JSON.stringify([titles, salary, changed.data?.title, faults]))
`
  const TSCONFIG = {
    extends: join(import.meta.dir, '../../tsconfig.json'),
    include: ['*.ts'],
    compilerOptions: { typeRoots: [join(import.meta.dir, '../../node_modules')] },
  }

  test('are right for a program that runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corkboard-client-'))
    try {
      await Bun.write(
        join(folder, 'corkboard.ts'),
        astToString(await openapiTS(JSON.stringify(await contractOf(board)))),
      )
      await Bun.write(join(folder, 'client.ts'), PROGRAM)
      await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
      await Bun.$`ln -s ${join(import.meta.dir, '../../node_modules')} node_modules`.cwd(folder)
      const checked = await Bun.$`${process.execPath} check`.cwd(folder).nothrow().quiet()
      expect(checked.stdout.toString() + checked.stderr.toString()).toContain('No type errors')
      const sent = JSON.stringify(jobBody(references, { salary: 3000 }))
      const ran =
        await Bun.$`${process.execPath} client.ts ${server.url.origin} ${owner.authorization} ${sent}`
          .cwd(folder)
          .nothrow()
          .quiet()
      expect(ran.stderr.toString()).toBe('')
      expect(JSON.parse(ran.stdout.toString())).toEqual([
        ['Nurse'],
        '3000',
        'Head nurse',
        { title: ['is required'] },
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
