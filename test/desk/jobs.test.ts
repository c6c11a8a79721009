import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { START } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { type Page, Visitor } from '../helpers/visitor.ts'

let fixture: FixtureBoard
let visitor: Visitor

beforeEach(async () => {
  fixture = await openFixtureBoard()
  visitor = new Visitor(fixture.test)
  await visitor.signIn(fixture.owner.email)
})
afterEach(() => fixture.test.close())

const jobs = () => fixture.test.board.store.read.jobs
const lastJob = () => jobs().all().at(-1)

async function insert(columns: Partial<JobRow> = {}): Promise<number> {
  const [id = 0] = await insertJobs(fixture.test.board, [
    { userId: fixture.owner.id, expiresAt: START + 5 * DAY, ...columns },
  ])
  return id
}

const actionsIn = (page: Page) => [
  ...page.texts('.own-job .verbs a').map(text => text.replace(/:.*/, '')),
  ...page.texts('.own-job .verbs button').map(text => text.replace(/:.*/, '')),
]

const VALID = {
  title: 'Carpenter',
  description: 'Builds **boats**.',
  category_id: '1',
  term_id: '2',
  arrangement: 'onsite',
  location: 'Bergen, Norway',
  salary: '',
  salary_currency: 'NOK',
  salary_period: 'yearly',
  company: 'Fjord',
  company_website: 'https://fjord.example',
  application_type: 'url',
  application_url: 'https://fjord.example/apply',
  application_email: '',
  plan_id: '1',
  publish_at: '',
}

describe('The list of own jobs', () => {
  const STATES: readonly (readonly [string, Partial<JobRow>, readonly string[]])[] = [
    ['Draft', { submittedAt: null, publishedAt: null }, ['Submit']],
    ['Awaiting approval', { pending: true, publishedAt: null }, ['Close']],
    ['Not approved', { refusal: 'Name the pay.', publishedAt: null }, ['Submit', 'Close']],
    ['Scheduled', { publishedAt: START + DAY, expiresAt: START + 9 * DAY }, ['Close']],
    ['Active', { expiresAt: START + 20 * DAY }, ['Mark as filled', 'Close']],
    ['Active', {}, ['Mark as filled', 'Close', 'Renew']],
    ['Filled', { filledAt: START }, ['Close', 'Reopen', 'Renew']],
    ['Closed', { closedAt: START }, ['Reopen', 'Renew']],
    ['Closed', { closedAt: START, expiresAt: START - DAY }, ['Renew']],
    ['Expired', { expiresAt: START - DAY }, ['Renew']],
  ]

  test.each(STATES)('offers what the state %s allows (%j)', async (name, columns, verbs) => {
    await insert(columns)
    const page = await visitor.get('/account')
    expect(page.texts('.own-job .pill')).toEqual([name])
    const always = ['Edit', 'View', 'Preview', 'Duplicate', 'Delete']
    expect(
      actionsIn(page)
        .filter(action => !always.includes(action))
        .toSorted(),
    ).toEqual(verbs.toSorted())
  })

  test('shows the reason of a refusal, the days left, and only own jobs', async () => {
    await insert({ refusal: 'Name <the> pay.', publishedAt: null })
    await insert()
    await insert({ userId: fixture.other.id, title: 'Somebody else’s' })
    const page = await visitor.get('/account')
    expect(page.texts('.refusal bdi')).toEqual(['Name <the> pay.'])
    expect(page.texts('.own-job .soft').at(-1)).toBe('5 days left, until 15 Jan 2026')
    expect(page.texts('.own-job')).toHaveLength(2)
    expect(page.texts('.tabs a')).toEqual(['All 2', 'Not approved 1', 'Active 1'])
    expect((await visitor.get('/account?status=active')).texts('.own-job')).toHaveLength(1)
  })

  test('has pages, and says what to do if it is empty', async () => {
    expect((await visitor.get('/account')).texts('.blank h2')).toEqual(['You have no jobs yet'])
    for (let count = 0; count < 26; count++) await insert()
    expect((await visitor.get('/account')).texts('.own-job')).toHaveLength(25)
    const second = await visitor.get('/account?page=2')
    expect(second.texts('.own-job')).toHaveLength(1)
    expect(second.values('.pager a', 'href')).toEqual(['/account'])
    expect((await visitor.get('/account?page=x')).status).toBe(200)
  })

  test.each([
    ['fill', 'filledAt', 'is marked as filled'],
    ['close', 'closedAt', 'is closed'],
  ] as const)('has a button to %s a job, which can be clicked twice', async (verb, column, done) => {
    const id = await insert()
    await visitor.get('/account')
    const fields = visitor.hiddenFields()
    const replies = await Promise.all([1, 2].map(() => visitor.post(`/account/jobs/${id}/${verb}`, fields)))
    expect(replies.map(({ status }) => status)).toEqual([303, 303])
    expect(jobs().get(id)?.[column]).not.toBeNull()
    const after = await visitor.get(replies[0]?.location ?? '')
    expect(after.texts('[role=status]')).toEqual([`The job "Nurse" ${done}.`])
  })

  test('renews a job once, also after a double click on a short plan', async () => {
    const id = await insert({ planId: PLAN_ID.basic })
    await fixture.test.board.store.write(({ plans }) => {
      const plan = plans.get(PLAN_ID.basic)
      if (plan) plans.update(plan, { period: 2 })
    })
    const page = await visitor.get(`/account/jobs/${id}/renew`)
    expect(page.texts('#plan_id option')).toEqual([
      'Basic: Online for 2 days, Free',
      'Endless: Online until you close it, Free',
      'Pinned: Online for 60 days, $99',
    ])
    const fields = { ...visitor.hiddenFields(), plan_id: '1' }
    await Promise.all([1, 2].map(() => visitor.post(`/account/jobs/${id}/renew`, fields)))
    expect(jobs().get(id)?.expiresAt).toBe(START + 7 * DAY)
  })

  test('leaves out of messages what is for programs', async () => {
    const id = await insert({ closedAt: START, expiresAt: START - DAY })
    await visitor.get(`/account/jobs/${id}/reopen`)
    const page = await visitor.submit(`/account/jobs/${id}/reopen`)
    expect([page.status, page.texts('#summary h2')]).toEqual([
      409,
      ['Its period has ended. Renew it instead.'],
    ])
  })

  test('explains why a verb is refused, and leads back', async () => {
    const id = await insert({ expiresAt: START + 20 * DAY })
    await visitor.get(`/account/jobs/${id}/renew`)
    const page = await visitor.submit(`/account/jobs/${id}/renew`, { plan_id: '1' })
    expect([page.status, page.values('.actions a', 'href')]).toEqual([409, ['/account']])
    expect(page.texts('#summary h2')[0]).toContain('It can be renewed from')
  })

  test('duplicates and deletes, after a page that lists what is deleted', async () => {
    const id = await insert()
    await visitor.get('/account')
    const copy = await visitor.submit(`/account/jobs/${id}/duplicate`)
    expect(copy.location).toBe(`/account/jobs/${id + 1}/edit`)
    const page = await visitor.get(`/account/jobs/${id}/delete`)
    expect(page.texts('main li')).toEqual([
      'The job “Nurse” at Clinic',
      'Its statistics: 0 views and 0 clicks on Apply',
    ])
    expect(jobs().get(id)).toBeDefined()
    const done = await visitor.submit(`/account/jobs/${id}/delete`)
    expect(jobs().get(id)).toBeUndefined()
    expect((await visitor.get(done.location)).texts('[role=status]')).toEqual(['The job was deleted.'])
    expect((await visitor.get(`/account/jobs/${id}/delete`)).status).toBe(404)
  })
})

