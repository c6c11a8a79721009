import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createApp } from '../../src/server/app.ts'
import { START, type TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard, REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { fieldErrors, idsOf, jsonObject } from '../helpers/responses.ts'

const DAY = 86_400_000

let fixture: FixtureBoard
let board: TestBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
beforeEach(async () => {
  board.clock.now = START
  for (const { id } of board.board.store.read.jobs.all())
    await board.board.store.write(tables => tables.jobs.remove(id)?.id)
})
afterAll(() => board.close())

const find = (q: string, more = '') => idsOf(board.get(`/jobs.json?q=${encodeURIComponent(q)}${more}`))

async function post(body: object = {}): Promise<number> {
  const { id } = await jsonObject(
    board.post('/jobs.json', { as: fixture.owner, body: { ...REQUIRED_FIELDS, ...body } }),
  )
  return Number(id)
}

test('a job is found at once after it is posted or changed, and no longer after it is deleted', async () => {
  expect(await find('luthier')).toEqual([])
  const id = await post({ title: 'Luthier' })
  expect(await find('luthier')).toEqual([id])
  await board.put(`/jobs/${id}.json`, { as: fixture.owner, body: { title: 'Cooper' } })
  expect(await find('luthier')).toEqual([])
  expect(await find('cooper')).toEqual([id])
  await board.delete(`/jobs/${id}.json`, { as: fixture.owner })
  expect(await find('cooper')).toEqual([])
})

test('the index has the last of many simultaneous changes of a job', async () => {
  const id = await post({ title: 'Luthier' })
  const titles = [...'abcdefghijklmnopqrst'].map(letter => letter.repeat(6))
  await Promise.all(
    titles.map(title => board.put(`/jobs/${id}.json`, { as: fixture.owner, body: { title } })),
  )
  const { title } = await jsonObject(board.get(`/jobs/${id}.json`))
  for (const other of titles) expect(await find(other)).toEqual(other === title ? [id] : [])
})

test.each([
  ['title', { title: 'Luthier' }],
  ['company', { company: 'Luthier' }],
  ['location', { location: 'Luthier' }],
  ['description', { description: 'We need a *luthier*.' }],
])('a word of the %s finds', async (_, body) => {
  const id = await post(body)
  await post()
  expect(await find('LUTHIER')).toEqual([id])
})

test('category and term are found by name, also after renaming', async () => {
  const id = await post({ category_id: 2, term_id: 2 })
  const rename = (path: string, name: string) => board.put(path, { as: fixture.admin, body: { name } })
  expect(await find('health contract')).toEqual([id])
  await rename('/categories/2.json', 'Wellbeing')
  await rename('/terms/2.json', 'Temporary')
  expect(await find('contract')).toEqual([])
  expect(await find('wellbeing temporary')).toEqual([id])
  await rename('/categories/2.json', 'Health')
  await rename('/terms/2.json', 'Contract')
  expect(await find('health contract')).toEqual([id])
})

test("expired and pending jobs are not found, and don't displace others", async () => {
  const [expiring, lasting] = await insertJobs(board.board, [
    { title: 'Night nurse', expiresAt: START + DAY },
    { title: 'Nurse' },
    { title: 'Night nurse', pending: true },
    { title: 'Night nurse', expiresAt: START },
  ])
  expect(await find('night nurse')).toEqual([Number(expiring)])
  board.clock.now += DAY
  // no remaining job has both words, so one is enough
  expect(await idsOf(board.get('/jobs.json?q=night+nurse', { as: fixture.admin }))).toEqual([Number(lasting)])
  expect(await find('night nurse')).toEqual([Number(lasting)])
})

test.each(['nobody', 'admin'] as const)('a job that expires while %s searches is not found', async who => {
  await insertJobs(board.board, [{ expiresAt: START + DAY }])
  expect(await find('nurse')).toHaveLength(1)
  const response = board.get('/jobs.json?q=nurses', who === 'admin' ? { as: fixture.admin } : {})
  board.clock.now += DAY
  expect(await idsOf(response)).toEqual([])
  expect((await response).headers.get('x-total-count')).toBe('0')
})

test('filters, total and pages apply to results in order of relevance', async () => {
  const ids = await insertJobs(board.board, [
    { title: 'Nurse', arrangement: 'onsite', createdAt: START - 5 * DAY },
    { description: 'Helps the nurse.', company: 'x', title: 'Porter', categoryId: 2, planId: 2 },
    { company: 'Nurse & Co', title: 'Porter', description: 'x', termId: 2 },
  ])
  const [inTitle, inText, inCompany] = ids.map(Number)
  expect(await find('nurse')).toEqual([Number(inTitle), Number(inCompany), Number(inText)])
  expect(await find('nurse', '&category=1')).toEqual([Number(inTitle), Number(inCompany)])
  expect(await find('nurse', '&term=2&category=1')).toEqual([Number(inCompany)])
  expect(await find('nurse', '&term=2&category=2')).toEqual([])
  expect(await find('nurse', '&arrangement=onsite')).toEqual([Number(inTitle)])
  const response = await board.get('/jobs.json?q=nurse&per_page=1&page=2')
  expect(await idsOf(response)).toEqual([Number(inCompany)])
  expect(response.headers.get('x-total-count')).toBe('3')
  expect(response.headers.get('link')).toContain('q=nurse&per_page=1&page=3>; rel="next"')
})

test('mine applies to a search', async () => {
  const [ownId] = await insertJobs(board.board, [{ userId: fixture.owner.id }, { userId: fixture.other.id }])
  expect(await idsOf(board.get('/jobs.json?q=nurse&mine=1', { as: fixture.owner }))).toEqual([Number(ownId)])
})

test.each([
  ['the beginning of the last word', 'carp'],
  ['a slip', 'carpemter'],
  ['swapped letters', 'carpetner'],
  ['no accents', 'garcon'],
  ['other accents and case', 'GARÇÓN'],
  ['words in another order', 'oslo garçon carpenter'],
])('a search matches by %s', async (_, q) => {
  const id = await post({ title: 'Carpenter', company: 'Le Garçon', location: 'Oslo' })
  expect(await find(q)).toEqual([id])
})

test.each([
  ['', 1],
  [' \t ', 1],
  ['!?', 0],
  ['"', 0],
  ['*', 0],
  ['(', 0],
  ['\\', 0],
  ['🦀', 0],
])('q=%j finds %i jobs', async (q, jobs) => {
  await post()
  expect(await find(q)).toHaveLength(jobs)
})

test.each([
  ['x'.repeat(256), 200],
  ['🦀'.repeat(256), 200],
  [`  ${'x'.repeat(256)}  `, 200],
  ['x'.repeat(257), 422],
  ['🦀'.repeat(257), 422],
  ['a\0b', 422],
])('a search for %j gets %i', async (q, status) => {
  const response = await board.get(`/jobs.json?q=${encodeURIComponent(q)}`)
  expect(response.status).toBe(status)
  if (status === 422) expect(await fieldErrors(response)).toEqual({ q: [expect.any(String)] })
})

test('searches during changes return complete results', async () => {
  const rounds = Array.from({ length: 30 }, async (_, at) => {
    const id = await post({ title: `Luthier ${at}` })
    expect(await find('luthier')).toContain(id)
    if (at % 2 === 0) await board.delete(`/jobs/${id}.json`, { as: fixture.owner })
    expect((await find('luthier')).includes(id)).toBe(at % 2 === 1)
  })
  await Promise.all(rounds)
  expect(await find('luthier')).toHaveLength(15)
})

test('a search keeps its connection open only while it waits for the index', async () => {
  const held: string[] = []
  const app = createApp(board.board, { requestIP: () => null, holdOpen: ({ url }) => void held.push(url) })
  const search = (q: string) => app.fetch(new Request(`http://localhost/jobs.json?q=${q}`))
  await post({ title: 'Chandler' })
  await find('chandler')
  await search('first')
  expect(held).toEqual([])
  board.board.search.markChanged([1])
  await search('second')
  expect(held).toEqual(['http://localhost/jobs.json?q=second'])
})

test('too many searches at once are refused, and no later ones', async () => {
  const statusOf = async (q: string) => {
    const { status, headers } = await board.get(`/jobs.json?q=${q}`)
    return `${status} ${headers.get('retry-after')}`
  }
  const statuses = await Promise.all(Array.from({ length: 1100 }, (_, at) => statusOf(`flood${at}`)))
  const refused = statuses.filter(status => status !== '200 null')
  expect(new Set(refused)).toEqual(new Set(['503 2']))
  expect(refused.length).toBeWithin(1, 101)
  expect(await statusOf('calm')).toBe('200 null')
})

describe('A search says', () => {
  const headersOf = async (q: string) => {
    const { headers } = await board.get(`/jobs.json?q=${encodeURIComponent(q)}`)
    return [headers.get('x-search'), headers.get('x-search-corrected')]
  }
  beforeEach(async () => {
    await insertJobs(board.board, [{ title: 'Night nurse' }, { title: 'Каменщик' }])
  })

  test.each<[q: string, match: string, corrected: string | null]>([
    ['night nurse', 'all', null],
    ['nurses', 'all', null],
    ['nruse', 'all', 'nurse'],
    ['nigth nruse', 'all', 'night nurse'],
    ['night luthier', 'some', null],
    ['камещик', 'all', encodeURI('каменщик')],
  ])(
    'of %p whether jobs match %s of it, and how it was corrected, from the cache too',
    async (q, match, corrected) => {
      for (let times = 0; times < 4; times++) expect(await headersOf(q)).toEqual([match, corrected])
    },
  )

  test('nothing of the kind where nothing is searched', async () => {
    expect(await headersOf('')).toEqual([null, null])
  })

  test('it to people as well', async () => {
    const page = async (q: string) =>
      await (await board.get(`/?q=${q}`, { headers: { accept: 'text/html' } })).text()
    expect(await page('night+nurse')).not.toContain('class="match"')
    expect(await page('nruse')).toContain('Showing results for <em>nurse</em>.')
    expect(await page('night+luthier')).toContain(
      'No jobs match all of these words; showing jobs that match some.',
    )
    expect(await page('luthier')).not.toContain('class="match"')
  })
})

test("an owner's synonyms are read again on request, with a warning for each bad line", async () => {
  const [id] = await insertJobs(board.board, [{ title: 'Registered nurse' }, { title: 'Porter' }])
  const file = join(board.board.config.data, 'synonyms.txt')
  const load = async (text: string) => {
    await Bun.write(file, text)
    await board.board.loadSynonyms()
  }
  // as often as makes it cached
  for (let times = 0; times < 4; times++) expect(await find('rn')).toEqual([])
  await load('nonsense\nrn = registered nurse\n')
  expect(await find('rn')).toEqual([Number(id)])
  await board.board.log.flush()
  expect(board.logged.filter(line => line.includes('synonyms.txt, line 1: '))).toHaveLength(1)
  await load('')
  expect(await find('rn')).toEqual([])
})
