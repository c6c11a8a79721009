import { loggable } from '../base/text.ts'

/** An error of nodemailer. */
interface SmtpError extends Error {
  /** For example `ESOCKET` or `EENVELOPE`. */
  readonly code?: unknown
  /** The SMTP command that failed. */
  readonly command?: unknown
  /** The server's reply, word for word. */
  readonly response?: unknown
}

/** The codes of errors whose message comes from the system and not from the server. */
const CONNECTION_CODES = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'ETLS'])

const REASONS: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^AUTH/, 'the mail server refused the credentials'],
  [/^MAIL/, 'the mail server refused the sender'],
  [/^RCPT/, 'the mail server refused the recipient'],
  [/^DATA/, 'the mail server refused the message'],
]
const OTHER_REASON = 'the mail server refused the connection'

/** The code (RFC 5321) and the enhanced status code (RFC 3463) that a reply begins with. */
const REPLY_CODES = /^([2-5]\d\d)(?:[ -]+([245]\.\d{1,3}\.\d{1,3})(?!\S))?/

/**
 * Turns an error of nodemailer into a description of why a mail wasn't sent, with the codes of the server's reply. The
 * reply's text is left out, because it can contain addresses.
 */
export function smtpFailureOf(error: unknown): Error {
  const { code, command, response, message } = (error instanceof Error ? error : new Error()) as SmtpError
  if (typeof response === 'string' && response !== '')
    return new Error(withCodes(reasonOf(command), response))
  if (typeof code === 'string' && CONNECTION_CODES.has(code))
    return new Error(`the mail server can't be reached: ${loggable(message)}`)
  return new Error(`the mail couldn't be sent (${typeof code === 'string' ? code : 'no code'})`)
}

const reasonOf = (command: unknown) =>
  REASONS.find(([pattern]) => pattern.test(String(command)))?.[1] ?? OTHER_REASON

function withCodes(reason: string, response: string): string {
  const [, code, enhanced] = REPLY_CODES.exec(response) ?? []
  const codes = [code, enhanced].filter(part => part !== undefined)
  return codes.length === 0 ? `${reason} without a code` : `${reason} (SMTP ${codes.join(' ')})`
}
