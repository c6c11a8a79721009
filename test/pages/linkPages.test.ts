import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BASE_URL, TestBoard } from '../helpers/board.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { MailServer } from '../helpers/mail.ts'
import { HTML } from '../helpers/website.ts'

const READER = 'reader@example.com'
const PASSWORD = 'correct horse battery'

let server: MailServer
let board: TestBoard

beforeAll(async () => {
  server = await MailServer.start()
  board = await TestBoard.open('--registration', 'open', '--digest', 'off', ...server.flags)
})
afterAll(async () => {
  await board.close()
  await server.stop()
})

const get = (path: string) => board.get(path, { headers: HTML })
const submit = (path: string, fields: Record<string, string> = {}) =>
  board.post(path, { headers: HTML, body: new URLSearchParams(fields) })

/** Sends a request that causes an e-mail, and returns the path of the link in the e-mail and its token. */
async function linkAfter(
  path: string,
  body: object,
): Promise<{ readonly link: string; readonly token: string }> {
  const before = server.mails.length
  await board.post(path, { body })
  const { text, token } = await server.mail(before + 1)
  const [url = ''] = /http\S+/.exec(text) ?? []
  return { link: url.slice(BASE_URL.length), token }
}

const confirmed = (email = READER) => board.board.store.read.subscribers.findBy('email', email)?.confirmed

describe('the link in an e-mail', () => {
  test("opens a page of the board, whose button confirms a subscriber's address", async () => {
    const { link, token } = await linkAfter('/subscribers.json', { email: READER })
    expect(link).toBe(`/subscribers/confirm?token=${token}`)
    const page = await get(link)
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      'private, no-store',
      'same-origin',
    ])
    expect(valuesOf(html, 'link[rel=stylesheet]', 'href')).toHaveLength(1)
    expect(textsOf(html, 'main form button')).toEqual(['Yes, send me new jobs'])
    expect(valuesOf(html, 'meta[name=robots]', 'content')).toEqual(['noindex'])
    expect(confirmed()).toBeFalse()
    const done = await submit(link)
    expect(textsOf(await done.text(), 'main p')[0]).toContain(`new jobs will be sent to ${READER}.`)
    expect(confirmed()).toBeTrue()
  })

  test('that was sent for the API shows the same page in a browser', async () => {
    const { token } = await linkAfter('/subscribers.json', { email: 'old@example.com' })
    const html = await (await get(`/subscribers/confirm.json?token=${token}`)).text()
    expect(textsOf(html, 'main form button')).toEqual(['Yes, send me new jobs'])
    expect(valuesOf(html, 'link[rel=stylesheet]', 'href')).toHaveLength(1)
  })

  test("opens a page whose button confirms an account's address", async () => {
    const { link } = await linkAfter('/users.json', { email: 'boss@example.com', password: PASSWORD })
    expect(link).toStartWith('/users/confirm?token=')
    expect(textsOf(await (await get(link)).text(), 'main p')[0]).toBe('Is boss@example.com your address?')
    const user = () => board.board.store.read.users.findBy('email', 'boss@example.com')
    expect(user()?.confirmed).toBeFalse()
    expect((await submit(link)).status).toBe(200)
    expect(user()?.confirmed).toBeTrue()
  })

  test.each(['/subscribers/confirm', '/subscribers/unsubscribe', '/users/confirm'])(
    '%s with a wrong token is a page that explains it',
    async path => {
      for (const response of [await get(`${path}?token=x`), await submit(`${path}?token=x`)]) {
        expect([response.status, response.headers.get('content-type')]).toEqual([
          404,
          'text/html; charset=utf-8',
        ])
        expect(textsOf(await response.text(), 'main form')).toEqual([])
      }
    },
  )
})

describe('the page for a new password', () => {
  const forget = () => linkAfter('/password-resets.json', { email: 'boss@example.com' })

  test('shows what is wrong beside the field, and changes the password once', async () => {
    const { link, token } = await forget()
    expect(link).toBe(`/reset/${token}`)
    const html = await (await get(link)).text()
    expect(textsOf(html, 'form label')).toEqual(['New password'])
    expect(valuesOf(html, 'form input', 'autocomplete')).toEqual(['new-password'])
    const refused = await submit(link, { password: 'short' })
    const again = await refused.text()
    expect(refused.status).toBe(422)
    expect(textsOf(again, '#error')).toEqual(['New password must have at least 8 characters.'])
    expect(valuesOf(again, 'input', 'aria-describedby')).toEqual(['error hint'])
    expect(again).not.toContain('short')
    const done = await submit(link, { password: 'battery staple' })
    expect(textsOf(await done.text(), 'main p')[0]).toBe('Your password has been changed.')
    const authorization = `Basic ${btoa('boss@example.com:battery staple')}`
    expect((await board.get('/users/me.json', { headers: { authorization } })).status).toBe(200)
    expect((await get(link)).status).toBe(404)
    expect((await submit(link, { password: 'battery staple' })).status).toBe(404)
  })

  test('leaves no token in the log', async () => {
    const { link, token } = await forget()
    await get(link)
    await board.board.log.flush()
    expect(board.logged.join('\n')).toContain('"path":"/reset/…"')
    expect(board.logged.join('\n')).not.toContain(token)
  })

  test.each(['/reset/', '/reset/x.json', '/reset/a%62', '/reset/a/b'])('is not at %s', async path => {
    expect((await board.get(path)).status).toBe(404)
  })
})

describe('a refused form', () => {
  test('keeps what was typed, and names the field by its label', async () => {
    const response = await submit('/subscribers.json', { email: 'reader@' })
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(textsOf(html, '.errors strong')).toEqual(['E-mail address'])
    expect(valuesOf(html, 'main input', 'value')).toEqual(['reader@'])
    const search = await (await get('/?q=nurse&term=x')).text()
    expect(valuesOf(search, 'input[name=q]', 'value')).toEqual(['nurse'])
  })
})

test('with --pages off, links lead to small pages without the board style', async () => {
  const pageless = await TestBoard.open('--pages', 'off', '--digest', 'off', ...server.flags)
  const before = server.mails.length
  await pageless.post('/subscribers.json', { body: { email: READER } })
  const { text, token } = await server.mail(before + 1)
  expect(text).toContain(`/subscribers/confirm.json?token=${token}`)
  const response = await pageless.get(`/subscribers/confirm.json?token=${token}`, { headers: HTML })
  const [html, unknown] = [await response.text(), await pageless.get(`/subscribers/confirm?token=${token}`)]
  await pageless.close()
  const policy = response.headers.get('content-security-policy') ?? ''
  const [style = ''] = textsOf(html, 'style')
  expect(policy).toContain(`'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`)
  expect(html).toContain('<form method="post"><button>Yes, send me new jobs</button></form>')
  expect(unknown.status).toBe(404)
})
