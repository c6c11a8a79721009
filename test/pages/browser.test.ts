import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fillWithSample } from '../../src/cli/sample.ts'
import { TestBoard } from '../helpers/board.ts'
import { Browser, hasBrowser, VIEWS, VISUAL_RULES } from '../helpers/browser.ts'
import { waitUntil } from '../helpers/fixtures.ts'
import { jobBody } from '../helpers/references.ts'

const HOSTILE = `"><img src=x onerror=window.hit=1><script>window.hit=1</script><a href=javascript:window.hit=1>`

let board: TestBoard
let server: Bun.Server<undefined>
let base: string
let hostile: string

beforeAll(async () => {
  if (!hasBrowser) return
  board = await TestBoard.open()
  await fillWithSample(board.board)
  const owner = await board.account('owner@example.com')
  const fields = {
    company: HOSTILE,
    location: `${HOSTILE}${'x'.repeat(100)}`,
    description: `${HOSTILE}\n\n[x](javascript:window.hit=1)`,
  }
  const body = jobBody(
    { category: 1, term: 1, plan: 1 },
    {
      ...fields,
      title: HOSTILE.slice(0, 64),
      arrangement: 'onsite',
    },
  )
  const { id } = (await (await board.post('/jobs.json', { as: owner, body })).json()) as { id: number }
  hostile = `/jobs/${id}`
  server = board.listen()
  base = `http://127.0.0.1:${server.port}`
})

afterAll(async () => {
  if (!hasBrowser) return
  await Browser.end()
  await server.stop(true)
  await board.close()
})