describe('The page of a job', () => {
  test('has charts with labels and tables of the same numbers', async () => {
    const id = await insert()
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0' }
    for (let view = 0; view < 3; view++) await fixture.test.get(`/jobs/${id}`, { headers })
    const page = await visitor.get(`/account/jobs/${id}?days=7`)
    expect(page.texts('figcaption')).toEqual(['Shown in lists 0', 'Views 3', 'Apply clicks 0'])
    expect(page.values('svg', 'aria-label')[1]).toBe('Views by day: 3 in all, at most 3 on a day')
    expect(page.texts('.day-chart:nth-child(2) tbody tr')).toHaveLength(7)
    expect(page.texts('.day-chart:nth-child(2) tbody td').slice(0, 2)).toEqual(['10 Jan', '3'])
    expect(page.values('rect', 'height')).toEqual(['60'])
  })

  test.each(['', '/edit', '/delete', '/renew', '/fill', '/close', '/reopen', '/submit', '/duplicate'])(
    '%s of somebody else is not shown, nor changed',
    async path => {
      const id = await insert({ userId: fixture.other.id, pending: true, publishedAt: null })
      expect((await visitor.get(`/account/jobs/${id}${path}`)).status).toBe(404)
      await visitor.get('/account')
      const before = jobs().get(id)
      if (path !== '') expect((await visitor.submit(`/account/jobs/${id}${path}`, VALID)).status).toBe(404)
      expect(jobs().get(id)).toEqual(before)
    },
  )
})

