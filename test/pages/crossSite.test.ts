import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { issueToken } from '../../src/accounts/tokens.ts'
import { type Account, PASSWORD, START, TestBoard } from '../helpers/board.ts'
import { Browser, hasBrowser } from '../helpers/browser.ts'

let board: TestBoard
let admin: Account
let server: Bun.Server<undefined>
let base: string
let hostile: Bun.Server<undefined>

/** Returns a page that submits a form as soon as it is opened. */
const PAGE = (type: string) => `<!doctype html>
<form method="post" enctype="${type}" action="${base}/users.json">
<input name="email" value="mole@hostile.example"><input name="password" value="long enough">
<input name="role" value="admin"></form>
<script>document.forms[0].submit()</script>`

beforeAll(async () => {
  if (!hasBrowser) return
  ;({ board, server, base } = await TestBoard.serve())
  admin = await board.account('admin@example.com', 'admin')
  hostile = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const type = new URL(url).searchParams.get('type') ?? ''
      return new Response(PAGE(type), { headers: { 'content-type': 'text/html' } })
    },
  })
})

afterAll(async () => {
  if (!hasBrowser) return
  await Browser.end()
  await hostile.stop(true)
  await server.stop(true)
  await board.close()
})

/** Opens a browser that has stored an administrator's credentials. */
async function signedIn(): Promise<Browser> {
  const browser = await Browser.open('')
  const credentials = `${encodeURIComponent(admin.email)}:${encodeURIComponent(PASSWORD)}`
  await browser.go(`${base.replace('//', `//${credentials}@`)}/users/me.json`)
  await browser.go(`${base}/users.json`)
  expect(await browser.textOf('body')).toContain(admin.email)
  return browser
}

const emails = () => board.board.store.read.users.all().map(({ email }) => email)

describe.skipIf(!hasBrowser)('With credentials that the browser remembers', () => {
  test.each([
    ['of the same site', '127.0.0.1', 'application/x-www-form-urlencoded'],
    ['of the same site', '127.0.0.1', 'multipart/form-data'],
    ['of another site', 'localhost', 'application/x-www-form-urlencoded'],
    ['of another site', 'localhost', 'multipart/form-data'],
  ])("a page %s (%s) can't create an account with a form of %s", async (_, host, type) => {
    using browser = await signedIn()
    await browser.go(`http://${host}:${hostile.port}/?type=${type}`)
    await browser.until(`location.pathname === '/users.json' && document.body?.textContent !== ''`)
    expect(await browser.textOf('body')).toMatch(/another site/)
    expect(emails()).toEqual([admin.email])
  })

  test("the button on the page of an e-mail's link works", async () => {
    using browser = await signedIn()
    const user = await board.account('user@example.com')
    const token = await board.board.store.write(tables => {
      const row = tables.users.get(user.id)
      if (row) tables.users.update(row, { confirmed: false })
      return issueToken(tables, 'account', user.id, START)
    })
    await browser.go(`${base}/users/confirm.json?token=${token}`)
    await browser.click('button')
    await browser.until(`document.querySelector('button') === null`)
    expect(board.board.store.read.users.get(user.id)?.confirmed).toBeTrue()
  })
})
