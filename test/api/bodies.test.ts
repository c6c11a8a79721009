import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  dump,
  type FixtureBoard,
  JOB_FIELDS,
  logosIn,
  openFixtureBoard,
  waitUntil,
} from '../helpers/fixtures.ts'
import { BARE, formOf, type Naming, WRAPPED } from '../helpers/forms.ts'
import { gif, png } from '../helpers/pictures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
})
afterAll(() => fixture.test.close())

const FORMS = [
  ['JSON', (fields: object) => fields],
  ['urlencoded, wrapped', (fields: object) => urlencoded(fields, WRAPPED)],
  ['urlencoded, bare', (fields: object) => urlencoded(fields, BARE)],
  ['multipart, wrapped', (fields: object) => formOf(fields, WRAPPED)],
  ['multipart, bare', (fields: object) => formOf(fields, BARE)],
] as const

const urlencoded = (fields: object, nameOf: Naming) =>
  new URLSearchParams(
    Object.entries(fields).map(([field, value]): [string, string] => [nameOf(field), String(value ?? '')]),
  )

const post = (path: string, body: object, as = fixture.admin) => fixture.test.post(path, { as, body })
const put = (path: string, body: object, as = fixture.admin) => fixture.test.put(path, { as, body })

describe.each(FORMS)('sent as %s,', (_, form) => {
  test('a job gets the same values', async () => {
    const TRICKY = {
      ...JOB_FIELDS,
      description: '{"a": [1]}\r\n& = + %41 é 🦀 [b]',
      location: 'Zürich & Umgebung',
    }
    const { id, url, preview_image_url, ...job } = await jsonObject(
      post('/jobs.json', form(TRICKY), fixture.owner),
    )
    expect([id, url, preview_image_url]).not.toContain(undefined)
    const { category_id, term_id, plan_id, salary, ...plain } = TRICKY
    expect(job).toMatchObject({ ...plain, salary: String(salary) })
    expect(job).toMatchObject({ category: { id: category_id }, term: { id: term_id }, plan: { id: plan_id } })
    const path = `/jobs/${Number(id)}.json`
    const changed = await jsonObject(put(path, form({ salary: '', term_id: 2 }), fixture.owner))
    expect(changed).toMatchObject({ ...plain, salary: '', term: { id: 2 } })
  })

  test('categories, terms, plans and accounts get the same values', async () => {
    const name = `${_} 1`
    for (const path of ['/categories', '/terms']) {
      const { id, ...label } = await jsonObject(post(`${path}.json`, form({ name })))
      expect(label).toEqual({ name })
      const changed = await jsonObject(put(`${path}/${Number(id)}.json`, form({ name: `${name}!` })))
      expect(changed).toEqual({ id, name: `${name}!` })
    }
    const PLAN = { name, price: 12, period: 0, highlight: true, badge: false, pin: true }
    const { id, ...plan } = await jsonObject(post('/plans.json', form(PLAN)))
    expect(plan).toEqual({ ...PLAN, status: 'active' })
    expect(await jsonObject(put(`/plans/${Number(id)}.json`, form({ pin: false })))).toMatchObject({
      pin: false,
    })

    const email = `${_.replace(/\W+/g, '-')}@example.com`
    const user = await jsonObject(
      post('/users.json', form({ email, password: 'long enough', role: 'admin' })),
    )
    expect(user).toMatchObject({ email: email.toLowerCase(), role: 'admin' })
    const changed = await jsonObject(put(`/users/${Number(user['id'])}.json`, form({ role: 'user' })))
    expect(changed).toMatchObject({ role: 'user' })
  })

  test('errors use the same names', async () => {
    const wrong = { ...JOB_FIELDS, title: 'x'.repeat(65), salary: '1.5', company: ' ', plan_id: 999 }
    expect(await fieldErrors(post('/jobs.json', form(wrong), fixture.owner))).toEqual({
      title: [expect.any(String)],
      salary: [expect.any(String)],
      company: ['is required'],
      plan_id: [expect.any(String)],
    })
  })
})

