import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Account, PASSWORD, TestBoard } from '../helpers/board.ts'
import { Browser, hasBrowser, VISUAL_RULES } from '../helpers/browser.ts'
import { contractOf } from '../helpers/contract.ts'
import { jobBody } from '../helpers/references.ts'

let board: TestBoard
let admin: Account
let server: Bun.Server<undefined>
let base: string

beforeAll(async () => {
  ;({ board, server, base } = await TestBoard.serve())
  admin = await board.account('admin@example.com', 'admin')
})

afterAll(async () => {
  if (hasBrowser) await Browser.end()
  await server.stop(true)
  await board.close()
})

const operationsOf = async () =>
  Object.values((await contractOf(board)).paths).flatMap(path =>
    Object.values(path).map(({ operationId }) => operationId),
  )

describe('the docs page', () => {
  test('has a policy without other hosts or inline code', async () => {
    const response = await board.get('/docs')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(await response.text()).not.toMatch(
      /(?:src|href)="(?:https?:)?\/\/|\sstyle="|\son\w+="|<script>|<style/,
    )
  })

  test('is 304 for a client that has it', async () => {
    const etag = (await board.get('/docs')).headers.get('etag') ?? ''
    const again = await board.get('/docs', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('is compressed on request', async () => {
    for (const encoding of ['gzip', 'zstd']) {
      const response = await board.get('/docs', { headers: { 'accept-encoding': encoding } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect((await response.bytes()).length).toBeLessThan(90_000)
    }
  })

  test('has immutable files', async () => {
    const page = await (await board.get('/docs')).text()
    const files = [...page.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file)
    expect(new Set(files).size).toBe(4)
    for (const file of files) {
      const response = await board.get(`/${file}`)
      expect([response.status, response.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
    }
  })

  test('has its files before the page is first requested, as after a restart', async () => {
    const page = await (await board.get('/docs')).text()
    const [, script = ''] = /src="(docs\/script[^"]+)"/.exec(page) ?? []
    const other = await TestBoard.open()
    expect((await other.get(`/${script}`)).status).toBe(200)
    await other.close()
  })

  test('exists without the website', async () => {
    const pagelessBoard = await TestBoard.open('--pages', 'off')
    expect([(await pagelessBoard.get('/')).status, (await pagelessBoard.get('/docs')).status]).toEqual([
      404, 200,
    ])
    await pagelessBoard.close()
  })

  test('is not counted as a visit', async () => {
    const counted = async () =>
      (await (await board.get('/analytics.json', { as: admin })).json()) as { top_paths: object }
    const before = await counted()
    await board.get('/docs')
    expect((await counted()).top_paths).toEqual(before.top_paths)
  })
})

/** Opens the page, unless it is open, and an operation, and types credentials. */
async function openOperation(browser: Browser, id: string, password = ''): Promise<void> {
  if ((await browser.where()) === '/docs') await browser.evaluate(`location.hash = '${id}'`)
  else await browser.go(`/docs#${id}`)
  await browser.until(`document.getElementById('${id}')?.open && !document.getElementById('account').hidden`)
  await fill(browser, '#account [name=email]', '')
  await fill(browser, '#account [name=password]', '')
  if (password === '') return
  await browser.click('#account [name=email]')
  await browser.type(admin.email)
  await browser.click('#account [name=password]')
  await browser.type(password)
}

/** Submits an operation's form, and returns the response that the page shows. */
async function send(browser: Browser, id: string): Promise<{ outcome: string; body: unknown }> {
  await browser.evaluate(`document.querySelector('#${id} .response').hidden = true`)
  await browser.click(`#${id} form.try button`)
  await browser.until(`!document.querySelector('#${id} .response').hidden`)
  const outcome = await browser.textOf(`#${id} .outcome`)
  return { outcome, body: JSON.parse(await browser.textOf(`#${id} .body`)) }
}

/** Removes all operations but the first and last of each method, and all schemas but the first. */
const REMOVE_SIMILAR = `(() => {
  const kept = new Set([document.querySelector('.schema')])
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const operations = [...document.querySelectorAll('.operation:has(.method.' + method + ')')]
    kept.add(operations.at(0)).add(operations.at(-1))
  }
  document.querySelectorAll('.operation, .schema').forEach(details => { if (!kept.has(details)) details.remove() })
  return [...kept].every(details => details.open)
})()`

/** Replaces the value of a field. */
const fill = (browser: Browser, selector: string, text: string) =>
  browser.evaluate(`document.querySelector(${JSON.stringify(selector)}).value = ${JSON.stringify(text)}`)

const visibleForms = (browser: Browser) =>
  browser.evaluate<number>(`[...document.querySelectorAll('form')].filter(form => !form.hidden).length`)

/** Returns the ids of the operations on the page, in order. */
const shownOperations = async (browser: Browser) =>
  (
    await browser.evaluate<string[]>(`[...document.querySelectorAll('.operation')].map(({ id }) => id)`)
  ).toSorted()

test.skipIf(!hasBrowser)('a reader without JavaScript finds every operation', async () => {
  using browser = await Browser.open(base, { scripts: false })
  await browser.go('/docs')
  expect(await shownOperations(browser)).toEqual((await operationsOf()).toSorted())
  expect(await visibleForms(browser)).toBe(0)
})

describe.skipIf(!hasBrowser)('a reader of the docs', () => {
  // The page is large, so these tests share it.
  let browser: Browser
  let watched: Awaited<ReturnType<Browser['watch']>>

  beforeAll(async () => {
    if (!hasBrowser) return
    browser = await Browser.open(base)
    watched = await browser.watch()
    await browser.go('/docs')
  })
  beforeEach(() => {
    watched.requestedUrls.length = 0
    watched.complaints.length = 0
  })
  afterAll(() => {
    if (hasBrowser) browser.close()
  })

  test('finds every operation, with a form', async () => {
    const ids = await shownOperations(browser)
    expect(ids).toEqual((await operationsOf()).toSorted())
    expect(await visibleForms(browser)).toBe(ids.length + 1)
  })

  test('sees which fields of a job are required, and when', async () => {
    await openOperation(browser, 'createJob')
    expect((await browser.textsOf('#createJob .rule')).slice(0, 4)).toEqual([
      'Unless draft is true: location, company, company_website, category_id, term_id, and plan_id are required.',
      'Either description or description_html is required.',
      'If application_type is email: application_email is required.',
      'Otherwise: application_url is required.',
    ])
    const shapes = await browser.textsOf('#createJob details:first-of-type .shapes > li')
    expect(shapes.find(shape => shape.startsWith('title '))).toMatch(
      /^title string required\s+1 to 64 characters/,
    )
    expect(shapes.find(shape => shape.startsWith('salary '))).toMatch(/^salary integer or null\s/)
  })

  test('can follow every link', async () => {
    const brokenLinks = `[...document.querySelectorAll('a[href^="#"]')].map(a => a.hash.slice(1)).filter(id => !document.getElementById(id))`
    expect(await browser.evaluate<string[]>(brokenLinks)).toEqual([])
    expect(await browser.evaluate<number>(`document.querySelectorAll('.type a').length`)).toBeGreaterThan(20)
  })

  test('sends a request and sees the real response, with no request to another host', async () => {
    await browser.go('/docs')
    await openOperation(browser, 'listJobs')
    const { outcome, body } = await send(browser, 'listJobs')
    expect(outcome).toMatch(/^200 OK · 2 bytes · \d+ ms$/)
    expect(body).toEqual([])
    const { requestedUrls, complaints } = watched
    expect(requestedUrls).toContain(`${base}/docs`)
    expect(requestedUrls).toContain(`${base}/jobs.json`)
    expect(requestedUrls.filter(url => new URL(url).origin !== base)).toEqual([])
    expect(complaints).toEqual([])
    expect(await browser.evaluate<string[]>('window.violations ?? []')).toEqual([])
  })

  test.each([
    ['application/json', '[name=json]', '{"name":"Gärtnerei 1"}', 'Gärtnerei 1'],
    ['application/x-www-form-urlencoded', '[data-name="job[name]"]', 'Gärtnerei 2', 'Gärtnerei 2'],
    ['multipart/form-data', '[data-name="job[name]"]', 'Gärtnerei 3', 'Gärtnerei 3'],
  ])('creates a category with a body of %s', async (type, field, text, name) => {
    await openOperation(browser, 'createCategory', PASSWORD)
    await browser.evaluate(
      `(select => { select.value = '${type}'; select.dispatchEvent(new Event('change', { bubbles: true })) })(document.querySelector('#createCategory [name=type]'))`,
    )
    await fill(browser, `#createCategory fieldset:not([hidden]) ${field}`, text)
    const { outcome, body } = await send(browser, 'createCategory')
    expect(outcome).toStartWith('201 Created')
    const { id } = body as { id: number }
    expect(body).toEqual({ id, name })
    expect(board.board.store.read.categories.get(id)).toMatchObject({ name })
    expect(watched.complaints).toEqual([])
    const curl = await browser.textOf('#createCategory .curl')
    expect(curl).toContain(`-u '${admin.email}'`)
    expect(curl).not.toContain(PASSWORD)
  })

  test('sees wrong credentials on the page, without a prompt of the browser', async () => {
    await openOperation(browser, 'listUsers', 'not this one')
    const { outcome, body } = await send(browser, 'listUsers')
    expect(outcome).toStartWith('401 ')
    expect(body).toEqual({ error: 'Invalid Email or password.' })
    // the browser logs every error response, which shows that complaints are recorded
    expect(watched.complaints).toEqual([expect.stringContaining('status of 401')])
  })

  test('sees an image as an image', async () => {
    const createAndGetId = async (path: string, body: object) => {
      const { id } = (await (await board.post(path, { as: admin, body })).json()) as { id: number }
      return id
    }
    const body = jobBody({
      category: await createAndGetId('/categories.json', { name: 'Pictured' }),
      term: await createAndGetId('/terms.json', { name: 'Pictured' }),
      plan: await createAndGetId('/plans.json', { name: 'Pictured' }),
    })
    const id = await createAndGetId('/jobs.json', body)
    await openOperation(browser, 'getJobPicture')
    await fill(browser, '#getJobPicture [data-name=id]', String(id))
    await browser.click('#getJobPicture form.try button')
    await browser.until(`document.querySelector('#getJobPicture img').naturalWidth === 1200`)
    expect(await browser.textOf('#getJobPicture .outcome')).toStartWith('200 OK')
    expect(await browser.evaluate<string[]>('window.violations ?? []')).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('the docs page', () => {
  test.each([
    [320, 'dark'],
    [1280, 'light'],
  ] as const)('has no accessibility violations at %i pixels, %s', async (width, scheme) => {
    using browser = await Browser.open(base, { width, scheme })
    await openOperation(browser, 'listJobs')
    await send(browser, 'listJobs')
    await browser.evaluate(`document.querySelectorAll('details').forEach(details => { details.open = true })`)
    expect(await browser.overflows()).toBeFalse()
    // The structure is the same in both views, and operations with the same method have the same colours and sizes.
    const others = Object.fromEntries(VISUAL_RULES.map(rule => [rule, { enabled: false }]))
    if (scheme === 'light') expect(await browser.violations({ rules: others })).toEqual([])
    expect(await browser.evaluate(REMOVE_SIMILAR)).toBeTrue()
    expect(await browser.violations({ runOnly: VISUAL_RULES })).toEqual([])
  })
})
