import { expect, test } from 'bun:test'
import { smtpFailureOf } from '../../src/mail/smtpFailure.ts'

const failure = (message: string, details: object = {}) =>
  smtpFailureOf(Object.assign(new Error(message), details)).message

test.each([
  ['RCPT TO', '550 5.1.1 <anna@example.com>\x1b[31m: unknown', 'refused the recipient (SMTP 550 5.1.1)'],
  ['RCPT TO', '550-5.7.26 first\n550 5.7.26 anna@example.com', 'refused the recipient (SMTP 550 5.7.26)'],
  ['RCPT TO', '452 mailbox of anna is full', 'refused the recipient (SMTP 452)'],
  ['MAIL FROM', '553 5.7.1x', 'refused the sender (SMTP 553)'],
  ['AUTH PLAIN', '535 5.7.8 anna', 'refused the credentials (SMTP 535 5.7.8)'],
  ['DATA', '554 5.6.0 spam', 'refused the message (SMTP 554 5.6.0)'],
  ['EHLO', '421 later', 'refused the connection (SMTP 421)'],
  ['CONN', 'HTTP/1.1 400 anna@example.com', 'refused the connection without a code'],
])('turns the reply to %s, %j, into our own words and its codes', (command, response, reason) => {
  const details = { code: 'EENVELOPE', command, response }
  expect(failure(`Command failed: ${response}`, details)).toBe(`the mail server ${reason}`)
})

test('explains in one line why a connection failed', () => {
  expect(failure('connect ECONNREFUSED 127.0.0.1:25', { code: 'ESOCKET', command: 'CONN' })).toBe(
    "the mail server can't be reached: connect ECONNREFUSED 127.0.0.1:25",
  )
  expect(failure('no\n\x1b[2Jsuch host', { code: 'EDNS' })).toBe(
    "the mail server can't be reached: no [2Jsuch host",
  )
})

test('shows only the code of any other failure', () => {
  expect(failure('Invalid recipient "anna"', { code: 'EENVELOPE', command: 'API' })).toBe(
    "the mail couldn't be sent (EENVELOPE)",
  )
  expect(failure('anna')).toBe("the mail couldn't be sent (no code)")
})