describe.skipIf(!hasBrowser)('a visitor', () => {
  test('gets results while typing, and keeps the focus', async () => {
    using browser = await Browser.open(base)
    await browser.go('/')
    expect(await browser.textOf('h1')).toBe('27 open jobs')
    await browser.click('input[name=q]')
    await browser.type('nurse')
    await browser.until(`document.querySelector('h1').textContent.includes('nurse')`)
    expect((await browser.textsOf('.card h2'))[0]).toBe('Registered Nurse, Night Shift')
    expect(await browser.where()).toBe('/?q=nurse')
    expect(await browser.evaluate('document.activeElement.name')).toBe('q')
    expect(await browser.evaluate(`document.querySelector('[data-feed]').search`)).toBe('?q=nurse')
    await browser.click('.card a')
    await browser.until(`document.querySelector('.posting')`)
    expect(await browser.textOf('h1')).toBe('Registered Nurse, Night Shift')
  })

  test('filters, and sees the counts of the other filters change', async () => {
    using browser = await Browser.open(base)
    await browser.go('/')
    const all = await browser.textsOf('select[name=term] option')
    await browser.evaluate(
      `(select => { select.value = 'remote'; select.dispatchEvent(new Event('input', { bubbles: true })) })(document.querySelector('select[name=arrangement]'))`,
    )
    await browser.until(`location.search === '?arrangement=remote'`)
    expect(await browser.textsOf('.card .facts li:not(.pay):first-child, .card .pay + li')).toEqual(
      Array<string>(5).fill('Remote'),
    )
    expect(await browser.textsOf('select[name=term] option')).not.toEqual(all)
    expect(await browser.evaluate(`document.querySelector('select[name=arrangement]').value`)).toBe('remote')
  })

  test('turns the page', async () => {
    using browser = await Browser.open(base)
    await browser.go('/')
    await browser.click('a[rel=next]')
    await browser.until(`location.search === '?page=2'`)
    await browser.until(`document.querySelector('.pager')`)
    expect(await browser.textsOf('.card')).toHaveLength(2)
  })

  test('does all that without JavaScript too', async () => {
    using browser = await Browser.open(base, { scripts: false })
    await browser.go('/')
    expect(await browser.textOf('.card time')).toMatch(/^\d+ Jan 2026$/)
    await browser.click('input[name=q]')
    await browser.type('nurse')
    await browser.press('Enter')
    await browser.until(`location.search.startsWith('?q=nurse')`)
    await browser.until(`document.querySelector('.card a')`)
    await browser.click('.card a')
    await browser.until(`document.querySelector('.posting .apply a')`)
    expect(await browser.textOf('h1')).toBe('Registered Nurse, Night Shift')
  })

  test('gets from Apply to the address for applications', async () => {
    using browser = await Browser.open(base, { scripts: false })
    await browser.go('/jobs/1')
    await browser.click('aside .apply a')
    await waitUntil(() => board.logged.some(line => line.includes('"/jobs/1/apply","status":302')))
  })

  test.each([true, false])('subscribes, and sees what comes next (scripts: %p)', async scripts => {
    using browser = await Browser.open(base, { scripts })
    await browser.go('/subscribe')
    await browser.click('input[name=email]')
    await browser.type(`visitor${Number(scripts)}@example.com`)
    await browser.click('button')
    await browser.until(`document.querySelector('h1')?.textContent.startsWith('Thanks')`)
    expect(await browser.textOf('h1')).toContain('Thanks. An administrator')
    const emails = board.board.store.read.subscribers.all().map(({ email }) => email)
    expect(emails).toContain(`visitor${Number(scripts)}@example.com`)
  })

  test('reads dates and money in their own language', async () => {
    using browser = await Browser.open(base, { language: 'de-DE' })
    await browser.go('/?q=backend')
    expect(await browser.textOf('.card data')).toBe('64.000\u00a0€ a year')
    expect(await browser.evaluate(`document.querySelector('.card time').title`)).toMatch(
      /^\d+\. Januar 2026$/,
    )
  })

  test('finds the way back to the results', async () => {
    using browser = await Browser.open(base)
    await browser.go('/?q=nurse')
    await browser.click('.card a')
    await browser.until(`document.querySelector('[data-back]')`)
    expect(await browser.textOf('[data-back]')).toBe('Back to results')
    await browser.click('[data-back]')
    await browser.until(`location.search === '?q=nurse'`)
    await browser.until(`document.querySelector('.chips a')`)
    await browser.click('.chips a')
    await browser.until(`location.search === '' && document.querySelector('h1')`)
    expect(await browser.textOf('h1')).toBe('27 open jobs')
  })

  test('with a phone sees four jobs at once, and folds the filters out without JavaScript', async () => {
    using browser = await Browser.open(base, { width: 390, height: 844, scripts: false })
    await browser.go('/')
    const isVisible = (selector: string) =>
      browser.evaluate<boolean>(
        `document.querySelector('${selector}').checkVisibility({ contentVisibilityAuto: true })`,
      )
    const fourth = `document.querySelectorAll('.card')[3].getBoundingClientRect().bottom`
    expect(await browser.evaluate<number>(fourth)).toBeLessThan(844)
    expect(await isVisible('select[name=term]')).toBeFalse()
    await browser.click('.filters summary')
    await browser.until(`document.querySelector('.filters').open`)
    expect(await isVisible('select[name=term]')).toBeTrue()
  })

  test('with a phone has Apply in reach from the beginning to the end of a posting', async () => {
    using browser = await Browser.open(base, { width: 390, height: 700 })
    await browser.go('/jobs/26')
    const isInReach = () =>
      browser.evaluate<boolean>(
        `(({ top, bottom }) => top > 0 && bottom <= innerHeight)(document.querySelector('.bar a').getBoundingClientRect())`,
      )
    expect(await isInReach()).toBeTrue()
    await browser.evaluate(`document.querySelector('.prose').scrollIntoView({ block: 'end' })`)
    expect(await isInReach()).toBeTrue()
  })

  test('reaches everything by keyboard, with a visible focus', async () => {
    using browser = await Browser.open(base)
    await browser.go('/')
    const stops: string[] = []
    for (let stop = 0; stop < 10; stop++) {
      await browser.press('Tab')
      stops.push(
        await browser.evaluate('document.activeElement.name || document.activeElement.textContent.trim()'),
      )
      const [style, width] = await browser.evaluate<[string, string]>(
        `(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement.closest('.card') ?? document.activeElement))`,
      )
      expect([style, parseFloat(width)]).toEqual(['solid', 3])
    }
    expect(stops.slice(0, 5)).toEqual(['Skip to content', 'Corkboard', 'Sign in', 'q', 'Search'])
    expect(stops.slice(5, 8)).toEqual(['category', 'term', 'arrangement'])
  })

  test('is not harmed by a posting full of hostile text', async () => {
    using browser = await Browser.open(base, { width: 320 })
    for (const path of [hostile, '/', `/?q=${encodeURIComponent(HOSTILE)}`]) {
      await browser.go(path)
      expect(
        await browser.evaluate('[window.hit ?? 0, document.images.length, document.scripts.length]'),
      ).toEqual([0, 1, 1])
      expect(await browser.evaluate('window.violations ?? []')).toEqual([])
      expect(await browser.overflows()).toBeFalse()
    }
  })
})

