import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import math from '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-math-wght-normal.woff2' with { type: 'file' }
import plain from '../../src/assets/plain-card.png' with { type: 'file' }
import { DAY } from '../../src/base/clock.ts'
import { Problem } from '../../src/base/problem.ts'
import { CARD_WORKER_COMMAND, DEADLINE } from '../../src/images/cardRenderer.ts'
import { WorkerClient } from '../../src/worker/workerClient.ts'
import { type Account, BASE_URL, TestBoard } from '../helpers/board.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { BLUE, pixels, png } from '../helpers/pictures.ts'

const JOB = {
  title: 'Beekeeper',
  description: 'Bees.',
  location: 'Ljubljana',
  company: 'Apiary',
  company_website: 'https://example.com',
  application_url: 'https://example.com/apply',
  salary: 30_000,
  category_id: 1,
  term_id: 1,
  plan_id: 1,
}

let board: TestBoard
let admin: Account
let ada: Account
let bob: Account

/** Opens a board for all tests of a describe block, because its process that draws images takes a while to start. */
function useOneBoard() {
  beforeAll(() => openBoard())
  afterAll(() => board.close())
}

/** Opens a board for each test. */
function useOwnBoards() {
  beforeEach(() => openBoard())
  afterEach(() => board.close())
}

async function openBoard(...flags: string[]) {
  board = await TestBoard.open(...flags)
  admin = await board.account('admin@example.com', 'admin')
  ada = await board.account('ada@example.com')
  bob = await board.account('bob@example.com')
  for (const [path, body] of [
    ['/categories.json', { name: 'All' }],
    ['/terms.json', { name: 'Full-time' }],
    ['/plans.json', { name: 'Basic' }],
  ] as const)
    await board.post(path, { as: admin, body })
}

interface Job {
  readonly id: number
  readonly preview_image_url: string
}

async function add(fields: object = {}): Promise<Job> {
  const response = await board.post('/jobs.json', { as: ada, body: { ...JOB, ...fields } })
  expect(response.status).toBe(201)
  return (await response.json()) as Job // the API's type
}

async function read({ id }: Pick<Job, 'id'>): Promise<Job> {
  return (await (await board.get(`/jobs/${id}.json`)).json()) as Job // the API's type
}

const pathOf = ({ preview_image_url: url }: Job) => url.slice(BASE_URL.length)

const image = async (path: string, as?: Account) => {
  const response = await board.get(path, as ? { as } : {})
  return { response, bytes: await response.bytes() }
}

