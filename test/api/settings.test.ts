import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Account, BASE_URL, type TestBoard } from '../helpers/board.ts'
import {
  type FixtureBoard,
  logosIn,
  openFixtureBoard,
  PLAN_ID,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { BARE, formOf, logoFile } from '../helpers/forms.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { MailServer } from '../helpers/mail.ts'
import { png } from '../helpers/pictures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'
import { HTML } from '../helpers/website.ts'

let fixture: FixtureBoard
let board: TestBoard
let admin: Account
const open = async (...flags: string[]) => {
  fixture = await openFixtureBoard(...flags)
  ;({ admin, test: board } = fixture)
}
beforeEach(() => open())
afterEach(() => board.close())

const put = (body: object | FormData) => board.put('/settings.json', { as: admin, body })
const settings = () => jsonObject(board.get('/settings.json', { as: admin }))
const page = async (path = '/') => await (await board.get(path, { headers: HTML })).text()

describe('the settings', () => {
  test('are the defaults at first', async () => {
    expect(await settings()).toEqual({
      name: 'Corkboard',
      tagline: null,
      accent: '#0d6b5e',
      registration: 'closed',
      approve: 'none',
      digest: 'weekly',
      imprint: null,
      privacy: null,
      terms: null,
      guidelines: null,
      logo: '',
      fixed: {},
    })
  })

  test('apply at once to pages, errors and preview images, and after a restart', async () => {
    expect(textsOf(await page(), 'title')).toEqual(['Corkboard'])
    const before = await jsonObject(board.post('/jobs.json', { as: admin, body: REQUIRED_FIELDS }))
    const changed = await jsonObject(
      put({ name: ' Harbour Jobs ', tagline: 'By the sea', accent: '#AA0000' }),
    )
    expect(changed).toMatchObject({ name: 'Harbour Jobs', tagline: 'By the sea', accent: '#aa0000' })
    for (const restart of [false, true]) {
      if (restart) board = await board.reopen()
      expect(await settings()).toEqual(changed)
      const html = await page()
      expect(textsOf(html, 'title')).toEqual(['Harbour Jobs: By the sea'])
      expect(html).toContain('By the sea')
      const refused = await board.get('/users.json')
      expect(refused.headers.get('www-authenticate')).toContain('Harbour Jobs')
      const job = await jsonObject(board.get('/jobs/1.json'))
      expect(job['preview_image_url']).not.toBe(before['preview_image_url'])
    }
    expect(await jsonObject(put({ name: null, tagline: '', accent: null }))).toMatchObject({
      name: 'Corkboard',
      tagline: null,
      accent: '#0d6b5e',
    })
    expect(textsOf(await page(), 'title')).toEqual(['Corkboard'])
  })

  test('decide which jobs need approval', async () => {
    const post = () =>
      jsonObject(
        board.post('/jobs.json', {
          as: fixture.owner,
          body: { ...REQUIRED_FIELDS, plan_id: PLAN_ID.basic },
        }),
      )
    expect(await post()).toMatchObject({ status: 'active' })
    await put({ approve: 'all' })
    expect(await post()).toMatchObject({ status: 'pending' })
  })

  test('add pages that every page links to, as Markdown', async () => {
    expect((await board.get('/imprint', { headers: HTML })).status).toBe(404)
    await put({ imprint: '# Who we are\n\n**Acme**', privacy: 'We keep nothing.' })
    expect(textsOf(await page('/imprint'), 'h1')).toEqual(['Who we are'])
    const html = await page()
    for (const path of ['/imprint', '/privacy']) expect(valuesOf(html, 'footer a', 'href')).toContain(path)
    await put({ imprint: '' })
    expect((await board.get('/imprint', { headers: HTML })).status).toBe(404)
  })

  test('have a logo, whose file is deleted with it', async () => {
    const { logo } = await jsonObject(put(formOf({ logo: logoFile(png(16, 16)) }, BARE)))
    expect(String(logo)).toStartWith(`${BASE_URL}/logos/`)
    expect(logosIn(board.folder)).toHaveLength(1)
    expect(await page()).toContain(new URL(String(logo)).pathname)
    board = await board.reopen()
    expect(logosIn(board.folder)).toHaveLength(1)
    expect(await jsonObject(put({ logo: '' }))).toMatchObject({ logo: '' })
    expect(logosIn(board.folder)).toHaveLength(0)
  })
})

describe('a setting is refused', () => {
  test.each([
    [{ accent: 'red' }, 'accent'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ approve: 'some' }, 'approve'],
    [{ digest: 'hourly' }, 'digest'],
    [{ registration: 'open' }, 'registration'],
    [{ imprint: 'x'.repeat(65_537) }, 'imprint'],
  ])('%j', async (body, field) => {
    const response = await put({ ...body, terms: 'Changed' })
    expect(response.status).toBe(422)
    expect(Object.keys(Object(await fieldErrors(response)))).toEqual([field])
    expect(await settings()).toMatchObject({ terms: null })
  })

  test('if an option fixes it, unless it is sent back unchanged', async () => {
    await board.close()
    await open('--name', 'Fixed', '--approve', 'all')
    expect(await settings()).toMatchObject({ name: 'Fixed', fixed: { name: '--name', approve: '--approve' } })
    const response = await put({ name: 'Other', approve: 'none' })
    expect(await fieldErrors(response)).toEqual({
      name: ['is set by --name, which the board was started with'],
      approve: ['is set by --approve, which the board was started with'],
    })
    expect((await put({ ...(await settings()), tagline: 'New' })).status).toBe(200)
  })
})

test('open registration opens with a setting where there is a mail server, and then jobs on paid plans need approval', async () => {
  await board.close()
  const server = await MailServer.start()
  try {
    await open(...server.flags)
    const register = () =>
      board.post('/users.json', { body: { email: 'new@example.com', password: 'long enough' } })
    expect((await register()).status).toBe(401)
    expect(await jsonObject(put({ registration: 'open' }))).toMatchObject({
      registration: 'open',
      approve: 'paid',
    })
    expect((await register()).status).toBe(202)
    await put({ registration: null })
    expect((await register()).status).toBe(401)
  } finally {
    await server.stop()
  }
})
