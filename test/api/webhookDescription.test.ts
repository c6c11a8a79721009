import { afterAll, beforeAll, expect, test } from 'bun:test'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { contractOf } from '../helpers/contract.ts'
import { type FixtureBoard, JOB_FIELDS, openFixtureBoard } from '../helpers/fixtures.ts'
import { TestReceiver } from '../helpers/receiver.ts'

let fixture: FixtureBoard
let receiver: TestReceiver
beforeAll(async () => {
  receiver = new TestReceiver()
  fixture = await openFixtureBoard('--webhook-private', 'on')
})
afterAll(async () => {
  await fixture.test.close()
  await receiver.stop()
})

test('messages about every kind of record match the API description', async () => {
  const { test: board, admin, owner } = fixture
  const contract: object = await contractOf(board)
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false }))
  ajv.addSchema(contract, 'contract')
  const validate = ajv.compile({
    $ref: 'contract#/webhooks/change/post/requestBody/content/application~1json/schema',
  })
  await board.post('/webhooks.json', { as: admin, body: { url: receiver.url } })
  const post = (path: string, body: object) => board.post(path, { as: admin, body })
  for (const name of ['categories', 'terms', 'plans']) await post(`/${name}.json`, { name: 'New' })
  await board.post('/jobs.json', {
    as: owner,
    body: { ...JOB_FIELDS, description: 'x'.repeat(30_000) },
  })
  await post('/users.json', { email: 'new@example.com', password: 'long enough' })
  await post('/subscribers.json', { email: 'reader@example.com', confirmed: true })
  await board.delete('/terms/3.json', { as: admin })
  await board.board.webhooks.whenIdle()
  expect(receiver.types).toEqual([
    'category.created',
    'term.created',
    'plan.created',
    'job.created',
    'job.published',
    'user.created',
    'subscriber.created',
    'term.deleted',
  ])
  const faults = receiver.messages.flatMap(({ body }) =>
    validate(body) ? [] : [[body.type, ajv.errorsText(validate.errors)]],
  )
  expect(faults).toEqual([])
  expect(receiver.messages[3]?.body.data.shortened).toEqual(['description'])
})
