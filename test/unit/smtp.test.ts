import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { type Message, paragraph } from '../../src/mail/message.ts'
import { connectionOf, Smtp } from '../../src/mail/smtp.ts'
import { MailServer } from '../helpers/mail.ts'
import { Corkboard } from '../helpers/process.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const TLS = { cert: CERTIFICATE, key: PRIVATE_KEY }
const MESSAGE: Message = {
  id: '<mail-1-2@board.example.com>',
  to: 'reader@example.com',
  subject: 'Käse\u{1f9c0}',
  parts: [paragraph('Grüße, <b>you</b>.')],
}

const servers: { stop(): Promise<void> }[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function start(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await MailServer.start(options)
  servers.push(server)
  return server
}

const smtp = (url: string) => new Smtp({ url, from: 'board@example.com', name: () => 'Börd "x" <y@z>' })

describe('the connection to a server', () => {
  test.each([
    ['smtp://mail.example', 587, false, false, false],
    ['smtp://mail.example:25', 25, false, false, false],
    ['smtp://ada:pw@mail.example', 587, false, true, true],
    ['smtp://ada:pw@127.0.0.1:25', 25, false, false, false],
    ['smtp://ada:pw@localhost', 587, false, false, false],
    ['smtp://ada:pw@[::1]', 587, false, false, false],
    ['smtp://ada:pw@localhost.example', 587, false, true, true],
    ['smtps://mail.example', 465, true, false, true],
    ['smtps://ada:pw@127.0.0.1:4650', 4650, true, false, true],
  ])(
    '%s has port %d, immediate TLS %p, required TLS %p, certificate check %p',
    (url, port, secure, isRequired, isChecked) => {
      const { tls, requireTLS, ...rest } = connectionOf(url)
      expect(rest).toMatchObject({ port, secure })
      expect([requireTLS, tls.rejectUnauthorized]).toEqual([isRequired, isChecked])
    },
  )

  test('uses the decoded credentials of the URL', () => {
    expect(connectionOf('smtps://a%40b:p%2F%25%C3%A9@mail.example').auth).toEqual({
      user: 'a@b',
      pass: 'p/%é',
    })
  })
})

describe('a message', () => {
  test('arrives as text and HTML, with the same id each time', async () => {
    const server = await start()
    await smtp(`smtp://127.0.0.1:${server.port}`).send(MESSAGE)
    await smtp(`smtp://127.0.0.1:${server.port}`).send(MESSAGE)
    const [mail, again] = server.mails
    expect(mail?.text).toContain('Grüße, <b>you</b>.')
    expect(mail?.html).toContain('<p>Grüße, &lt;b&gt;you&lt;/b&gt;.</p>')
    expect([mail?.header('Message-ID'), again?.header('Message-ID')]).toEqual([MESSAGE.id, MESSAGE.id])
    expect(mail?.header('From')).toEndWith('<board@example.com>')
    expect(mail?.header('From')).not.toContain('y@z')
    expect(mail?.envelope).toEqual({ from: 'board@example.com', to: ['reader@example.com'] })
  })

  test("can't inject headers", async () => {
    const server = await start()
    const subject = 'Hello\r\nBcc: all@example.com\r\n\r\nbody'
    await smtp(`smtp://127.0.0.1:${server.port}`).send({ ...MESSAGE, subject })
    const [mail] = server.mails
    expect(mail?.header('Bcc')).toBeUndefined()
    expect(mail?.envelope.to).toEqual(['reader@example.com'])
  })

  test('is encrypted if the server offers it, with any certificate', async () => {
    const server = await start({ ...TLS, disabledCommands: [] })
    await smtp(`smtp://127.0.0.1:${server.port}`).send(MESSAGE)
    expect(server.mails[0]?.session.secure).toBeTrue()
  })

  test('is sent with credentials, and refused with wrong ones', async () => {
    const server = await start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        username === 'ada' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
    })
    await smtp(`smtp://ada:p%40ss@127.0.0.1:${server.port}`).send(MESSAGE)
    expect(server.mails[0]?.session.user).toBe('ada')
    expect(smtp(`smtp://ada:wrong@127.0.0.1:${server.port}`).send(MESSAGE)).rejects.toThrow('535')
  })

  test('is not sent to an smtps:// server with an untrusted certificate', async () => {
    const server = await start({ ...TLS, secure: true })
    expect(smtp(`smtps://127.0.0.1:${server.port}`).send(MESSAGE)).rejects.toThrow(/certificate/)
    await smtp(`smtps://127.0.0.1:${server.port}`)
      .send(MESSAGE)
      .catch(() => {})
    expect(server.mails).toEqual([])
  })

  test('fails if the server refuses it, with a reason that does not quote the reply', async () => {
    const reply = Object.assign(new Error('5.1.1 <reader@example.com>: \u001b[31mno such mailbox'), {
      responseCode: 550,
    })
    const server = await start({ onRcptTo: (_address, _session, done) => done(reply) })
    expect(smtp(`smtp://127.0.0.1:${server.port}`).send(MESSAGE)).rejects.toThrow(
      /^the mail server refused the recipient \(SMTP 550 5\.1\.1\)$/,
    )
    await smtp(`smtp://127.0.0.1:${server.port}`)
      .send(MESSAGE)
      .catch(() => {})
  })

  test('fails if the server goes away', async () => {
    const port = await startDying()
    expect(smtp(`smtp://127.0.0.1:${port}`).send(MESSAGE)).rejects.toThrow()
  })

  test('is aborted when the board closes', async () => {
    const server = await start()
    const connected = Promise.withResolvers<void>()
    const silent = createServer(() => connected.resolve())
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const transport = smtp(`smtp://127.0.0.1:${portOf(silent)}`)
    const sending = transport.send(MESSAGE)
    await connected.promise
    transport.close()
    expect(sending).rejects.toThrow()
    await sending.catch(() => {})
    silent.close()
    expect(server.mails).toEqual([])
  })
})

test('a server with a private certificate is trusted through NODE_EXTRA_CA_CERTS', async () => {
  const server = await start({ ...TLS, secure: true })
  const folder = await mkdtemp(join(tmpdir(), 'corkboard-smtp-'))
  await Bun.write(join(folder, 'ca.pem'), CERTIFICATE)
  const variables = {
    CORKBOARD_SMTP_URL: `smtps://localhost:${server.port}`,
    CORKBOARD_MAIL_FROM: 'board@example.com',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  }
  const board = new Corkboard(['serve', '--port', '0'], { variables, folder })
  try {
    const body = JSON.stringify({ email: 'reader@example.com' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${await board.url()}/subscribers.json`, { method: 'POST', body, headers })
    expect((await server.mail(1)).session.secure).toBeTrue()
  } finally {
    await board.end('SIGTERM')
    await rm(folder, { recursive: true })
  }
})

/** Starts a server that closes the connection when the content of a mail begins. */
async function startDying(): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    socket.on('data', data => {
      const isCommand = /^(EHLO|MAIL|RCPT|DATA)/i.test(data.toString())
      if (!isCommand) socket.destroy()
      else socket.write(data.toString().startsWith('DATA') ? '354 go on\r\n' : '250 ok\r\n')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push({ stop: () => new Promise(resolve => server.close(() => resolve())) })
  return portOf(server)
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
