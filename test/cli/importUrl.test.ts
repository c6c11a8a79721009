import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ImportFolder, ROW } from '../helpers/importFolder.ts'
import { png } from '../helpers/pictures.ts'

let folder: ImportFolder
beforeEach(async () => {
  folder = await ImportFolder.create()
})
afterEach(() => folder.remove())

describe('an import from a URL', () => {
  let server: Bun.Server<undefined>
  let responses: Record<string, () => Response>
  beforeEach(() => {
    responses = {}
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: request => {
        const { pathname, search } = new URL(request.url)
        return responses[pathname + search]?.() ?? new Response('{}', { status: 404 })
      },
    })
  })
  afterEach(() => server.stop(true))

  const url = (path: string) => server.url.origin + path
  const page = (rows: object[], next?: string) => () =>
    Response.json(rows, {
      headers:
        next === undefined ? {} : { link: `<${url('/jobs.json')}>; rel="first", <${next}>; rel="next"` },
    })

  test('imports the list and the pages that follow it', async () => {
    responses['/jobs.json'] = page([ROW, ROW], '/jobs.json?page=2')
    responses['/jobs.json?page=2'] = page([
      { ...ROW, title: 'Shepherd', category: { id: 5, name: 'Wool' }, salary: '' },
    ])
    const { status, out } = await folder.import(url('/jobs.json'))
    expect({ status, out: out.split('\n').slice(0, 2) }).toEqual({
      status: 0,
      out: ['Imported 3 rows.', 'Created 2 categories: "Land & Animals", "Wool".'],
    })
    expect((await folder.jobs()).map(({ title }) => title)).toEqual(['Beekeeper', 'Beekeeper', 'Shepherd'])
  })

  test('lists a row with errors with its page', async () => {
    responses['/jobs.json'] = page([ROW], '/jobs.json?page=2')
    responses['/jobs.json?page=2'] = page([ROW, { ...ROW, company: '' }])
    expect((await folder.import(url('/jobs.json'))).err).toStartWith(
      'Page 2, row 2 "Beekeeper": company is required.\n',
    )
  })

  test('fetches logos from the same host only, and skips those that fail', async () => {
    const row = (logo: string) => ({ ...ROW, logo })
    responses['/jobs.json'] = page([
      row(url('/logos/good.png')),
      row(url('/logos/none.png')),
      row(url('/logos/text.png')),
      row(url('/logos/away.png')),
      row('https://elsewhere.example/logo.png'),
    ])
    responses['/logos/good.png'] = () => new Response(png(8, 8))
    responses['/logos/text.png'] = () => new Response('hello')
    responses['/logos/away.png'] = () => Response.redirect(url('/logos/good.png'))
    const { status, out, err } = await folder.import(url('/jobs.json'))
    expect({ status, first: out.split('\n')[0] }).toEqual({ status: 0, first: 'Imported 5 rows.' })
    expect(out).toContain('Skipped the logos of 1 row: they are on another host.\n')
    expect(err.split('\n')).toEqual([
      `Row 2: the logo was skipped: ${url('/logos/none.png')} responded with 404 Not Found.`,
      `Row 3: the logo was skipped: ${url('/logos/text.png')} must be a PNG, JPEG, WebP or GIF image.`,
      expect.stringContaining(`Row 4: the logo was skipped: ${url('/logos/away.png')} can't be fetched: `),
      '',
    ])
    expect(folder.logoFiles()).toEqual([(await folder.jobs())[0]?.logo ?? ''])
  })

  test.each<[string, () => Record<string, () => Response>, string]>([
    ['has no such path', () => ({}), '/jobs.json responded with 404 Not Found.'],
    [
      'responds with a web page',
      () => ({ '/jobs.json': () => new Response('<!doctype html>') }),
      '/jobs.json is neither JSON',
    ],
    [
      'links to another host',
      () => ({ '/jobs.json': page([ROW], 'https://example.com/jobs.json') }),
      '/jobs.json links to a next page on another host: https://example.com/jobs.json.',
    ],
    [
      'links in a circle',
      () => ({ '/jobs.json': page([ROW], '/jobs.json') }),
      '/jobs.json has too many pages, or they link in a circle.',
    ],
  ])('imports nothing and explains why if the service %s', async (_, responsesOf, sentence) => {
    Object.assign(responses, responsesOf())
    const { status, out, err } = await folder.import(url('/jobs.json'), '--keep-going')
    expect({ status, out, err }).toEqual({ status: 1, out: '', err: expect.stringContaining(sentence) })
    expect(await folder.jobs()).toEqual([])
  })

  test('explains that the connection was refused', async () => {
    const from = url('/jobs.json')
    await server.stop(true)
    expect((await folder.import(from)).err).toBe(`${from} can't be fetched: connection refused.\n`)
  })

  test('refuses a URL with a password', async () => {
    const { status, err } = await folder.import('https://ada:secret@example.com/jobs.json')
    expect({ status, err }).toEqual({ status: 2, err: 'The URL must not contain a user name or password.\n' })
  })
})
