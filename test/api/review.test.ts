import { afterEach, describe, expect, test } from 'bun:test'
import { START } from '../helpers/board.ts'
import { type FixtureBoard, JOB_FIELDS, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { MailServer } from '../helpers/mail.ts'
import { png } from '../helpers/pictures.ts'
import { idsOf, jsonObject, statusOf } from '../helpers/responses.ts'

const DAY = 86_400_000

let fixture: FixtureBoard
let server: MailServer | undefined

afterEach(async () => {
  await fixture.test.close()
  await server?.stop()
  server = undefined
})

const JOB = '/jobs/1.json'
const update = (body: object, as = fixture.owner) => fixture.test.put(JOB, { as, body })
const approve = () => fixture.test.put('/jobs/1/approve.json', { as: fixture.admin })
const read = () => jsonObject(fixture.test.get(JOB, { as: fixture.owner }))
const inList = async () => (await idsOf(fixture.test.get('/jobs.json'))).includes(1)

/** Opens a board with one job of the owner, approved if necessary. */
async function open(approval: string, body: object = {}, ...flags: string[]) {
  fixture = await openFixtureBoard('--approve', approval, ...flags)
  const posted = { ...JOB_FIELDS, application_email: 'jobs@fjord.example', ...body }
  await fixture.test.post('/jobs.json', { as: fixture.owner, body: posted })
  await approve()
  expect(await read()).toMatchObject({ status: 'active' })
}

const logo = (size: number) => formOf({ logo: logoFile(png(size, size)) })

const REVIEWED = [
  { title: 'Something else' },
  { description: 'Something else' },
  { location: 'Elsewhere' },
  { company: 'Another' },
  { company_website: 'https://elsewhere.example/' },
  { application_url: 'https://elsewhere.example/' },
  { application_email: 'other@elsewhere.example' },
  { application_type: 'email' },
]

const NOT_REVIEWED = [
  {},
  { title: JOB_FIELDS.title },
  { title: ` ${JOB_FIELDS.title} `, description: JOB_FIELDS.description, logo: '' },
  { arrangement: 'hybrid', salary: 1, salary_currency: 'EUR', salary_period: 'daily' },
  { category_id: 2, term_id: 2 },
]

describe("an owner's change of an approved job", () => {
  test.each(REVIEWED)('needs approval again: %j', async body => {
    await open('all')
    expect(await jsonObject(update(body))).toMatchObject({ status: 'pending' })
    expect(await statusOf(fixture.test.get(JOB))).toBe(404)
    expect(await inList()).toBeFalse()
    await approve()
    expect(await read()).toMatchObject({ status: 'active' })
    expect(await inList()).toBeTrue()
  })

  test.each(NOT_REVIEWED)('needs no approval if nothing reviewed changes: %j', async body => {
    await open('all')
    expect(await jsonObject(update(body))).toMatchObject({ status: 'active' })
    expect(await inList()).toBeTrue()
  })

  test('needs approval if the logo changes or is removed, but not if it is the same picture', async () => {
    await open('all')
    const statusAfter = async (body: object) => (await jsonObject(update(body)))['status']
    expect(await statusAfter(logo(4))).toBe('pending')
    await approve()
    expect(await statusAfter(logo(4))).toBe('active')
    expect(await statusAfter(logo(5))).toBe('pending')
    await approve()
    expect(await statusAfter({ logo: null })).toBe('pending')
  })

  test.each([
    ['none', PLAN_ID.basic, 'active'],
    ['none', PLAN_ID.pinned, 'active'],
    ['paid', PLAN_ID.basic, 'active'],
    ['paid', PLAN_ID.pinned, 'pending'],
    ['all', PLAN_ID.endless, 'pending'],
  ])('with --approve %s on plan %i is %s', async (approval, plan, status) => {
    await open(approval, { plan_id: plan })
    expect(await jsonObject(update({ title: 'Something else' }))).toMatchObject({ status })
  })

  test('needs no approval if an administrator makes it', async () => {
    await open('all')
    const response = update({ title: 'Something else' }, fixture.admin)
    expect(await jsonObject(response)).toMatchObject({ status: 'active' })
  })

  test('keeps its end, after the change and after the approval', async () => {
    await open('all')
    const { expires_at: end } = await read()
    fixture.test.clock.now = START + 10 * DAY
    expect(await jsonObject(update({ title: 'Something else' }))).toMatchObject({ expires_at: end })
    fixture.test.clock.now = START + 20 * DAY
    await approve()
    expect(await read()).toMatchObject({ status: 'active', expires_at: end })
    // a late approval does not reactivate it
    await update({ title: 'Something more' })
    fixture.test.clock.now = START + 31 * DAY
    await approve()
    expect(await read()).toMatchObject({ status: 'expired', expires_at: end })
  })

  test('is not announced again to subscribers', async () => {
    await open('all')
    const before = fixture.test.board.store.read.jobs.get(1)?.publishedAt
    fixture.test.clock.now = START + DAY
    await update({ title: 'Something else' })
    await approve()
    expect(fixture.test.board.store.read.jobs.get(1)?.publishedAt).toBe(before ?? null)
  })

  test('is announced to administrators once, and its approval to the owner', async () => {
    server = await MailServer.start()
    await open('all', {}, ...server.flags)
    await server.mail(2)
    await update({ title: 'Something else' })
    await update({ title: 'Something more' })
    const approvalMail = await server.mail(3)
    expect(approvalMail.envelope.to).toEqual([fixture.admin.email])
    expect(approvalMail.text).toContain(`${fixture.owner.email} changed a job`)
    await fixture.test.board.mail.whenIdle()
    expect(server.mails).toHaveLength(3)
    await approve()
    const approvedMail = await server.mail(4)
    expect(approvedMail.envelope.to).toEqual([fixture.owner.email])
  })
})
