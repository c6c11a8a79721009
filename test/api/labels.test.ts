import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dump, type FixtureBoard, openFixtureBoard, PLAN_ID, REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { fieldErrors, idsOf, jsonList, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
})
afterAll(() => fixture.test.close())

const send = (method: string, path: string, body?: object) =>
  fixture.test.request(method, path, { as: fixture.admin, ...(body && { body }) })

/** Returns an unused name. */
let names = 0
const newName = () => `Name ${++names}`

const EMOJI = '🦀'
const RIGHT_NAMES = ['x'.repeat(64), EMOJI.repeat(64), '  Carpentry \n', '12', '<b>&"']
const WRONG_NAMES = [
  undefined,
  '',
  null,
  ' \t',
  7,
  true,
  [],
  {},
  'x'.repeat(65),
  EMOJI.repeat(65),
  'two\nlines',
  'NUL \0',
  'half \ud83e',
  'bell \u0007',
]

describe.each(['categories', 'terms', 'plans'])('the name of one of the %s', path => {
  test.each(RIGHT_NAMES.map(name => [name]))('may be %j', async name => {
    const response = await send('POST', `/${path}.json`, { name })
    const body = await jsonObject(response)
    expect([response.status, body['name']]).toEqual([201, name.trim()])
    expect(response.headers.get('location')).toBe(
      `https://board.example.com/${path}/${String(body['id'])}.json`,
    )
    expect(await jsonObject(send('GET', `/${path}/${String(body['id'])}.json`))).toEqual(body)
  })

  test.each(WRONG_NAMES.map(name => [name]))("can't be %j", async name => {
    const before = dump(fixture.test)
    expect(await fieldErrors(send('POST', `/${path}.json`, { name }))).toEqual({ name: [expect.any(String)] })
    if (name !== undefined)
      expect(await fieldErrors(send('PUT', `/${path}/1.json`, { name }))).toEqual({
        name: [expect.any(String)],
      })
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each([
    ['Straße', 'STRASSE', 201],
    ['Zimmerei', 'zimMEREI', 422],
    ['Café', 'CAFE\u0301', 422],
    ['Ångström', 'ångström', 422],
    ['Dach', '  Dach ', 422],
    ['Cafe', 'Café x', 201],
  ])('is unique regardless of case: %j, then %j', async (first, second, status) => {
    const name = `${path} ${first}`
    await send('POST', `/${path}.json`, { name })
    const response = await send('POST', `/${path}.json`, { name: `${path} ${second.trim()}` })
    expect(response.status).toBe(status)
    if (status === 422)
      expect(await fieldErrors(response)).toEqual({ name: [expect.stringContaining('taken')] })
  })

  test("may change its case, but not become another's", async () => {
    const [one, other] = [newName(), newName()]
    const { id } = await jsonObject(send('POST', `/${path}.json`, { name: one }))
    await send('POST', `/${path}.json`, { name: other })
    const self = `/${path}/${Number(id)}.json`
    expect(await jsonObject(send('PUT', self, { name: one.toUpperCase() }))).toMatchObject({
      name: one.toUpperCase(),
    })
    expect(await fieldErrors(send('PUT', self, { name: other.toLowerCase() }))).toEqual({
      name: [expect.any(String)],
    })
    // its former name is free again
    await send('PUT', self, { name: newName() })
    expect((await send('POST', `/${path}.json`, { name: one })).status).toBe(201)
  })

  test('is free in the other resources', async () => {
    const name = newName()
    for (const resource of ['categories', 'terms', 'plans'])
      expect((await send('POST', `/${resource}.json`, { name })).status).toBe(201)
  })

  test('is free again after it is deleted', async () => {
    const name = newName()
    const { id } = await jsonObject(send('POST', `/${path}.json`, { name }))
    expect(await jsonObject(send('DELETE', `/${path}/${Number(id)}.json`))).toEqual({
      message: expect.stringContaining(name),
    })
    const { id: next } = await jsonObject(send('POST', `/${path}.json`, { name }))
    expect(Number(next)).toBeGreaterThan(Number(id))
  })

  test('need not be sent in an update', async () => {
    const { id, name } = await jsonObject(send('POST', `/${path}.json`, { name: newName() }))
    for (const body of [undefined, {}])
      expect(await jsonObject(send('PUT', `/${path}/${Number(id)}.json`, body))).toMatchObject({ id, name })
    const extraFields = { name, id: 7, unknown: 1, ['__proto__']: 2 }
    expect(await jsonObject(send('PUT', `/${path}/${Number(id)}.json`, extraFields))).toMatchObject({
      id,
      name,
    })
  })
})

test.each(['categories', 'terms'])('the %s show id and name, in the order of creation', async path => {
  await send('POST', `/${path}.json`, { name: newName() })
  const all = await jsonList(send('GET', `/${path}.json`))
  expect(all.map(label => Object.keys(label))).toEqual(all.map(() => ['id', 'name']))
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => Number(id)).toSorted((a, b) => a - b))
})