describe('The form to edit a job', () => {
  test('shows its values, and saves them', async () => {
    const id = await insert()
    const page = await visitor.get(`/account/jobs/${id}/edit`)
    expect(page.values('#title')).toEqual(['Nurse'])
    expect(page.texts('#description')).toEqual(['Cares.'])
    expect(page.values('#category_id option[selected]')).toEqual(['1'])
    expect(page.texts('.plans')).toEqual([])
    const done = await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, salary: '4200' })
    expect(done.location).toBe(`/account?done=save&job=${id}`)
    expect(jobs().get(id)).toMatchObject({
      title: 'Carpenter',
      salary: 4200,
      termId: 2,
      expiresAt: START + 5 * DAY,
    })
  })

  test('comes back with every entry, a summary, and a message beside each field', async () => {
    const id = await insert()
    await visitor.get(`/account/jobs/${id}/edit`)
    const page = await visitor.submit(`/account/jobs/${id}/edit`, {
      ...VALID,
      title: 'x'.repeat(65),
      company_website: 'fjord',
      category_id: '99',
    })
    expect(page.status).toBe(422)
    expect(page.errors).toEqual([
      'Title is too long: at most 64 characters, and it has 65.',
      'Company website must be an absolute http or https URL, such as https://example.com/jobs.',
      "Category doesn't match any category.",
    ])
    expect(page.values('#summary a', 'href')).toEqual(['#title', '#company_website', '#category_id'])
    expect(page.values('[aria-invalid=true]', 'id').toSorted()).toEqual([
      'category_id',
      'company_website',
      'title',
    ])
    expect(page.values('#company')).toEqual(['Fjord'])
    expect(page.texts('title')[0]).toStartWith('Error: Edit')
    expect(jobs().get(id)?.title).toBe('Nurse')
  })

  test('keeps an uploaded logo when it is rejected, whatever the name of its file', async () => {
    const id = await insert()
    const name = '../"><img src=x onerror=alert(1)>.png'
    const file = new File([new Uint8Array(png(8, 8))], name)
    await visitor.get(`/account/jobs/${id}/edit`)
    const page = await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, title: '', logo: file })
    expect(page.texts('.kept bdi')).toEqual(['"><img src=x onerror=alert(1)>.png'])
    expect(page.html).not.toContain('<img src=x')
    expect(page.texts('main img')).toEqual([])
    expect((await visitor.submit(`/account/jobs/${id}/edit`, VALID)).status).toBe(303)
    expect(jobs().get(id)?.logo).toEndWith('.webp')
    await visitor.get(`/account/jobs/${id}/edit`)
    await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, remove_logo: 'true' })
    expect(jobs().get(id)?.logo).toBe('')
  })

  test('does not overwrite what another tab has saved in the meantime without asking', async () => {
    const id = await insert()
    await visitor.get(`/account/jobs/${id}/edit`)
    const fields = visitor.hiddenFields()
    fixture.test.clock.now += 1000
    await visitor.post(`/account/jobs/${id}/edit`, { ...fields, ...VALID, title: 'From another tab' })
    const page = await visitor.post(`/account/jobs/${id}/edit`, { ...fields, ...VALID, title: 'Mine' })
    expect([page.status, page.values('#title')]).toEqual([409, ['Mine']])
    expect(jobs().get(id)?.title).toBe('From another tab')
    expect((await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, title: 'Mine' })).status).toBe(303)
    expect(jobs().get(id)?.title).toBe('Mine')
  })

  test('comes back with its values after its session has ended, or its token is too old', async () => {
    const id = await insert()
    await visitor.get(`/account/jobs/${id}/edit`)
    const old = visitor.hiddenFields()
    await visitor.signIn(fixture.owner.email)
    const page = await visitor.post(`/account/jobs/${id}/edit`, { ...old, ...VALID })
    expect([page.status, page.values('#title')]).toEqual([422, ['Carpenter']])
    expect(page.texts('#summary h2')).toEqual(['This form was open for too long. Please send it again.'])
    expect((await visitor.submit(`/account/jobs/${id}/edit`, VALID)).status).toBe(303)
  })

  test('schedules a draft for a day, and can take that back', async () => {
    const id = await insert({ submittedAt: null, publishedAt: null, expiresAt: null })
    await visitor.get(`/account/jobs/${id}/edit`)
    await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, publish_at: '2026-02-01' })
    expect(jobs().get(id)?.publishAt).toBe(Date.UTC(2026, 1, 1))
    expect((await visitor.get(`/account/jobs/${id}/edit`)).values('#publish_at')).toEqual(['2026-02-01'])
    await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, publish_at: '2026-01-01' })
    expect(jobs().get(id)?.publishAt).toBe(Date.UTC(2026, 1, 1))
    await visitor.submit(`/account/jobs/${id}/edit`, VALID)
    expect(jobs().get(id)?.publishAt).toBeNull()
  })

  test('submits a draft, and shows what is missing', async () => {
    const id = await insert({ submittedAt: null, publishedAt: null, expiresAt: null, company: '' })
    await visitor.get('/account')
    const incomplete = await visitor.submit(`/account/jobs/${id}/submit`)
    expect(incomplete.location).toBe(`/account/jobs/${id}/edit?check=1`)
    expect((await visitor.get(incomplete.location)).errors).toEqual(['Company is required.'])
    const done = await visitor.submit(`/account/jobs/${id}/edit`, { ...VALID, after: 'submit' })
    expect(done.location).toBe(`/account?done=submit&job=${id}`)
    expect(jobs().get(id)?.publishedAt).toBe(START)
  })
})

