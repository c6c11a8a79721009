import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic } from '../helpers/board.ts'
import { MailServer } from '../helpers/mail.ts'
import { Corkboard, until } from '../helpers/process.ts'

const ADMIN = { CORKBOARD_ADMIN_EMAIL: 'ada@example.com', CORKBOARD_ADMIN_PASSWORD: 'correct horse' }

let folder: string
let server: MailServer
let board: Corkboard | undefined
let url: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-mail-'))
  server = await MailServer.start()
})

afterEach(async () => {
  await board?.end('SIGKILL')
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Ends the board like a crash, and starts it again with the same data. */
async function crash(): Promise<void> {
  await board?.end('SIGKILL')
  const args = ['serve', '--port', '0', '--registration', 'open', ...server.flags]
  board = new Corkboard(args, { folder, variables: ADMIN })
  url = await board.url()
}

async function send(
  method: string,
  path: string,
  body: object = {},
  authorization?: string,
): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const { status } = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  return status
}

test('sends a mail despite many crashes', async () => {
  let calls = 0
  let isSlow = true
  await server.stop()
  server = await MailServer.start({
    onConnect: (_session, done) => {
      calls++
      if (!isSlow) done()
    },
  })
  await crash()
  expect(await send('POST', '/password-resets.json', { email: ADMIN.CORKBOARD_ADMIN_EMAIL })).toBe(202)
  for (let time = 1; time <= 7; time++) {
    await until(() => calls === time)
    await crash()
  }
  isSlow = false
  await crash()
  const { token } = await server.mailOn('Reset your password for Corkboard')
  expect(await send('PUT', `/password-resets/${token}.json`, { password: 'battery staple' })).toBe(200)
}, 60_000)

test('loses no mail and no confirmation in a crash between any two steps', async () => {
  await crash()
  expect(await send('POST', '/subscribers.json', { email: 'reader@example.com' })).toBe(202)
  await crash()
  const { token } = await server.mailOn('Confirm your job alerts from Corkboard')
  await crash()
  expect(await send('POST', `/subscribers/confirm.json?token=${token}`)).toBe(200)
  await crash()
  const employer = { email: 'employer@example.com', password: 'correct horse' }
  expect(await send('POST', '/users.json', employer)).toBe(202)
  await crash()
  const confirmation = await server.mailOn('Confirm your e-mail address for Corkboard')
  await crash()
  expect(await send('POST', `/users/confirm.json?token=${confirmation.token}`)).toBe(200)
  await crash()
  const mine = basic(employer.email, employer.password)
  expect(await send('POST', '/jobs.json', {}, mine)).toBe(422)
  expect(await send('POST', '/password-resets.json', { email: employer.email })).toBe(202)
  await crash()
  const reset = await server.mailOn('Reset your password for Corkboard')
  await crash()
  expect(await send('PUT', `/password-resets/${reset.token}.json`, { password: 'battery staple' })).toBe(200)
  await crash()
  expect(await send('POST', '/jobs.json', {}, mine)).toBe(401)
  expect(await send('POST', '/jobs.json', {}, basic(employer.email, 'battery staple'))).toBe(422)
  const ids = server.mails.map(mail => [mail.header('Message-ID'), mail.envelope.to[0]] as const)
  expect([...new Map(ids).values()]).toEqual([
    'reader@example.com',
    'employer@example.com',
    'employer@example.com',
  ])
}, 60_000)
