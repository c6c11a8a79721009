import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic } from '../helpers/board.ts'
import { Corkboard, corkboard, EXECUTABLE } from '../helpers/process.ts'
import { remainsIn } from '../helpers/remains.ts'

/** Words in ten scripts and more; the longest are over 64 letters with their repetitions, the last are outside the BMP. */
const WORDS: Readonly<Record<string, string>> = {
  latin: 'Café Ångström İstanbul',
  greek: 'Μηχανικός λογισμικού',
  cyrillic: 'Инженер-программист',
  arabic: 'مهندس برمجيات',
  hebrew: 'מהנדס תוכנה',
  devanagari: 'सॉफ़्टवेयर अभियंता',
  chinese: '软件工程师',
  japanese: 'ソフトウェア技術者',
  korean: '소프트웨어 엔지니어',
  thai: 'วิศวกรซอฟต์แวร์',
  georgian: 'პროგრამისტი',
  emoji: '👩🏽‍💻 🇪🇺 𝔠𝔬𝔡𝔢𝔯 𠮷',
}
/** Returns a domain in another script as it is written in an address. */
const DOMAIN = 'xn--bcher-kva.example'
const ADMIN = { CORKBOARD_ADMIN_EMAIL: 'ada@example.com', CORKBOARD_ADMIN_PASSWORD: 'correct horse' }

let folder: string
let servers: Corkboard[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-scripts-'))
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map(server => server.end('SIGKILL')))
  await rm(folder, { recursive: true })
})

async function run(command: string, stdin = '') {
  const result = await corkboard(command.split(' '), { program: EXECUTABLE, folder, stdin })
  expect({ command, ...result }).toMatchObject({ status: 0, err: '' })
  return result.out
}

/** Starts a server on a data directory, and returns a function that sends requests. */
async function serve(data: string) {
  const args = ['serve', '--port', '0', '--data', data]
  const server = new Corkboard(args, { program: EXECUTABLE, folder, variables: ADMIN })
  servers.push(server)
  const url = await server.url()
  const headers = {
    authorization: basic(ADMIN.CORKBOARD_ADMIN_EMAIL, ADMIN.CORKBOARD_ADMIN_PASSWORD),
    'content-type': 'application/json',
  }
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect([method, path, response.ok ? 'ok' : text]).toEqual([method, path, 'ok'])
    return JSON.parse(text)
  }
}

type Send = Awaited<ReturnType<typeof serve>>

/** Creates a job in each script with its own category, term and plan, an account and a subscriber. */
async function fill(send: Send) {
  for (const [script, words] of Object.entries(WORDS)) {
    const ids = await Promise.all(
      ['categories', 'terms', 'plans'].map(async kind => {
        const created = await send('POST', `/${kind}.json`, { name: `${words} ${kind}` })
        return (created as { id: number }).id // as the interface says
      }),
    )
    await send('POST', '/jobs.json', {
      title: words,
      description: `# ${words}\n\n${`${words} `.repeat(300)}`,
      location: words,
      company: words,
      company_website: 'https://example.com',
      application_url: `https://example.com/${encodeURIComponent(words)}`,
      category_id: ids[0],
      term_id: ids[1],
      plan_id: ids[2],
    })
    await send('POST', '/users.json', {
      email: `${script}@${DOMAIN}`,
      password: `${words} ${words}`,
    })
  }
}

interface Job {
  readonly title: string
  readonly description: string
  readonly category: { readonly name: string }
}

async function contents(send: Send) {
  const jobs = (await send('GET', '/jobs.json')) as Job[] // as the interface says
  const users = (await send('GET', '/users.json')) as { email: string }[]
  return {
    titles: jobs.map(({ title }) => title).toSorted(),
    jobs: jobs
      .map(({ title, description, category }) => [title, description, category.name].join('\n'))
      .toSorted(),
    users: users.map(({ email }) => email).toSorted(),
  }
}

test('the executable handles a board in every script', async () => {
  const send = await serve('data')
  await fill(send)
  const before = await contents(send)
  expect(before.titles).toEqual(Object.values(WORDS).toSorted())
  const many = Object.keys(WORDS).length
  const nothingWrong = `(jobs: ${many}, categories: ${many}, terms: ${many}, plans: ${many}, users: ${many + 1}): no errors found.\n`

  expect(await run('check')).toEndWith(nothingWrong)
  await run(`user add jose@${DOMAIN} --password-stdin`, `${WORDS['cyrillic']}\n`)
  expect(await run('user list')).toContain(`\tjose@${DOMAIN}\tuser\t`)
  await run(`user remove jose@${DOMAIN}`)

  await run('backup board.tar')
  expect(await run('restore board.tar --data restored')).toMatch(/^Restored the board of .* to restored\.$/m)
  expect(await run('check --repair --data restored')).toEndWith(nothingWrong)
  expect(await contents(await serve('restored'))).toEqual(before)

  await run('export board.jsonl')
  const imported = await run('import board.jsonl --with-accounts --data imported')
  for (const words of Object.values(WORDS)) expect(imported).toContain(`"${words} categories"`)
  expect(await run('check --data imported')).toEndWith(nothingWrong)
  expect(await run('export --data imported')).toBe(readFileSync(join(folder, 'board.jsonl'), 'utf8'))
})

test('backups and exports of the executable contain no records that a command deleted', async () => {
  const send = await serve('data')
  await fill(send)
  const ids: number[] = []
  for (let number = 0; number < 40; number++) {
    const email = `gone-${number}@example.com`
    const created = await send('POST', '/users.json', { email, password: 'correct horse' })
    ids.push((created as { id: number }).id) // as the interface says
  }
  for (const id of ids) await send('DELETE', `/users/${id}.json`)
  await run('backup board.tar')
  await run('export board.jsonl')
  expect(remainsIn(join(folder, 'data/data.mdb'))).not.toEqual([])
  expect([...remainsIn(join(folder, 'board.tar')), ...remainsIn(join(folder, 'board.jsonl'))]).toEqual([])
})
