import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { PASSWORD, TestBoard } from '../helpers/board.ts'
import { Browser, hasBrowser } from '../helpers/browser.ts'
import { ADDRESSES, BROWSER } from '../helpers/visitors.ts'

const ADMIN = 'owner@example.com'

let board: TestBoard
let server: Bun.Server<undefined>
let base: string

beforeAll(async () => {
  if (!hasBrowser) return
  ;({ board, server, base } = await TestBoard.serve())
  await board.account(ADMIN, 'admin')
})

afterAll(async () => {
  if (!hasBrowser) return
  await Browser.end()
  await server.stop(true)
  await board.close()
})

/** Enters values into the open form, choices included, and sends it. */
async function send(browser: Browser, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, value] of Object.entries(fields)) {
    const field = `document.querySelector('#${id}')`
    const isChoice = await browser.evaluate<boolean>(`${field}.matches('select')`)
    await browser.evaluate(`${field}.value = ${JSON.stringify(isChoice ? value : '')}`)
    if (isChoice) continue
    await browser.click(`#${id}`)
    await browser.type(value)
  }
  await browser.click('main form .actions button')
}

const until = (browser: Browser, selector: string, text: string) =>
  browser.until(`document.querySelector('${selector}')?.textContent.includes(${JSON.stringify(text)})`)

/** Follows a link of the first steps on the overview. */
async function followStep(browser: Browser, path: string): Promise<void> {
  await browser.go('/admin')
  await browser.click(`.guide a[href="${path}"]`)
  await browser.until(`location.pathname === '${path}'`)
}

const imported = (title: string) => ({
  title,
  description: 'Care for our guests.',
  location: 'Lisbon, Portugal',
  company: 'Hotel Mar',
  company_website: 'https://hotel.example',
  application_url: 'https://hotel.example/jobs',
  category: 'Hospitality',
  term: 'Full-time',
  plan: 'Basic',
})

/** Checks the file first, and then imports it. */
async function importJobs(browser: Browser, file: string): Promise<void> {
  await browser.go('/admin/data')
  await browser.click('a[href="/admin/data/import"]')
  await until(browser, 'h1', 'Import jobs')
  await browser.chooseFile('#file', file)
  await send(browser, { dry_run: 'true' })
  await until(browser, '[role=status]', 'can be imported')
  await browser.click('main form button')
  await until(browser, '[role=status]', 'Imported 9 rows')
}

test.skipIf(!hasBrowser)(
  'an owner gets from an empty board to ten jobs and the first figures, without JavaScript',
  async () => {
    using browser = await Browser.open(base, { scripts: false })
    await browser.go('/admin')
    await send(browser, { email: ADMIN, password: PASSWORD })
    await until(browser, 'h1', 'Overview')
    expect(await browser.textsOf('.guide li.finished')).toEqual([])

    await followStep(browser, '/admin/settings')
    await send(browser, { name: 'Lisbon Jobs', accent: '#0d6b5e' })
    await until(browser, '.done', 'saved')
    expect(await browser.textOf('.top .name')).toBe('Lisbon Jobs')
    await followStep(browser, '/admin/categories')
    await send(browser, { name: 'Hospitality' })
    await until(browser, '.done', 'Created')
    await followStep(browser, '/admin/terms')
    await send(browser, { name: 'Full-time' })
    await until(browser, '.done', 'Created')
    await followStep(browser, '/admin/plans/new')
    await send(browser, { name: 'Basic' })
    await until(browser, '.done', 'Created')

    await followStep(browser, '/post')
    const { title, description, location, company, company_website, application_url } = imported('Porter')
    await send(browser, {
      ...{ title, description, location, company, company_website, application_url },
      ...{ category_id: '1', term_id: '1' },
    })
    await until(browser, '[role=status]', 'Porter')
    const file = join(board.folder, 'jobs.json')
    const titles = Array.from({ length: 9 }, (_, at) => `Waiter ${at + 1}`)
    await Bun.write(file, JSON.stringify(titles.map(imported)))
    await importJobs(browser, file)

    await browser.go('/')
    expect(await browser.textOf('h1')).toBe('10 open jobs')
    const visitor = { accept: 'text/html', 'user-agent': BROWSER, 'x-forwarded-for': ADDRESSES.Germany }
    for (const path of ['/', '/jobs/1', '/jobs/1/apply']) await board.get(path, { headers: visitor })
    await browser.go('/admin')
    expect(await browser.textsOf('.guide, .day-chart figcaption strong')).toEqual(['2', '1'])
    await browser.click('a[href="/admin/analytics"]')
    await until(browser, 'h1', 'Statistics')
    expect(await browser.textsOf('[aria-labelledby=funnel] td:nth-child(2)')).toEqual(['10', '1', '1'])
  },
)
