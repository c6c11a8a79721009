import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { fillWithSample } from '../../src/cli/sample.ts'
import { PASSWORD, START, TestBoard } from '../helpers/board.ts'
import { Browser, hasBrowser } from '../helpers/browser.ts'
import { insertJobs } from '../helpers/fixtures.ts'
import { MailServer } from '../helpers/mail.ts'

const OWNER = 'owner@example.com'

let mail: MailServer
let board: TestBoard
let server: Bun.Server<undefined>
let base: string
let job: number

beforeAll(async () => {
  if (!hasBrowser) return
  mail = await MailServer.start()
  const flags = ['--registration', 'open', '--approve', 'none', '--digest', 'off', ...mail.flags]
  ;({ board, server, base } = await TestBoard.serve(...flags))
  await fillWithSample(board.board)
  const owner = await board.account(OWNER)
  const own = { userId: owner.id, company: 'Harbour Hospice', location: 'Lisbon, Portugal' }
  const states = [
    { title: 'Registered Nurse', expiresAt: START + 5 * DAY },
    { title: 'Physiotherapist', submittedAt: null, publishedAt: null },
    { title: 'Cook', publishedAt: null, refusal: 'Please name the salary.' },
    { title: 'A title that is as long as titles can be, with all its words', filledAt: START },
  ]
  ;[job = 0] = await insertJobs(
    board.board,
    states.map(state => ({ ...own, ...state })),
  )
})

afterAll(async () => {
  if (!hasBrowser) return
  await Browser.end()
  await server.stop(true)
  await board.close()
  await mail.stop()
})

/** Clicks an element once its page is complete. */
async function click(browser: Browser, selector: string): Promise<void> {
  await browser.until(`document.querySelector(${JSON.stringify(selector)}) !== null`)
  await browser.click(selector)
}

async function fill(browser: Browser, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, value] of Object.entries(fields)) {
    await click(browser, `#${id}`)
    await browser.type(value)
  }
}

async function choose(browser: Browser, selects: readonly string[]): Promise<void> {
  for (const id of selects) await browser.evaluate(`document.querySelector('#${id}').selectedIndex = 1`)
}

const headingIs = (browser: Browser, text: string) =>
  browser.until(`document.querySelector('h1')?.textContent === ${JSON.stringify(text)}`)

async function signIn(browser: Browser): Promise<void> {
  await browser.go('/sign-in')
  await fill(browser, { email: OWNER, password: PASSWORD })
  await browser.press('Enter')
  await headingIs(browser, 'My jobs')
}

async function signOut(browser: Browser): Promise<void> {
  await browser.go('/sign-out')
  await click(browser, 'main button')
  await browser.until(`location.pathname === '/'`)
}

describe.skipIf(!hasBrowser)('an employer without an account', () => {
  test.each([true, false])('posts a job, edits it, fills it and renews it (scripts: %p)', async scripts => {
    using browser = await Browser.open(base, { scripts })
    const count = mail.mails.length
    const title = `Carpenter ${scripts ? 'with' : 'without'} scripts`
    await browser.go('/')
    await click(browser, '.top .button')
    await headingIs(browser, 'Post a job')
    await fill(browser, {
      email: `boss-${scripts}@example.com`,
      title,
      description: 'We build **boats**.',
      location: 'Bergen, Norway',
      company: 'Fjord & Sons',
      company_website: 'https://fjord.example',
      application_url: 'https://fjord.example/apply',
    })
    await choose(browser, ['category_id', 'term_id'])
    await click(browser, '.job-form .actions button')
    await headingIs(browser, 'Check your inbox')
    const link = /\/post\/confirm\?token=\S+/.exec((await mail.mail(count + 1)).text)?.[0] ?? ''
    await browser.go(link)
    await click(browser, 'main button')
    await headingIs(browser, 'My jobs')
    expect(await browser.textOf('[role=status]')).toBe(`The job "${title}" is submitted.`)
    expect(await browser.textOf('.own-job .pill')).toBe('Active')

    await click(browser, '.own-job a[href$="/edit"]')
    await headingIs(browser, `Edit: ${title}`)
    await fill(browser, { salary: '52000' })
    await click(browser, '.job-form .actions button')
    await headingIs(browser, 'My jobs')
    await click(browser, '.own-job form[action$="/fill"] button')
    await browser.until(`document.querySelector('.own-job .pill')?.textContent === 'Filled'`)
    // A session ends if it isn't used for 14 days.
    for (let week = 0; week < 3; week++) {
      board.clock.now += 7 * DAY
      await browser.go('/account')
      await browser.until(`document.querySelector('.own-job') !== null`)
    }
    await click(browser, '.own-job a[href$="/renew"]')
    await headingIs(browser, `Renew: ${title}`)
    await click(browser, 'main button')
    await browser.until(`document.querySelector('.own-job .pill')?.textContent === 'Active'`)
    board.clock.now = START
    const saved = board.board.store.read.jobs.all().at(-1)
    expect(saved).toMatchObject({ title, salary: 52_000, filledAt: null })
    expect(saved?.expiresAt).toBeGreaterThan(START + 30 * DAY)
    await signOut(browser)
  })
})

