import { createTransport } from 'nodemailer'
import { hostOf, isLoopback } from '../base/address.ts'
import { SECOND } from '../base/clock.ts'
import type { MailTransport } from './delivery.ts'
import { asHtml, asText, type Message } from './message.ts'
import { smtpFailureOf } from './smtpFailure.ts'

const CONNECTION_TIMEOUT = 30 * SECOND
/** The longest silence of a server. RFC 5321 allows it ten minutes to accept a mail. */
const SILENCE_TIMEOUT = 600 * SECOND
const SUBMISSION_PORT = 587
const TLS_PORT = 465

/** The mail server and the sender. */
export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with credentials if there are any. */
  readonly url: string
  /** The sender's address. */
  readonly from: string
  readonly name: () => string
}

/** Sends messages by SMTP (RFC 5321), each over its own connection, because a server may close an idle one. */
export class Smtp implements MailTransport {
  private readonly transporter: ReturnType<typeof createTransport>
  private readonly aborter = new AbortController()

  constructor(private readonly options: SmtpOptions) {
    this.transporter = createTransport(connectionOf(options.url))
  }

  async send(message: Message): Promise<void> {
    try {
      await this.submit(message)
    } catch (error) {
      throw smtpFailureOf(error)
    }
  }

  close(): void {
    this.aborter.abort()
    this.transporter.close()
  }

  private async submit(message: Message): Promise<void> {
    const { from, name } = this.options
    await this.transporter.sendMail({
      messageId: message.id,
      from: { name: name(), address: from },
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

/** Returns headers that stop automatic replies (RFC 3834) and give mail readers an unsubscribe button (RFC 8058). */
const headersOf = ({ unsubscribe }: Message) => ({
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe !== undefined && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

/**
 * Returns the connection options for a mail server's URL. `smtps://` uses TLS, `smtp://` upgrades to TLS if the server offers it.
 * With credentials, TLS is required unless the server is on this machine. The certificate is checked where TLS is
 * required. Elsewhere that is no use: an attacker who can forge one can also suppress the server's offer.
 */
export function connectionOf(text: string) {
  const url = new URL(text)
  const host = hostOf(url)
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
