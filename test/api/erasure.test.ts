import { expect, test } from 'bun:test'
import { dump, JOB_FIELDS, openFixtureBoard } from '../helpers/fixtures.ts'

test('nothing that is stored has the address of a deleted account or subscriber', async () => {
  const mail = ['--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'board@example.com']
  const { test: board, admin, owner } = await openFixtureBoard(...mail)
  const { store } = board.board
  await board.post('/subscribers.json', { body: { email: owner.email } })
  await board.post('/password-resets.json', { body: { email: owner.email } })
  await board.post('/jobs.json', { as: owner, body: JOB_FIELDS })
  await board.post('/tokens.json', { as: owner, body: { name: 'Mine', scopes: ['jobs:read'] } })
  await board.put('/subscribers/1.json', { as: admin, body: { email: `old-${owner.email}` } })
  await board.put('/subscribers/1.json', { as: admin, body: { email: owner.email } })
  const text = () => JSON.stringify(dump(board))
  expect(text()).toContain(owner.email)
  await board.delete('/subscribers/1.json', { as: admin })
  await board.delete(`/users/${owner.id}.json`, { as: admin })
  expect(text()).not.toContain(owner.email)
  expect(store.findIntegrityErrors()).toEqual([])
  expect(store.read.jobs.get(1)?.userId).toBeNull()
  await board.close()
})