describe('The form to post a job', () => {
  test('shows the plans as cards, and posts a job', async () => {
    const page = await visitor.get('/post')
    expect(page.texts('.plan-name')).toEqual(['Basic', 'Endless', 'Pinned'])
    expect(page.texts('.features > span')).toEqual([
      'Online for 30 days',
      'Online until you close it',
      'Online for 60 days',
      'First in the list',
    ])
    expect(page.values('.plan [checked]')).toEqual(['1'])
    const done = await visitor.submit('/post', { ...VALID, logo: logoFile() })
    expect([done.status, done.location]).toEqual([303, `/account?done=submit&job=${lastJob()?.id}`])
    expect(lastJob()).toMatchObject({ title: 'Carpenter', userId: fixture.owner.id, publishedAt: START })
    expect((await visitor.get(done.location)).texts('[role=status]')).toEqual([
      'The job "Carpenter" is submitted.',
    ])
  })

  test('posts once after a double click, and again with other values', async () => {
    await visitor.get('/post')
    const fields = { ...visitor.hiddenFields(), ...VALID }
    const replies = await Promise.all([1, 2].map(() => visitor.post('/post', fields)))
    expect(new Set(replies.map(({ location }) => location)).size).toBe(1)
    expect(jobs().count).toBe(1)
    await visitor.post('/post', { ...fields, title: 'Another' })
    expect(jobs().count).toBe(2)
  })

  test('saves a draft with a title only', async () => {
    await visitor.get('/post')
    const blank = Object.fromEntries(Object.keys(VALID).map(name => [name, '']))
    expect((await visitor.submit('/post', { ...blank, draft: 'true' })).errors).toEqual([
      'Title is required.',
    ])
    expect((await visitor.submit('/post', { ...blank, title: 'Idea', draft: 'true' })).status).toBe(303)
    expect(lastJob()).toMatchObject({ title: 'Idea', submittedAt: null, planId: null })
  })

  test('shows the page as it would be, without harm and without storing anything', async () => {
    await visitor.get('/post')
    const page = await visitor.submit('/post/preview', {
      ...VALID,
      title: '<script>alert(1)</script>',
      description: '**Boats**\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))',
      company_website: '',
      plan_id: '2',
    })
    expect(page.heading).toBe('<script>alert(1)</script>')
    expect(page.texts('.prose strong')).toEqual(['Boats'])
    expect(page.html).not.toMatch(/<img src=x|javascript:|<script>alert/)
    expect(page.texts('.badge')).toEqual(['Featured'])
    expect(page.response.headers.get('cache-control')).toBe('private, no-store')
    expect((await visitor.submit('/post/preview', { title: '' })).heading).toBe('Untitled job')
    expect(jobs().count).toBe(0)
  })
})

test('the form of a job that comes from a source says what editing it means', async () => {
  const id = await insert({ source: 'crewline', externalId: '7' })
  const page = await visitor.get(`/account/jobs/${id}/edit`)
  expect(page.texts('.notice-bar')).toEqual([
    'This job comes from the source crewline. Once you change it here, it no longer follows its source.',
  ])
  const own = await visitor.get(`/account/jobs/${await insert()}/edit`)
  expect(own.texts('.notice-bar')).toEqual([])
})

test('saving a job of a source without a change does not detach it', async () => {
  const { test: board, owner } = fixture
  const set = [
    {
      ...VALID,
      external_id: 1,
      description: 'Builds\n\n- **boats**\n',
      location: 'Bergen',
      company: 'Yard',
      company_website: 'https://yard.example',
      application_url: 'https://yard.example/1',
      plan_id: PLAN_ID.basic,
    },
  ]
  const sync = async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(set)
    const response = await board.post('/sources/ats/sync.json', { as: owner, headers, body })
    return (await response.json()) as object
  }
  expect(await sync()).toMatchObject({ created: 1, refused: [] })
  const path = `/account/jobs/${lastJob()?.id}/edit`
  await visitor.get(path)
  expect((await visitor.submit(path)).status).toBe(303)
  expect(await sync()).toMatchObject({ unchanged: 1, detached: [] })
})
