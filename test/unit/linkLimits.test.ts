import { expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { LinkLimits, recipientOf } from '../../src/mail/linkLimits.ts'
import { TestBoard } from '../helpers/board.ts'

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
])('mail to %s reaches %s', (email, mailbox) => {
  expect(recipientOf(email)).toEqual({ mailbox, domain: mailbox.slice(mailbox.indexOf('@') + 1) })
})

test.each([1000, 2 * DAY])('delays no mail after the clock was set back by %i ms', async by => {
  const board = await TestBoard.open()
  let now = board.clock.now
  const limits = new LinkLimits(board.board.store.read, () => now)
  const admit = () => limits.admit('reset', 'anna@example.com', { now, queuedAt: now })
  for (let at = 0; at < 5; at++) expect(admit()).toBeTrue()
  expect(admit()).toBeFalse()
  now -= by
  for (let at = 0; at < 5; at++) expect(admit()).toBeTrue()
  expect(admit()).toBeFalse()
  await board.close()
})