const TRUE = ['true', '1', 'on', ' on ', 'True', 'TRUE']
const FALSE = ['false', '0', 'off', 'False', 'FALSE']
const NEITHER = ['yes', 'tru', '2', 'null']

test.each([...TRUE, ...FALSE, ...NEITHER].map(text => [text]))(
  'a boolean that is sent as the text %j, in a form or in JSON',
  async text => {
    for (const body of [new URLSearchParams({ 'job[pin]': text }), { pin: text }]) {
      const response = await put('/plans/1.json', body)
      if (NEITHER.includes(text)) expect(await fieldErrors(response)).toEqual({ pin: [expect.any(String)] })
      else expect(await jsonObject(response)).toMatchObject({ pin: TRUE.includes(text) })
    }
  },
)

test('the last value of a repeated form field counts, wrapped or not', async () => {
  const form = new URLSearchParams('job[name]=First&name=Second&job[name]=Third')
  expect(await jsonObject(post('/categories.json', form))).toMatchObject({ name: 'Third' })
  const other = formOf({ name: 'Fourth' }, BARE)
  other.append('job[name]', 'Fifth')
  expect(await jsonObject(post('/categories.json', other))).toMatchObject({ name: 'Fifth' })
})

test('a file in a text field is an error of that field', async () => {
  const file = new Blob(['Carpenter'])
  const fields = { ...JOB_FIELDS, expires_at: file }
  for (const name of Object.keys(JOB_FIELDS)) {
    const faults = { [name]: [expect.any(String)] }
    expect(await fieldErrors(post('/jobs.json', formOf({ ...JOB_FIELDS, [name]: file })))).toEqual(faults)
  }
  expect((await post('/jobs.json', formOf(fields))).status).toBe(201)
  expect(await fieldErrors(post('/categories.json', formOf({ name: file })))).toEqual({
    name: [expect.any(String)],
  })
  const account = { email: file, password: file, role: file }
  expect(Object.keys(Object(await fieldErrors(post('/users.json', formOf(account)))))).toEqual(
    Object.keys(account),
  )
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const MULTIPART_TYPE = 'multipart/form-data; boundary=B'
const KiB = 1024
const MiB = 1024 * KiB

/** Bodies that are wrong or unusual, and the status they get, the same for every resource. */
const BODIES: readonly (readonly [string, string | undefined, string | Uint8Array, number, object?])[] = [
  ['JSON that ends too early', JSON_TYPE, '{"name": "a"', 400],
  ['JSON with words after it', JSON_TYPE, '{"name": "a"} x', 400],
  ['a JSON list', JSON_TYPE, '[]', 400],
  ['a JSON text', JSON_TYPE, '"name"', 400],
  ['a JSON null', JSON_TYPE, 'null', 400],
  ['white space as JSON', JSON_TYPE, '  ', 400],
  ['JSON nested 33 deep', JSON_TYPE, `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 400],
  ['JSON nested 32 deep', JSON_TYPE, `{"a":${'['.repeat(31)}${']'.repeat(31)}}`, 422],
  ['JSON nested 100,000 deep', JSON_TYPE, `{"a":${'['.repeat(1e5)}`, 400],
  ['JSON in Latin-1', JSON_TYPE, Buffer.from('{"name":"\xe9"}', 'latin1'), 400],
  ['JSON in UTF-16', JSON_TYPE, Buffer.from('{"name":"a"}', 'utf16le'), 400],
  ['a form in Latin-1', FORM_TYPE, Buffer.from('name=\xe9', 'latin1'), 400],
  ['a form with bytes that are not UTF-8', FORM_TYPE, 'name=%ff', 400],
  [
    'multipart without its end',
    MULTIPART_TYPE,
    '--B\r\nContent-Disposition: form-data; name="name"\r\n\r\nx',
    400,
  ],
  ['multipart without a boundary', 'multipart/form-data', '--B--\r\n', 400],
  ['multipart that is something else', MULTIPART_TYPE, 'name=x', 400],
  ['no body and no type', undefined, '', 422],
  ['no body, as JSON', JSON_TYPE, '', 422],
  ['no body, as plain text', 'text/plain', '', 422],
  ['JSON without a type', undefined, '{"name":"a"}', 415],
  ['plain text', 'text/plain', '{"name":"a"}', 415],
  ['XML', 'application/xml', '<name/>', 415],
  ['JSON of another sort', 'application/merge-patch+json', '{"name":"a"}', 415],
  ['JSON that says it is Latin-1', 'application/json; charset=latin1', '{"name":"a"}', 415],
  ['JSON that is compressed', JSON_TYPE, '{"name":"a"}', 415, { 'content-encoding': 'gzip' }],
  ['JSON of 1 MiB', JSON_TYPE, `{"x":"${'y'.repeat(MiB - 8)}"}`, 422],
  ['JSON of 1 MiB and a byte', JSON_TYPE, `{"x":"${'y'.repeat(MiB - 7)}"}`, 413],
  ['a form of 1 MiB', FORM_TYPE, `x=${'y'.repeat(MiB - 2)}`, 422],
  ['a form of 1 MiB and a byte', FORM_TYPE, `x=${'y'.repeat(MiB - 1)}`, 413],
  ['a form of 1,000 fields', FORM_TYPE, 'x=1&'.repeat(1000), 422],
  ['a form of 1,001 fields', FORM_TYPE, 'x=1&'.repeat(1001), 413],
]

const WRITES = [
  ['POST', '/categories.json'],
  ['POST', '/terms.json'],
  ['POST', '/plans.json'],
  ['POST', '/users.json'],
  ['POST', '/jobs.json'],
  ['PUT', '/jobs/{job}.json'],
  ['PUT', '/categories/1.json'],
  ['PUT', '/plans/1.json'],
  ['PUT', '/users/{user}.json'],
] as const

describe.each(WRITES)('%s %s', (method, pattern) => {
  let path = ''
  beforeAll(async () => {
    const { id } = await jsonObject(post('/jobs.json', JOB_FIELDS))
    path = pattern.replace('{job}', String(id)).replace('{user}', String(fixture.owner.id))
  })

  test.each(BODIES.map(row => [row[0], row] as const))('is sent %s', async (_name, row) => {
    const [, type, body, status, headers] = row
    const before = dump(fixture.test)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const response = await fixture.test.request(method, path, {
      as: fixture.admin,
      body: bytes,
      headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    })
    // a body without fields is valid where nothing is required
    expect(response.status).toBe(method === 'PUT' && status === 422 && bytes.length === 0 ? 200 : status)
    expect(await jsonObject(response)).toContainKey(response.status === 200 ? 'id' : 'error')
    if (response.status !== 200) expect(dump(fixture.test)).toEqual(before)
  })
})

describe('a logo', () => {
  const PICTURE = png(4, 4)
  const file = (bytes: Uint8Array = PICTURE, name = 'logo.png', type = 'image/png') =>
    new File([new Uint8Array(bytes)], name, { type })
  let job: string

  beforeEach(async () => {
    const { id } = await jsonObject(
      post('/jobs.json', formOf({ ...JOB_FIELDS, logo: file() }), fixture.owner),
    )
    job = `/jobs/${Number(id)}.json`
  })

  const logo = async () => String((await jsonObject(fixture.test.get(job)))['logo'])
  const pathOf = (url: string) => url.replace('https://board.example.com', '')
  const update = (body: object) => put(job, body, fixture.owner)

  test('has a URL of an immutable WebP image', async () => {
    const url = await logo()
    expect(url).toMatch(/^https:\/\/board\.example\.com\/logos\/[\w-]+\.webp$/)
    const response = await fixture.test.get(pathOf(url))
    const etag = response.headers.get('etag') ?? ''
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await response.bytes()).toString('latin1', 8, 12)).toBe('WEBP')
    const again = await fixture.test.get(pathOf(url), { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test("keeps neither the file's name nor its type", async () => {
    const names = ['../../../etc/passwd', 'logo.svg', 'a"b\r\nc.php', '']
    for (const name of names) {
      await update(formOf({ logo: file(gif(2, 2), name, 'text/html') }))
      expect(await logo()).toMatch(/\/logos\/[0-9a-f]{16}-[0-9a-f]{32}\.webp$/)
    }
  })

  test('gets another URL when it is replaced, and the old file is deleted', async () => {
    const before = await logo()
    const files = logosIn(fixture.test.folder).length
    await update(formOf({ logo: file(png(5, 5)) }))
    const after = await logo()
    expect(after).not.toBe(before)
    await waitUntil(() => logosIn(fixture.test.folder).length === files)
    expect((await fixture.test.get(pathOf(before))).status).toBe(404)
    expect((await fixture.test.get(pathOf(after))).status).toBe(200)
  })

  test.each([
    ['null in JSON', { logo: null }],
    ['an empty text in JSON', { logo: '' }],
    ['an empty text in a form', new URLSearchParams({ 'job[logo]': '' })],
    ['an empty text in multipart', formOf({ logo: '' })],
    ['a blank text', { logo: ' ' }],
  ])('is removed by %s', async (_, body) => {
    const before = await logo()
    expect(await jsonObject(update(body))).toMatchObject({ logo: '' })
    expect(await logo()).toBe('')
    await waitUntil(() => !logosIn(fixture.test.folder).includes(before.slice(before.lastIndexOf('/') + 1)))
  })

  test.each([
    ['nothing about it', { title: 'x' }],
    ['its own URL', { logo: 'https://board.example.com/logos/x.webp' }],
    ['another URL', { logo: 'https://evil.example/logo.png' }],
    ['a text in a form', new URLSearchParams({ 'job[logo]': 'x' })],
    ['a text in multipart', formOf({ logo: 'x' })],
    ['a file of no bytes', formOf({ logo: file(new Uint8Array()) })],
  ])('stays with %s', async (_, body) => {
    const before = await logo()
    expect((await update(body)).status).toBe(200)
    expect(await logo()).toBe(before)
  })

  test.each([
    ['text', file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['half a picture', file(PICTURE.subarray(0, PICTURE.length / 2))],
    ['over 5 MB', file(Buffer.concat([PICTURE, Buffer.alloc(5 * MiB)]))],
  ])('that is %s is an error of its field, and nothing changes', async (_, wrong) => {
    const before = dump(fixture.test)
    const errors = { logo: [expect.any(String)] }
    expect(await fieldErrors(update(formOf({ logo: wrong, title: 'x' })))).toEqual(errors)
    expect(await fieldErrors(post('/jobs.json', formOf({ ...JOB_FIELDS, logo: wrong })))).toEqual(errors)
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each([[7], [true], [{}], [['x']]])("can't be a JSON value such as %j", async value =>
    expect(await fieldErrors(update({ logo: value }))).toEqual({ logo: [expect.any(String)] }),
  )

  test.each([
    ['the field', { title: '' }],
    ['the category', { category_id: 999 }],
    ['the plan', { plan_id: 4 }],
  ])('that is sent with a wrong %s leaves no file', async (_, wrong) => {
    const before = dump(fixture.test)
    expect((await update(formOf({ ...wrong, logo: file() }))).status).toBe(422)
    expect((await post('/jobs.json', formOf({ ...JOB_FIELDS, ...wrong, logo: file() }))).status).toBe(422)
    expect((await put(job, formOf({ logo: file() }), fixture.other)).status).toBe(403)
    expect((await put('/jobs/999.json', formOf({ logo: file() }))).status).toBe(404)
    expect(dump(fixture.test)).toEqual(before)
  })

  test('of one job is never shared with another, even with the same picture', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map(() => jsonObject(post('/jobs.json', formOf({ ...JOB_FIELDS, logo: file() })))),
    )
    expect(first?.['logo']).not.toBe(second?.['logo'])
    await fixture.test.delete(`/jobs/${Number(first?.['id'])}.json`, { as: fixture.admin })
    expect((await fixture.test.get(pathOf(String(second?.['logo'])))).status).toBe(200)
  })

  test.each([
    '/logos/',
    '/logos/..%2f..%2fdata.mdb',
    '/logos/%2e%2e%2fdata.mdb',
    '/logos/x.webp',
    '/logos/a%00.webp',
    '/logos/%ff.webp',
  ])('is not at %s', async path => expect((await fixture.test.get(path)).status).toBe(404))
})