describe('The image of a job', () => {
  useOneBoard()

  test('is a PNG of 1200 × 630, immutable at the URL in the job', async () => {
    const job = await add()
    expect(job.preview_image_url).toMatch(/^https:\/\/board\.example\.com\/jobs\/1\.png\?v=[a-z0-9]+$/)
    expect(job).toMatchObject(await read(job))
    const { response, bytes } = await image(pathOf(job))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await pixels(bytes)).toMatchObject({ width: 1200, height: 630 })
  })

  test.each(['', '?v=', '?v=old', '?w=1'])('is cached for five minutes at .png%s', async query => {
    const job = await add()
    const current = await image(pathOf(job))
    const { response, bytes } = await image(`/jobs/${job.id}.png${query}`)
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    expect(bytes).toEqual(current.bytes)
  })

  test('is 304 for a client that has it', async () => {
    const job = await add()
    const path = pathOf(job)
    const etag = (await board.get(path)).headers.get('etag') ?? ''
    const again = await board.get(path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.headers.get('etag'), (await again.bytes()).length]).toEqual([304, etag, 0])
    await board.put(`/jobs/${job.id}.json`, { as: ada, body: { title: 'Shepherd' } })
    expect((await board.get(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  test.each([
    ['its title', '/jobs/ID.json', { title: 'Shepherd' }],
    ['its company', '/jobs/ID.json', { company: 'Farm' }],
    ['its location', '/jobs/ID.json', { location: 'Maribor' }],
    ['its arrangement', '/jobs/ID.json', { arrangement: 'hybrid' }],
    ['its salary', '/jobs/ID.json', { salary: 30_001 }],
    ['the currency of its salary', '/jobs/ID.json', { salary_currency: 'EUR' }],
    ['the period of its salary', '/jobs/ID.json', { salary_period: 'yearly' }],
    ['the name of its term', '/terms/1.json', { name: 'Part-time' }],
    ['the highlight of its plan', '/plans/1.json', { highlight: true }],
  ])('changes after %s, as does its address', async (_, path, body) => {
    const before = await add()
    const { bytes } = await image(pathOf(before))
    expect((await board.put(path.replace('ID', String(before.id)), { as: admin, body })).status).toBe(200)
    const after = await read(before)
    expect(after.preview_image_url).not.toBe(before.preview_image_url)
    expect((await image(pathOf(after))).bytes).not.toEqual(bytes)
  })

  test('does not change after changes that it does not show', async () => {
    const before = await add({ salary: '' })
    const body = { description: 'Honey.', salary_currency: 'EUR', application_url: 'https://example.org' }
    await board.put(`/jobs/${before.id}.json`, { as: ada, body })
    await board.put('/plans/1.json', { as: admin, body: { name: 'Plain', price: 5 } })
    await board.put('/categories/1.json', { as: admin, body: { name: 'Some' } })
    expect((await read(before)).preview_image_url).toBe(before.preview_image_url)
  })

  test('shows its logo', async () => {
    const job = await add()
    const before = await image(pathOf(job))
    const form = formOf({ logo: logoFile(png(64, 64, () => BLUE)) })
    expect((await board.put(`/jobs/${job.id}.json`, { as: ada, body: form })).status).toBe(200)
    const { bytes } = await image(pathOf(await read(job)))
    const inTheTile = [120, 112] as const
    expect((await pixels(bytes)).at(...inTheTile)).toEqual(BLUE)
    expect((await pixels(before.bytes)).at(...inTheTile)).not.toEqual(BLUE)
  })

  test('is drawn once for simultaneous requests, and cached', async () => {
    const render = spyOn(board.board.images.cardRenderer, 'render')
    const job = await add()
    const all = await Promise.all(Array.from({ length: 8 }, () => image(pathOf(job))))
    expect(new Set(all.map(({ bytes }) => Bun.hash(bytes))).size).toBe(1)
    await image(`/jobs/${job.id}.png`)
    expect(render).toHaveBeenCalledTimes(1)
    render.mockRestore()
  })

  test('is deleted with the job, even while it is drawn', async () => {
    const drawn = await add()
    await image(pathOf(drawn))
    await board.delete(`/jobs/${drawn.id}.json`, { as: ada })
    expect((await board.get(pathOf(drawn))).status).toBe(404)
    const job = await add()
    const drawing = image(pathOf(job))
    await board.delete(`/jobs/${job.id}.json`, { as: ada })
    expect((await drawing).response.status).toBe(200)
    expect((await board.get(`/jobs/${job.id}.png`)).status).toBe(404)
  })
})

describe('The access to an image', () => {
  useOneBoard()

  const statuses = async ({ id }: Job) =>
    await Promise.all(
      [undefined, bob, ada, admin].map(async as => (await image(`/jobs/${id}.png`, as)).response.status),
    )

  test('of an active job is for everybody', async () => {
    expect(await statuses(await add())).toEqual([200, 200, 200, 200])
  })

  test('of an expired job is for its owner and administrators', async () => {
    const job = await add()
    board.clock.now += 31 * DAY
    expect(await statuses(job)).toEqual([404, 404, 200, 200])
  })

  test('with credentials is never cached', async () => {
    const { response } = await image(pathOf(await add()), ada)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each([
    '/jobs/9.png',
    '/jobs/0.png',
    '/jobs/1.PNG',
    '/jobs/1.gif',
    '/jobs/1.constructor',
    '/categories/1.png',
  ])('to %s is a 404 as JSON', async path => {
    await add()
    const response = await board.get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  test('of a pending job is for its owner and administrators', async () => {
    await board.close()
    await openBoard('--approve', 'all')
    expect(await statuses(await add())).toEqual([404, 404, 200, 200])
  })
})

describe('The path of an image', () => {
  useOneBoard()

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('does not support %s, for any caller', async method => {
    await add()
    for (const as of [undefined, ada, admin]) {
      const response = await board.request(method, '/jobs/1.png', as ? { as } : {})
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  test('supports HEAD and OPTIONS', async () => {
    await add()
    const head = await board.request('HEAD', '/jobs/1.png')
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/png'])
    const options = await board.request('OPTIONS', '/jobs/1.png')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  test('does not change the methods of the job', async () => {
    await add()
    const options = await board.request('OPTIONS', '/jobs/1.json')
    expect(options.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
    expect((await board.delete('/jobs/1.json')).status).toBe(401)
    expect((await board.delete('/jobs/1.gif')).status).toBe(404)
  })
})

/** Returns the child processes that draw images. */
const workerPids = () =>
  readdirSync('/proc/self/task')
    .flatMap(thread => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter(pid => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(CARD_WORKER_COMMAND))
    .map(Number)

describe('An image', () => {
  useOwnBoards()

  test.if(process.platform === 'linux')(
    'is drawn by a process that is stuck, there is a plain card in time, and the next has a new process',
    async () => {
      const path = pathOf(await add())
      await image(pathOf(await add({ title: 'Shepherd' })))
      const [stuckPid = 0] = workerPids()
      process.kill(stuckPid, 'SIGSTOP')
      jest.useFakeTimers()
      const requests = spyOn(WorkerClient.prototype, 'request')
      const pending = image(path)
      while (requests.mock.calls.length === 0) await new Promise(resolve => setImmediate(resolve))
      jest.advanceTimersByTime(DEADLINE)
      jest.useRealTimers()
      const { response, bytes } = await pending
      requests.mockRestore()
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
      expect(response.headers.has('etag')).toBe(false)
      expect(bytes).toEqual(await Bun.file(plain).bytes())
      const next = await image(path)
      expect(next.response.headers.get('cache-control')).toContain('immutable')
      expect(next.bytes).not.toEqual(bytes)
      expect(workerPids()).not.toContain(stuckPid)
    },
  )

  test("that can't be drawn is a plain card, which is not cached, and logged", async () => {
    const path = pathOf(await add())
    const paint = spyOn(board.board.images.cardRenderer, 'render').mockRejectedValueOnce(
      new Error('no paint'),
    )
    const { response, bytes } = await image(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(bytes).toEqual(await Bun.file(plain).bytes())
    await board.board.log.flush()
    expect(board.logged.join()).toContain('no paint')
    paint.mockRestore()
    expect((await image(path)).bytes).not.toEqual(bytes)
  })

  test('is 503 if too many others are waiting', async () => {
    const path = pathOf(await add())
    const busy = new Problem('busy', 'Too many.', { retryAfter: 2 })
    const paint = spyOn(board.board.images.cardRenderer, 'render').mockRejectedValueOnce(busy)
    const { response } = await image(path)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    paint.mockRestore()
  })
})

describe('Fonts in the data directory', () => {
  useOwnBoards()

  // the only character in the font packages that no embedded font has
  const TITLE = 'Cook \u{312}'

  test('are used for characters that embedded ones lack, and change the addresses', async () => {
    const before = await add({ title: TITLE })
    const without = await image(pathOf(before))
    const fonts = join(board.board.config.data, 'fonts')
    await mkdir(fonts)
    await copyFile(math, join(fonts, 'Math.woff2'))
    board = await board.reopen()
    const after = await read(before)
    expect(after.preview_image_url).not.toBe(before.preview_image_url)
    expect((await image(pathOf(after))).bytes).not.toEqual(without.bytes)
  })

  test("that can't be read are skipped, and logged once", async () => {
    await add()
    await add()
    const fonts = join(board.board.config.data, 'fonts')
    await mkdir(fonts)
    await Bun.write(join(fonts, 'broken.ttf'), 'no font')
    await Bun.write(join(fonts, 'README.md'), 'no font either')
    board = await board.reopen()
    for (const id of [1, 2]) expect((await image(`/jobs/${id}.png`)).response.status).toBe(200)
    await board.board.log.flush()
    const warnings = board.logged.filter(line => line.includes('a font could not be read'))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('broken.ttf')
  })
})

describe('The name of the board', () => {
  useOwnBoards()

  test('is in the images of jobs', async () => {
    const job = await add()
    const before = await image(pathOf(job))
    board = await board.reopen('--name', 'Bees & Trees')
    const after = await image(pathOf(await read(job)))
    expect(after.response.headers.get('cache-control')).toContain('immutable')
    expect(after.bytes).not.toEqual(before.bytes)
  })
})
