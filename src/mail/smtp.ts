import { createTransport } from 'nodemailer'
import { SECOND } from '../base/clock.ts'
import type { MailTransport } from './delivery.ts'
import { asHtml, asText, type Message } from './message.ts'
import { smtpFailureOf } from './smtpFailure.ts'

const CONNECTION_TIMEOUT = 30 * SECOND
/** Of silence. A server may take its time to say that it has a mail: RFC 5321 allows it ten minutes. */
const SILENCE_TIMEOUT = 600 * SECOND
const SUBMISSION_PORT = 587
const TLS_PORT = 465

/** How the mail server is reached. */
export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the credentials in it if there are any. */
  readonly url: string
  /** The sender's address, and the name that goes with it. */
  readonly from: string
  readonly name: string
}

/** Mail by SMTP (RFC 5321), a connection for each: a server that closes an idle one loses none. */
export class Smtp implements MailTransport {
  private readonly transporter: ReturnType<typeof createTransport>
  private readonly aborter = new AbortController()

  constructor(private readonly options: SmtpOptions) {
    this.transporter = createTransport(connectionOf(options.url))
  }

  async send(message: Message): Promise<void> {
    try {
      await this.handOver(message)
    } catch (error) {
      throw smtpFailureOf(error)
    }
  }

  close(): void {
    this.aborter.abort()
    this.transporter.close()
  }

  private async handOver(message: Message): Promise<void> {
    const { from, name } = this.options
    await this.transporter.sendMail({
      messageId: message.id,
      from: { name, address: from },
      to: { name: '', address: message.to },
      envelope: { from, to: [message.to] },
      subject: message.subject,
      text: asText(message),
      html: asHtml(message),
      headers: headersOf(message),
      signal: this.aborter.signal,
    })
  }
}

/** What keeps other programs from answering (RFC 3834), and what a mail reader's own button needs (RFC 8058). */
const headersOf = ({ unsubscribe }: Message) => ({
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe !== undefined && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

/**
 * How a connection is made. By `smtps://` it is TLS, by `smtp://` TLS if the server offers it; where there are
 * credentials it must, unless it is this very machine. The certificate is checked wherever TLS is a must; elsewhere
 * whoever could forge one could as well take the server's offer away.
 */
export function connectionOf(text: string) {
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const auth =
    url.username === ''
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  const mustEncrypt = auth !== undefined && !isLoopback(host)
  return {
    host,
    port: url.port === '' ? (secure ? TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTLS: mustEncrypt && !secure,
    tls: { rejectUnauthorized: secure || mustEncrypt },
    ...(auth && { auth }),
    connectionTimeout: CONNECTION_TIMEOUT,
    greetingTimeout: CONNECTION_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|::1)$/i.test(host)
