import { describe, expect, test } from 'bun:test'
import { isBot, isCrawler } from '../../src/traffic/bots.ts'
import { Lru } from '../../src/traffic/lru.ts'
import { sourceHostOf } from '../../src/traffic/referrer.ts'
import { sortedByCount, TopCounter } from '../../src/traffic/topCounter.ts'
import { BROWSER } from '../helpers/visitors.ts'

const LONG = 'x'.repeat(2000)

describe('A counter', () => {
  const add = (counter: TopCounter, key: string, count = 1) => (counter.counterOf(key).count += count)
  const size = (counter: TopCounter) => [...counter].reduce((sum, [key]) => sum + key.length, 0)

  test('counts by key, starting from earlier counts', () => {
    const counter = new TopCounter([['a', 2]])
    add(counter, 'a')
    add(counter, 'b')
    expect([...counter]).toEqual([
      ['a', 3],
      ['b', 1],
    ])
  })

  test('has space for the paths of ten thousand jobs', () => {
    const counter = new TopCounter()
    for (let id = 1; id <= 10_000; id++) add(counter, `/jobs/${id}.json`)
    expect([...counter]).toHaveLength(10_000)
  })

  test('stays small in a flood of keys, and keeps repeated ones', () => {
    const counter = new TopCounter()
    for (let flood = 0; flood < 100_000; flood++) {
      add(counter, `/flood/${flood}`)
      if (flood % 100 === 0) add(counter, '/jobs.json')
      if (flood % 1000 === 0) add(counter, '/jobs/7.json')
    }
    expect([...counter].length).toBeLessThan(25_000)
    expect(sortedByCount(counter).slice(0, 2)).toEqual([
      ['/jobs.json', 1000],
      ['/jobs/7.json', 100],
    ])
  })

  test('is bounded by the length of its keys too', () => {
    const counter = new TopCounter()
    for (let flood = 0; flood < 10_000; flood++) add(counter, `/${flood}/${LONG}`)
    expect(size(counter)).toBeLessThan(2 ** 19)
    expect([...counter].length).toBeGreaterThan(100)
  })

  test('sorts by count, and equal counts by key', () => {
    const counts = [
      ['b', 1],
      ['c', 5],
      ['a', 1],
    ] as const
    expect(sortedByCount(counts).map(([key]) => key)).toEqual(['c', 'a', 'b'])
  })
})

describe('The LRU cache', () => {
  const LIMIT = 4096
  const watched = () => {
    const requested: string[] = []
    const cache = new Lru((text: string) => ({ number: requested.push(text) }))
    return { requested, get: (text: string) => cache.get(text).number, clear: () => cache.clear() }
  }

  test('computes each value once, until it is cleared', () => {
    const { requested, get, clear } = watched()
    expect([get('a'), get('b'), get('a')]).toEqual([1, 2, 1])
    clear()
    get('a')
    expect(requested).toEqual(['a', 'b', 'a'])
  })

  test('does not cache long keys', () => {
    const { requested, get } = watched()
    get(LONG)
    get(LONG)
    expect(requested).toHaveLength(2)
  })

  test('is bounded, and evicts the least recently used entry', () => {
    const { requested, get } = watched()
    for (let number = 0; number < LIMIT; number++) get(String(number))
    get('0')
    get('one more')
    expect(requested).toHaveLength(LIMIT + 1)
    get('0')
    expect(requested).toHaveLength(LIMIT + 1)
    get('1')
    expect(requested).toHaveLength(LIMIT + 2)
  })
})

test.each([
  ['https://example.com/page?q=secret', 'example.com'],
  ['https://www.example.com/', 'example.com'],
  ['https://WWW.Example.COM', 'example.com'],
  ['http://example.com:8080/', 'example.com'],
  ['https://news.example.com./', 'news.example.com'],
  ['https://user:pass@example.com/', 'example.com'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['android-app://com.google.android.gm/', 'com.google.android.gm'],
  ['https://[2001:db8::1]/', '[2001:db8::1]'],
  ['https://__proto__/', '__proto__'],
  ['', ''],
  ['example.com', ''],
  ['about:blank', ''],
  ['javascript:alert(1)', ''],
  ['file:///home/me/page.html', ''],
  ['https://', ''],
  ['https://exa mple.com/', ''],
  [`https://${'x'.repeat(254)}/`, ''],
])('the host of the referrer %p is %p', (referrer, host) => expect(sourceHostOf(referrer)).toBe(host))

test.each([
  ['', true],
  ['  ', true],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['curl/8.5.0', true],
  ['python-requests/2.31', true],
  [BROWSER, false],
  [`${BROWSER} ${LONG}`, false],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    false,
  ],
])('the user agent %p is a bot: %p', (userAgent, is) => expect(isBot(userAgent)).toBe(is))

test.each([
  ['', false],
  ['node', false],
  ['curl/8.5.0', false],
  ['PHP/8.3', false],
  ['Ruby', false],
  ['python-requests/2.31', false],
  ['Go-http-client/2.0', false],
  ['node-fetch/1.0 (+https://github.com/bitinn/node-fetch)', false],
  ['WordPress/6.7; https://board.example.com', false],
  ['careers-server/1.0', false],
  [BROWSER, false],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  [BROWSER.replace(/\)/, '; compatible; bingbot/2.0)'), true],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0 Safari/537.36',
    true,
  ],
  ['Googlebot/2.1 (+http://www.google.com/bot.html)', true],
  ['Baiduspider+(+http://www.baidu.com/search/spider.htm)', true],
  ['facebookexternalhit/1.1', true],
  ['Pingdom.com_bot_version_1.4', true],
])('the user agent %p is a crawler: %p', (userAgent, is) => expect(isCrawler(userAgent)).toBe(is))
