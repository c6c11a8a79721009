import { expect, test } from 'bun:test'
import { recipientOf } from '../../src/mail/linkLimits.ts'

test.each([
  ['anna@example.com', 'anna@example.com'],
  ['anna+1@example.com', 'anna@example.com'],
  ['anna+a+b@example.com', 'anna@example.com'],
  ['a.berg@example.com', 'a.berg@example.com'],
  ['a.b.c+x@gmail.com', 'abc@gmail.com'],
  ['a.bc@googlemail.com', 'abc@gmail.com'],
  ['+1@example.com', '+1@example.com'],
  ['ａnna@example.com', 'anna@example.com'],
  ['anna@käse.example', 'anna@xn--kse-qla.example'],
  ['anna@xn--kse-qla.example', 'anna@xn--kse-qla.example'],
])('mail to %s arrives at %s', (email, mailbox) => {
  expect(recipientOf(email)).toEqual({ mailbox, domain: mailbox.slice(mailbox.indexOf('@') + 1) })
})