const THE_LARGEST = Number.MAX_SAFE_INTEGER
const WHOLE = {
  right: [0, 1, '7', ' 8 ', THE_LARGEST],
  wrong: [-1, 1.5, '1.5', 'many', true, [], {}, THE_LARGEST + 1],
}
const FLAG = { right: [true, false], wrong: ['yes', 'truth', 1, 0, [], {}] }
const BLANK = ['', ' ', null]
const PLAN_FIELDS = { price: WHOLE, period: WHOLE, highlight: FLAG, badge: FLAG, pin: FLAG }

describe.each(Object.entries(PLAN_FIELDS))('the %s of a plan', (field, { right, wrong }) => {
  test.each(right.map(sent => [sent] as const))('may be %j', async sent => {
    const expected = { [field]: typeof sent === 'string' ? Number(sent) : sent }
    const response = await jsonObject(send('POST', '/plans.json', { name: newName(), [field]: sent }))
    expect(response).toMatchObject(expected)
    const { id } = await jsonObject(send('POST', '/plans.json', { name: newName() }))
    expect(await jsonObject(send('PUT', `/plans/${Number(id)}.json`, { [field]: sent }))).toMatchObject(
      expected,
    )
  })

  test.each(wrong.map(sent => [sent] as const))("can't be %j", async sent => {
    const errors = { [field]: [expect.any(String)] }
    expect(await fieldErrors(send('POST', '/plans.json', { name: newName(), [field]: sent }))).toEqual(errors)
    expect(await fieldErrors(send('PUT', '/plans/1.json', { [field]: sent }))).toEqual(errors)
  })

  test.each(BLANK.map(sent => [sent]))('sent as %j gets the default, and is kept on update', async sent => {
    const { [field]: preset } = await jsonObject(send('POST', '/plans.json', { name: newName() }))
    const response = await jsonObject(send('POST', '/plans.json', { name: newName(), [field]: sent }))
    expect(response[field]).toBe(preset)
    const other = typeof preset === 'boolean' ? !preset : 7
    const path = `/plans/${Number(response['id'])}.json`
    await send('PUT', path, { [field]: other })
    expect(await jsonObject(send('PUT', path, { [field]: sent }))).toMatchObject({ [field]: other })
  })
})