const SEEN: readonly (readonly [string, number, 'light' | 'dark'])[] = [
  '/',
  '/jobs/26',
  '/jobs/999',
  '/?q=zzzz',
  '/subscribe',
].flatMap(path => VIEWS.map(([width, scheme]) => [path, width, scheme] as const))

describe.skipIf(!hasBrowser)('a page', () => {
  test.each(['#ffe600', '#000000', '#ffffff', '#ff00aa'])('is readable if the accent is %s', async accent => {
    const coloured = await TestBoard.open('--accent', accent)
    await fillWithSample(coloured.board)
    const other = coloured.listen()
    try {
      for (const scheme of ['light', 'dark'] as const) {
        using browser = await Browser.open(`http://127.0.0.1:${other.port}`, { scheme })
        await browser.go('/jobs/26')
        expect(await browser.violations({ runOnly: VISUAL_RULES })).toEqual([])
      }
    } finally {
      await other.stop(true)
      await coloured.close()
    }
  })

  test('scrolls a table wider than the screen, by keyboard too', async () => {
    const cells = Array.from({ length: 12 }, () => 'Wednesday').join(' | ')
    const owner = await board.account('tables@example.com')
    const description = `| ${cells} |\n|${'-|'.repeat(12)}\n| ${cells} |`
    const body = jobBody({ category: 1, term: 1, plan: 1 }, { description })
    const { id } = (await (await board.post('/jobs.json', { as: owner, body })).json()) as { id: number }
    using browser = await Browser.open(base, { width: 320 })
    await browser.go(`/jobs/${id}`)
    await board.delete(`/jobs/${id}.json`, { as: owner })
    expect(await browser.overflows()).toBeFalse()
    expect(
      await browser.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth > 2 * clientWidth)(document.querySelector('table'))`,
      ),
    ).toBeTrue()
    expect(await browser.violations()).toEqual([])
  })

  test('of a filled job has its details below the title, as others have', async () => {
    const owner = await board.account('filled@example.com')
    const body = jobBody({ category: 1, term: 1, plan: 1 })
    const { id } = (await (await board.post('/jobs.json', { as: owner, body })).json()) as { id: number }
    await board.put(`/jobs/${id}/fill.json`, { as: owner })
    using browser = await Browser.open(base)
    await browser.go(`/jobs/${id}`)
    const edges = `[document.querySelector('.posting > header').getBoundingClientRect().bottom, document.querySelector('aside').getBoundingClientRect().top]`
    const [headerBottom = 0, detailsTop = 0] = await browser.evaluate<number[]>(edges)
    await board.delete(`/jobs/${id}.json`, { as: owner })
    expect(detailsTop).toBeGreaterThanOrEqual(headerBottom)
  })

  test.each(['/', '/jobs/26'])('%s fits a tablet and a wide screen', async path => {
    for (const width of [768, 1920]) {
      using browser = await Browser.open(base, { width })
      await browser.go(path)
      expect(await browser.overflows()).toBeFalse()
      expect(
        await browser.evaluate(`document.querySelectorAll('.filters select, .posting').length`),
      ).not.toBe(0)
    }
  })

  test.each(SEEN)(
    '%s at %i pixels, %s, has no axe violations, no overflow and no layout shift',
    async (path, width, scheme) => {
      using browser = await Browser.open(base, { width, scheme })
      await browser.go(path)
      expect(await browser.overflows()).toBeFalse()
      expect(await browser.evaluate('window.violations ?? []')).toEqual([])
      const shift = `new Promise(resolve => {
      let sum = 0
      new PerformanceObserver(list => { for (const { value } of list.getEntries()) sum += value }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 50)
    })`
      expect(await browser.evaluate<number>(shift)).toBeLessThan(0.01)
      const rules = scheme === 'dark' ? { runOnly: VISUAL_RULES } : {}
      expect(await browser.violations(rules)).toEqual([])
    },
  )
})
