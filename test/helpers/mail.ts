import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { until } from './process.ts'

/** A mail as the server received it. */
export class ReceivedMail {
  constructor(
    readonly envelope: { readonly from: string; readonly to: readonly string[] },
    /** The complete source. */
    readonly raw: string,
    /** The SMTP session. */
    readonly session: { readonly secure: boolean; readonly user: unknown },
  ) {}

  /** Returns a header, unfolded. */
  header(name: string): string | undefined {
    const [head = ''] = this.raw.split('\r\n\r\n', 1)
    const unfolded = head.replace(/\r\n[ \t]+/g, ' ')
    return new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]
  }

  /** The decoded plain text. */
  get text(): string {
    return this.part('text/plain')
  }

  get html(): string {
    return this.part('text/html')
  }

  /** The token in the text's first link. */
  get token(): string {
    const [, token] = /(?:token=|password-resets\/|reset\/)([\w-]{43})/.exec(this.text) ?? []
    if (token === undefined) throw new Error(`There is no token in ${this.text}`)
    return token
  }

  private part(type: string): string {
    const [, boundary = ''] = /boundary="([^"]+)"/.exec(this.raw) ?? []
    const found = this.raw.split(`--${boundary}`).find(part => part.startsWith(`\r\nContent-Type: ${type}`))
    const [head = '', ...body] = (found ?? '').split('\r\n\r\n')
    const text = body.join('\r\n\r\n').replaceAll('\r\n', '\n')
    return /quoted-printable/i.test(head) ? unquoted(text) : text
  }
}

const unquoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll('=\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const PLAIN: SMTPServerOptions = { authOptional: true, disabledCommands: ['STARTTLS'], logger: false }

/** A mail server in this process that records mails. */
export class MailServer {
  readonly mails: ReceivedMail[] = []
  /** Called with each received mail; if it throws, the server refuses the mail with that error. */
  onMail: (mail: ReceivedMail) => void = () => {}
  private readonly server: SMTPServer

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      ...PLAIN,
      ...options,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          const { secure, user } = session
          const from = mailFrom === false ? '' : mailFrom.address
          const envelope = { from, to: rcptTo.map(({ address }) => address) }
          const mail = new ReceivedMail(envelope, Buffer.concat(chunks).toString(), { secure, user })
          try {
            this.onMail(mail)
          } catch (error) {
            return done(error instanceof Error ? error : new Error(String(error)))
          }
          this.mails.push(mail)
          return done()
        })
      },
    })
    // some tests disconnect on purpose
    this.server.on('error', () => {})
  }

  static async start(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
    const mailServer = new MailServer(options)
    await new Promise<void>(resolve => mailServer.server.listen(port, '127.0.0.1', resolve))
    return mailServer
  }

  get port(): number {
    const address = this.server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** The flags that make a board send its mail here. */
  get flags(): string[] {
    return ['--smtp-url', `smtp://127.0.0.1:${this.port}`, '--mail-from', 'board@example.com']
  }

  /** Waits for a mail by its number, from 1. */
  async mail(number: number): Promise<ReceivedMail> {
    await until(() => this.mails.length >= number)
    const mail = this.mails[number - 1]
    if (!mail) throw new Error('There is no such mail.')
    return mail
  }

  /** Waits for a mail by its subject, because mails may arrive twice after a crash. */
  async mailOn(subject: string): Promise<ReceivedMail> {
    const find = () => this.mails.find(mail => mail.header('Subject') === subject)
    await until(() => find() !== undefined)
    const mail = find()
    if (!mail) throw new Error('There is no such mail.')
    return mail
  }

  stop(): Promise<void> {
    return new Promise(resolve => this.server.close(() => resolve()))
  }
}