describe('a plan', () => {
  const SHOWN = { price: 0, period: 30, highlight: false, badge: false, pin: false }

  test('has defaults, and a status for administrators', async () => {
    const name = newName()
    const response = await jsonObject(
      send('POST', '/plans.json', { name, status: 'archived', archived: true }),
    )
    expect(response).toEqual({ id: expect.any(Number), name, ...SHOWN, status: 'active' })
    const path = `/plans/${Number(response['id'])}.json`
    const { status, ...plain } = response
    expect(await jsonObject(fixture.test.get(path, { as: fixture.owner }))).toEqual(plain)
    expect(status).toBe('active')
  })

  test('gets an error for every wrong field at once', async () => {
    const wrong = { name: '', price: -1, period: 1.5, highlight: 7, badge: 'yes', pin: [] }
    expect(Object.keys(Object(await fieldErrors(send('POST', '/plans.json', wrong))))).toEqual(
      Object.keys(wrong),
    )
  })

  test('can be archived, which hides it and refuses jobs, and activated again; both may be repeated', async () => {
    const { id } = await jsonObject(send('POST', '/plans.json', { name: newName() }))
    const plan = Number(id)
    const offered = () => idsOf(fixture.test.get('/plans.json', { as: fixture.owner }))
    const listed = (status: string) => idsOf(send('GET', `/plans.json?status=${status}`))
    const post = () =>
      fixture.test.post('/jobs.json', { as: fixture.owner, body: { ...REQUIRED_FIELDS, plan_id: plan } })
    const job = `/jobs/${Number((await jsonObject(post()))['id'])}.json`

    const responses = []
    for (const verb of ['archive', 'archive'])
      responses.push(await jsonObject(send('PUT', `/plans/${plan}/${verb}.json`)))
    expect(responses[0]).toEqual({ message: expect.stringContaining('archived') })
    expect(responses[1]).toEqual(responses[0])
    expect(await offered()).not.toContain(plan)
    expect(await listed('archived')).toContain(plan)
    expect(await listed('archived')).not.toContain(PLAN_ID.basic)
    expect(await fieldErrors(post())).toEqual({ plan_id: [expect.any(String)] })
    // its jobs stay and can be changed
    expect((await fixture.test.put(job, { as: fixture.owner, body: { title: 'x' } })).status).toBe(200)

    for (const verb of ['activate', 'activate'])
      responses.push(await jsonObject(send('PUT', `/plans/${plan}/${verb}.json`)))
    expect(responses[3]).toEqual(responses[2])
    expect(await offered()).toContain(plan)
    expect(await listed('all')).toContain(plan)
    expect((await post()).status).toBe(201)
  })

  test('can be deleted only without jobs, whatever their status', async () => {
    const { id } = await jsonObject(send('POST', '/plans.json', { name: newName(), period: 1 }))
    const path = `/plans/${Number(id)}.json`
    const body = { ...REQUIRED_FIELDS, plan_id: id }
    const job = await jsonObject(fixture.test.post('/jobs.json', { as: fixture.owner, body }))
    fixture.test.clock.now += 2 * 86_400_000
    // Any transaction journals that the job has expired, and otherwise a timer does.
    await fixture.test.board.store.write(() => undefined)
    const before = dump(fixture.test)
    const response = await send('DELETE', path)
    expect([response.status, (await jsonObject(response))['error']]).toEqual([
      409,
      expect.stringContaining('Archive'),
    ])
    expect(dump(fixture.test)).toEqual(before)
    await send('DELETE', `/jobs/${Number(job['id'])}.json`)
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('GET', path)).status).toBe(404)
  })
})

test.each([['/plans.json?status=old'], ['/plans.json?page=0'], ['/categories.json?per_page=101']])(
  'GET %s is refused',
  async path => expect((await send('GET', path)).status).toBe(422),
)

test.each(['/categories.json', '/terms.json', '/plans.json', '/users.json'])(
  'GET %s has pages',
  async path => {
    const all = await idsOf(send('GET', path))
    const response = await send('GET', `${path}?per_page=2&page=1&x=%26`)
    expect(await idsOf(response)).toEqual(all.slice(0, 2))
    expect(response.headers.get('x-total-count')).toBe(String(all.length))
    expect(response.headers.get('link')).toContain(
      `<https://board.example.com${path}?per_page=2&page=2&x=%26>; rel="next"`,
    )
  },
)
