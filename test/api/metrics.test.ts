import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import { createApp } from '../../src/server/app.ts'
import { type Account, basic, TestBoard } from '../helpers/board.ts'
import { type MetricFamily, parseMetrics } from '../helpers/metrics.ts'

const TOKEN = 'e3b0c44298fc1c149afbf4c8'
const STATUSES = ['draft', 'pending', 'refused', 'scheduled', 'active', 'filled', 'closed', 'expired']

let board: TestBoard
let admin: Account

beforeAll(async () => {
  // a board for every address, so that the address of each connection counts
  board = await TestBoard.open('--metrics-token', TOKEN, '--host', '0.0.0.0')
  admin = await board.account('ada@example.com', 'admin')
})
afterAll(() => board.close())

async function metrics(): Promise<Map<string, MetricFamily>> {
  const response = await board.get('/metrics')
  expect(response.status).toBe(200)
  return parseMetrics(await response.text())
}

/** Returns a sample, whose labels are given in their order. */
const valueOf = (all: Map<string, MetricFamily>, family: string, sample: string) =>
  all.get(family)?.samples.get(sample)

describe('the metrics', () => {
  test('are in the text format of Prometheus, which allows no duplicates or gaps', async () => {
    const response = await board.get('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const all = parseMetrics(await response.text())
    for (const name of [
      'corkboard_http_requests_total',
      'corkboard_http_request_duration_seconds',
      'corkboard_write_wait_seconds',
      'corkboard_write_duration_seconds',
      'corkboard_jobs',
      'corkboard_search_ready',
      'corkboard_cache_lookups_total',
      'corkboard_webhooks',
      'corkboard_webhook_deliveries_total',
      'corkboard_disk_free_bytes',
      'process_resident_memory_bytes',
    ])
      expect([name, all.has(name)]).toEqual([name, true])
    expect([...(all.get('corkboard_jobs')?.samples.keys() ?? [])]).toEqual(
      STATUSES.map(status => `corkboard_jobs{status="${status}"}`),
    )
  })

  test('count requests by route, method and status, also cached ones and those without a route', async () => {
    const paths = [
      '/jobs.json',
      '/jobs.json',
      '/jobs.json?q=x',
      '/jobs/7.json',
      '/jobs/8.json',
      '/nothing',
      '/',
    ]
    const before = await metrics()
    for (const path of paths) await board.get(path)
    await board.request('PATCH', '/jobs.json')
    await board.request('HEAD', '/jobs.json')
    const after = await metrics()
    const grown = (route: string, method: string, status: number) => {
      const sample = `corkboard_http_requests_total{method="${method}",route="${route}",status="${status}"}`
      const family = 'corkboard_http_requests_total'
      return (valueOf(after, family, sample) ?? 0) - (valueOf(before, family, sample) ?? 0)
    }
    expect(grown('/jobs.json', 'GET', 200)).toBe(3)
    expect(grown('/jobs.json', 'HEAD', 200)).toBe(1)
    expect(grown('/jobs/{id}.json', 'GET', 404)).toBe(2)
    expect(grown('/', 'GET', 200)).toBe(1)
    expect(grown('none', 'GET', 404)).toBe(1)
    expect(grown('none', 'other', 405)).toBe(1)
    const count = (all: Map<string, MetricFamily>) =>
      valueOf(
        all,
        'corkboard_http_request_duration_seconds',
        'corkboard_http_request_duration_seconds_count{method="GET",route="/jobs.json"}',
      ) ?? 0
    expect(count(after) - count(before)).toBe(3)
  })

  test('have as many samples after requests to many paths as before', async () => {
    for (const path of ['/jobs/1.json', '/x', '/jobs/1']) await board.get(path)
    const lines = async () => (await (await board.get('/metrics')).text()).split('\n').length
    await lines()
    const before = await lines()
    for (let id = 1; id < 100; id++)
      for (const path of [`/jobs/${id}.json`, `/x${id}`, `/jobs/${id}`]) await board.get(path)
    for (const method of ['PATCH', 'TRACE']) await board.request(method, '/x')
    // the counts of unknown methods appear once: a status, a sum, a count and the buckets
    expect((await lines()) - before).toBeLessThan(30)
  })

  test('count writes, and jobs by status', async () => {
    const before = await metrics()
    await board.post('/categories.json', { as: admin, body: { name: 'Care' } })
    const after = await metrics()
    for (const family of ['corkboard_write_wait_seconds', 'corkboard_write_duration_seconds']) {
      const writes = (all: Map<string, MetricFamily>) => valueOf(all, family, `${family}_count`) ?? 0
      expect(writes(after)).toBeGreaterThan(writes(before))
    }
    expect(valueOf(after, 'corkboard_jobs', 'corkboard_jobs{status="active"}')).toBe(0)
  })
})

describe('the metrics are', () => {
  let peer = ''
  let app: ReturnType<typeof createApp>
  beforeAll(() => {
    app = createApp(board.board, { requestIP: () => ({ address: peer }) })
  })
  const from = (address: string, headers: Record<string, string> = {}, host = '127.0.0.1') => {
    peer = address
    return app.fetch(new Request(`http://${host}/metrics`, { headers }))
  }

  test.each([
    ['127.0.0.1', {}],
    ['::1', {}],
    ['::ffff:127.0.0.1', {}],
    ['203.0.113.7', { authorization: `Bearer ${TOKEN}` }],
    ['127.0.0.1', { authorization: `bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.7' }],
  ])('shown to %s with %p', async (address, headers) => {
    expect((await from(address, headers as Record<string, string>)).status).toBe(200)
  })

  test.each([
    ['203.0.113.7', {}],
    ['10.0.0.1', {}],
    ['203.0.113.7', { 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { forwarded: 'for=203.0.113.7' }],
    ['127.0.0.1', { via: '1.1 proxy' }],
    ['127.0.0.1', { origin: 'https://evil.example' }],
    ['203.0.113.7', { authorization: `Bearer ${TOKEN}x` }],
    ['203.0.113.7', { authorization: `Bearer ${TOKEN.slice(1)}` }],
    ['203.0.113.7', { authorization: 'Bearer' }],
    ['203.0.113.7', { authorization: basic('ada@example.com', 'correct horse') }],
  ] as const)('refused to %s with %p', async (address, headers) => {
    const response = await from(address, headers)
    expect(response.status).toBe(403)
    const text = await response.text()
    expect(text).toContain('Metrics are only for programs on the same machine')
    expect(text).not.toContain(TOKEN)
  })

  test('refused to a proxy on the same machine that passes on the public host', async () => {
    expect((await from('127.0.0.1', {}, 'jobs.example')).status).toBe(403)
  })
})

// promtool comes with Prometheus, and isn't installed everywhere. The tests above check the format too.
const promtool = Bun.which('promtool')

async function expectAccepted(args: readonly string[], text: string) {
  const options = { stdin: new Blob([text]), stdout: 'pipe', stderr: 'pipe' } as const
  const check = Bun.spawn([promtool ?? '', ...args], options)
  const output = (await check.stdout.text()) + (await check.stderr.text())
  expect([await check.exited, output.replace(/^Checking.*\n.*SUCCESS.*\n\n/, '')]).toEqual([0, ''])
}

test.skipIf(promtool === null)('promtool accepts the metrics', async () => {
  // a board with everything that has metrics
  board.board.certificate.expiresAt = board.clock.now + 30 * DAY
  await board.board.store.recordTime('backup', board.clock.now)
  await board.board.store.recordTime('upload', board.clock.now)
  const text = await (await board.get('/metrics')).text()
  expect(text).toContain('\ncorkboard_certificate_remaining_seconds 2592000\n')
  await expectAccepted(['check', 'metrics'], text)
})

test.skipIf(promtool === null)(
  'promtool accepts the alerts in the README, which use existing metrics',
  async () => {
    const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text()
    const [, alerts = ''] = /^\$ cat > alerts.yml <<'END'\n([^]*?)^END$/m.exec(readme) ?? []
    await expectAccepted(['check', 'rules', '/dev/stdin'], alerts)
    const names = parseMetrics(await (await board.get('/metrics')).text())
    const all = new Set([...names.keys(), 'corkboard_last_backup_timestamp_seconds'])
    for (const [name] of alerts.matchAll(/corkboard_\w+/g)) expect(all).toContain(name)
  },
)