describe.skipIf(!hasBrowser)('somebody who is signed in', () => {
  test('sees the preview beside the form, as it changes, and no script runs in it', async () => {
    using browser = await Browser.open(base, { width: 1400 })
    await signIn(browser)
    await browser.go(`/account/jobs/${job}/edit`)
    await click(browser, '[data-preview]')
    await browser.until(`document.querySelector('#preview h1')?.textContent === 'Registered Nurse'`)
    await fill(browser, { description: '\n\n<img src=x onerror=window.hit=1>**bold**' })
    await browser.until(`document.querySelector('#preview strong')?.textContent === 'bold'`)
    expect(await browser.evaluate('[window.hit ?? 0, window.violations ?? []]')).toEqual([0, []])
    expect(await browser.violations()).toEqual([])
    await signOut(browser)
  })

  test('gets to the summary of a rejected form, and from there to the field', async () => {
    using browser = await Browser.open(base, { scripts: false })
    await signIn(browser)
    await browser.go(`/account/jobs/${job}/edit`)
    await browser.evaluate(
      `(document.querySelector('.job-form').noValidate = true, document.querySelector('#title').value = '')`,
    )
    await click(browser, '.job-form .actions button')
    await browser.until(`document.activeElement?.id === 'summary'`)
    await browser.press('Tab')
    await browser.press('Enter')
    await browser.until(`document.activeElement?.id === 'title'`)
    await signOut(browser)
  })

  test('sees nothing with the back button after signing out in another tab', async () => {
    using first = await Browser.open(base)
    using second = await Browser.open(base)
    await signIn(first)
    await second.go('/account')
    expect(await second.textOf('h1')).toBe('My jobs')
    await signOut(second)
    // A little later, because the browser must answer before the page is gone.
    await second.evaluate('void setTimeout(() => history.back())')
    await click(first, '.own-job form button')
    await first.until(`location.pathname === '/sign-in'`)
    await second.go('/account')
    expect(await second.textOf('h1')).toBe('Sign in')
  })
})

const PATHS = [
  '/account',
  '/account/jobs/{job}',
  '/account/jobs/{job}/edit',
  '/account/jobs/{job}/delete',
  '/account/jobs/{job}/renew',
  '/account/settings',
  '/account/email',
  '/account/delete',
  '/account/tokens/new',
  '/post',
]
const PUBLIC_PATHS = ['/sign-in', '/register', '/forgot', '/check-inbox?after=post', '/post', '/sign-out']
test.skipIf(!hasBrowser)('the pages for accounts have no axe violations and no overflow', async () => {
  using browser = await Browser.open(base)
  const check = async (path: string) => {
    await browser.go(path)
    expect([path, ...(await browser.faults())]).toEqual([path])
  }
  for (const path of PUBLIC_PATHS) await check(path)
  await signIn(browser)
  for (const path of PATHS) await check(path.replace('{job}', String(job)))
  await click(browser, '.menu summary')
  expect(await browser.faults()).toEqual([])
  await signOut(browser)
})
