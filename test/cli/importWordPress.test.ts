import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { statusOf } from '../../src/store/jobStatus.ts'
import { START } from '../helpers/board.ts'
import { ImportFolder } from '../helpers/importFolder.ts'
import { png } from '../helpers/pictures.ts'
import { FakeWordPress } from '../helpers/wordPress.ts'

let folder: ImportFolder
let site: FakeWordPress
beforeEach(async () => {
  folder = await ImportFolder.create()
  site = new FakeWordPress()
})
afterEach(async () => {
  await site.close()
  await folder.remove()
})

const names = () =>
  folder.withStore(({ read }) => ({
    categories: read.categories.all().map(({ name }) => name),
    terms: read.terms.all().map(({ name }) => name),
    plans: read.plans.all().map(({ name, pin, archived }) => ({ name, pin, archived })),
  }))

describe('an import from WordPress', () => {
  test('takes jobs with their categories, types, companies and logos, in their order', async () => {
    site.media.set(9, png(8, 8))
    site.posts.set(12, {
      title: 'Cook &amp; baker &#8211; &#8220;Quay&#8221;',
      date: '2026-01-02T03:04:05',
      media: 9,
      meta: {
        _company_name: 'R&amp;D Ltd',
        _application: 'cook@harbour.example',
        _remote_position: 1,
        _job_salary: '$52,000',
        _job_salary_unit: 'MONTH',
      },
    })
    site.posts.set(13, { date: '2025-12-01T00:00:00', categories: [4], meta: { _featured: 1 } })
    const { status, out, err } = await folder.import(site.home)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toStartWith('Imported 2 rows.\n')
    expect(out).toContain("The site doesn't show when 2 jobs end. They end with the plan's period.\n")
    expect(await names()).toEqual({
      categories: ['Care & Cure', 'Boats'],
      terms: ['Full Time'],
      plans: [
        { name: 'Imported', pin: false, archived: true },
        { name: 'Featured', pin: true, archived: true },
      ],
    })
    const [cook, other] = await folder.jobs()
    expect(cook).toMatchObject({
      title: 'Cook & baker – “Quay”',
      description: 'Words – **bold**.',
      location: 'Lisbon, Portugal',
      arrangement: 'remote',
      salary: 52_000,
      salaryCurrency: 'USD',
      salaryPeriod: 'monthly',
      company: 'R&D Ltd',
      companyWebsite: 'https://harbour.example',
      applicationType: 'email',
      applicationEmail: 'cook@harbour.example',
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      expiresAt: null,
      userId: null,
      source: `moved.${site.host.replace(':', '-')}`,
      externalId: '12',
    })
    expect(folder.logoFiles()).toEqual([cook?.logo ?? ''])
    expect(other).toMatchObject({ createdAt: Date.UTC(2025, 11, 1), arrangement: 'onsite', salary: null })
  })

  test('reads all pages, and leaves out jobs that were imported before', async () => {
    for (let id = 1; id <= 205; id++) site.posts.set(id, { title: `Job ${id}` })
    expect((await folder.import(site.home)).out).toStartWith('Imported 205 rows.\n')
    site.posts.set(206, { title: 'New' })
    const { status, out } = await folder.import(`${site.home}/`)
    expect(status).toBe(0)
    expect(out).toStartWith('Imported 1 row.\n')
    expect(out).toContain('Left out 205 jobs that were imported before.\n')
    expect(await folder.import(site.home)).toMatchObject({
      status: 0,
      out: 'Imported 0 rows.\nLeft out 206 jobs that were imported before.\n',
    })
    expect((await folder.jobs()).map(({ externalId }) => Number(externalId))).toEqual([...site.posts.keys()])
  })

  test('reads all pages of a site that does not say how many there are', async () => {
    site.hasTotals = false
    for (let id = 1; id <= 200; id++) site.posts.set(id, {})
    expect((await folder.import(site.home)).out).toStartWith('Imported 200 rows.\n')
    // A site may ignore the number of the page.
    site.before = url => {
      url.searchParams.delete('page')
    }
    site.posts.set(201, {})
    expect(await folder.import(site.home, '--dry-run')).toMatchObject({ status: 0 })
  })

  test('keeps filled and expired jobs as such, and the end of others', async () => {
    site.posts.set(1, { meta: { _filled: 1 } })
    site.posts.set(2, { meta: { _job_expires: '2026-01-08' } })
    site.posts.set(3, { meta: { _job_expires: '2026-02-01' } })
    site.posts.set(4, { status: 'draft' })
    await folder.import(site.home)
    const jobs = await folder.jobs()
    expect(jobs.map(job => statusOf(job, START))).toEqual(['filled', 'expired', 'active'])
    // The site's clock is an hour ahead, and the last day counts.
    expect(jobs[2]?.expiresAt).toBe(Date.UTC(2026, 1, 1, 22, 59, 59))
    expect(jobs[0]?.filledAt).toBe(Date.UTC(2026, 0, 5, 6, 7, 8))
  })

  test('names what could not be taken of each job', async () => {
    const long = 'Keeper of the lighthouse on the rocks beyond the harbour of the old town'
    site.posts.set(1, { title: long, meta: { _job_salary: '50k &#8211; 60k', _company_tagline: 'We row' } })
    site.posts.set(2, {
      categories: [3, 4],
      types: [],
      meta: { _job_location: '', _company_name: '', _company_website: '' },
    })
    site.posts.set(3, { title: 'Diver', meta: { _application: '' } })
    const { status, err } = await folder.import(site.home, '--keep-going')
    expect(status).toBe(0)
    expect(err.split('\n')).toEqual([
      `Job 1 "${long}": the company's tagline was left out: We row.`,
      `Job 1 "${long}": the salary is in the description, because it isn't a single amount: 50k – 60k.`,
      `Job 1 "${long}": the title is too long, so it was cut, and the full title was put above the description.`,
      'Job 2 "Job 2": the location is missing, so it became "Anywhere".',
      'Job 2 "Job 2": the company is missing, so it became "Quay & Sons".',
      `Job 2 "Job 2": the company's website is missing, so it became "${site.home}".`,
      'Job 2 "Job 2": other categories were left out: Boats.',
      'Job 3 "Diver": application_url is required.',
      'Skipped 1 row with errors.',
      '',
    ])
    const [keeper, second] = await folder.jobs()
    expect(keeper?.title).toBe('Keeper of the lighthouse on the rocks beyond the harbour of the…')
    expect(keeper?.description).toBe(`${long}\n\nSalary: 50k – 60k\n\nWords – **bold**.`)
    expect(second).toMatchObject({ location: 'Anywhere', company: 'Quay & Sons' })
    expect((await names()).terms).toEqual(['Full Time', 'Other'])
  })

  test('imports nothing if a job has errors, or with --dry-run', async () => {
    site.posts.set(1, {})
    expect(await folder.import(site.home, '--dry-run')).toMatchObject({
      status: 0,
      out: expect.stringContaining('1 row can be imported.\n'),
    })
    site.posts.set(2, { content: '<img src="x">' })
    const dry = await folder.import(site.home, '--dry-run')
    expect(dry).toEqual({
      status: 1,
      out: '',
      err: 'Job 2 "Job 2": description_html contains no text.\n1 row can be imported. 1 row has errors.\n',
    })
    expect((await folder.import(site.home)).status).toBe(1)
    expect(await folder.jobs()).toEqual([])
  })

  test.each<[string, () => string]>([
    [
      'in a subfolder',
      () => {
        site.folder = '/careers'
        return site.home
      },
    ],
    [
      'with plain permalinks',
      () => {
        site.hasPermalinks = false
        return site.home
      },
    ],
    [
      'with plain permalinks in a subfolder, without links to the interface',
      () => {
        site.folder = '/careers'
        site.hasPermalinks = false
        site.links = false
        return `${site.home}/`
      },
    ],
    [
      'by the address of a page that does not exist',
      () => {
        site.links = false
        return `${site.home}/job/cook/`
      },
    ],
    ['by the address of its jobs', () => `${site.home}/wp-json/wp/v2/job-listings?per_page=10`],
    [
      'that embeds nothing',
      () => {
        site.embeds = false
        return site.home
      },
    ],
    [
      'that redirects to its home page',
      () => {
        site.before = ({ pathname }) =>
          pathname === '/' ? Response.redirect(`${site.origin}/en/`) : undefined
        return site.home
      },
    ],
  ])('works for a site %s', async (_, addressOf) => {
    site.media.set(9, png(8, 8))
    for (const id of [1, 2]) site.posts.set(id, { media: 9 })
    expect(await folder.import(addressOf())).toMatchObject({
      status: 0,
      out: expect.stringContaining('Imported 2 rows.\n'),
      err: '',
    })
    expect(await names()).toMatchObject({ categories: ['Care & Cure'], terms: ['Full Time'] })
    expect(folder.logoFiles()).toHaveLength(2)
  })

  const json = (body: string, init: ResponseInit = {}) =>
    new Response(body, { ...init, headers: { 'content-type': 'application/json', ...init.headers } })
  const onList = (response: () => Response) => {
    site.before = ({ href }) => (/job-listings.*_embed/.test(href) ? response() : undefined)
  }

  test.each<[string, () => unknown, string]>([
    ['has no WP Job Manager', () => (site.hasPlugin = false), 'is a WordPress site without WP Job Manager.'],
    [
      'is no WordPress site',
      () => (site.before = () => new Response('<p>Hi</p>', { headers: { 'content-type': 'text/html' } })),
      "is a web page. Enter the URL of a board's /jobs.json, or of a WordPress site with WP Job Manager.",
    ],
    [
      'hides its jobs',
      () =>
        (site.before = ({ href }) =>
          href.includes('job-listings')
            ? json('{"code":"rest_forbidden","message":"Sorry, sign in."}', { status: 401 })
            : undefined),
      "doesn't show its jobs to visitors: Sorry, sign in.",
    ],
    [
      'asks for a long wait',
      () => onList(() => json('{}', { status: 429, headers: { 'retry-after': '900' } })),
      'responded with 429 Too Many Requests. Try again in 900 seconds.',
    ],
    [
      'stays busy',
      () => onList(() => json('{}', { status: 503, headers: { 'retry-after': '0' } })),
      'responded with 503 Service Unavailable. Try again in 0 seconds.',
    ],
    ['fails', () => onList(() => json('{}', { status: 500 })), 'responded with 500 Internal Server Error.'],
    [
      'sends broken JSON',
      () => onList(() => json('<b>Warning</b>: [{"id":1}]')),
      "responded with something that isn't JSON.",
    ],
    ['sends a huge page', () => onList(() => json(`["${'x'.repeat(2 ** 25)}"]`)), 'is larger than 32 MiB.'],
    [
      'redirects to another host',
      () => onList(() => Response.redirect(`${site.origin.replace('127.0.0.1', 'localhost')}/wp-json/`)),
      'redirects to another host. Import from http://localhost',
    ],
    [
      'redirects in a circle',
      () => (site.before = ({ href }) => Response.redirect(href)),
      "can't be fetched: ",
    ],
  ])('imports nothing and explains why if the site %s', async (_, prepare, sentence) => {
    site.posts.set(1, {})
    prepare()
    const { status, out, err } = await folder.import(site.home)
    expect({ status, out, err }).toEqual({ status: 1, out: '', err: expect.stringContaining(sentence) })
    expect(err.split('\n')).toHaveLength(2)
  })

  test('asks a busy site again', async () => {
    site.posts.set(1, {})
    let refusals = 2
    onList(() => {
      if (refusals-- > 0) return json('{}', { status: 503, headers: { 'retry-after': '0' } })
      site.before = () => undefined
      return json('[]')
    })
    expect(await folder.import(site.home)).toMatchObject({ status: 0, out: 'Imported 0 rows.\n' })
    expect(refusals).toBe(-1)
  })

  test('survives whatever the interface contains', async () => {
    const odd = [
      null,
      7,
      'x',
      [],
      {},
      { id: {}, title: 'x', meta: [], content: 5, 'job-types': 'y', _embedded: [] },
    ]
    onList(() => json(JSON.stringify(odd)))
    const { status, err } = await folder.import(site.home)
    expect(status).toBe(1)
    expect(err).toContain('title is required')
  })
})
