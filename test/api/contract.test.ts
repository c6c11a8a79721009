import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { TestBoard } from '../helpers/board.ts'
import { type Contract, contractOf, type Json, type Media, operationsOf } from '../helpers/contract.ts'
import { routesOfBoard } from '../helpers/routes.ts'

let board: TestBoard
let contract: Contract
beforeAll(async () => {
  board = await TestBoard.open()
  contract = await contractOf(board)
})
afterAll(() => board.close())

describe('the description', () => {
  test('passes the linter without warnings', async () => {
    // a board's API has no license; the test board is at example.com; a redirect has no other success
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: { 'info-license': 'off', 'no-server-example.com': 'off', 'operation-2xx-response': 'off' },
    })
    const source = JSON.stringify(contract)
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  test('has every route except pages, and no others', () => {
    const routes = routesOfBoard(board.board)
      .filter(({ rules }) => 'id' in rules)
      .map(({ method, path }) => `${method} ${path}`)
    const described = operationsOf(contract).map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toEqual(routes.sort())
  })

  test('lists only methods that their paths support', async () => {
    const parameters = contract.components['parameters'] ?? {}
    const unknown = operationsOf(contract).map(async ({ method, path }) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]?.['example']))
      const allow = (await board.request('OPTIONS', filled)).headers.get('allow') ?? ''
      return allow.split(', ').includes(method) ? [] : [method, filled]
    })
    expect((await Promise.all(unknown)).flat()).toEqual([])
  })

  test.each([
    ['/'],
    ['/jobs/{id}'],
    ['/subscribe'],
    ['/feed.xml'],
    ['/feed.json'],
    ['/sitemap.xml'],
    ['/robots.txt'],
    ['/pages/{name}'],
  ])('leaves out the page %s', path => expect(Object.keys(contract.paths)).not.toContain(path))

  test('gives each operation a unique id', () => {
    const ids = operationsOf(contract).map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('describes this board', async () => {
    expect(contract.servers).toEqual([{ url: 'https://board.example.com', description: 'This board' }])
    const named = await TestBoard.open('--name', 'Nurses & Co', '--pages', 'off')
    const other = await contractOf(named)
    expect(other.info.title).toBe('Nurses & Co')
    expect(Object.keys(other.paths)).not.toContain('/structured-data.json')
    await named.close()
  })

  test('is cached by clients', async () => {
    const first = await board.get('/openapi.json', { headers: { origin: 'https://docs.example.net' } })
    const headers = Object.fromEntries(first.headers)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    })
    const again = await board.get('/openapi.json', { headers: { 'if-none-match': headers['etag'] ?? '' } })
    expect(again.status).toBe(304)
  })
})

describe('the required access of an operation', () => {
  const securityOf = (path: string, method: string) => contract.paths[path]?.[method]?.security

  test('is stated where an account is required', () =>
    expect(securityOf('/jobs.json', 'post')).toEqual([{ basicAuth: [] }, { bearerAuth: [] }]))
  test('is stated where an account is optional', () =>
    expect(securityOf('/jobs.json', 'get')).toEqual([{}, { basicAuth: [] }, { bearerAuth: [] }]))
  test('is empty where an account makes no difference', () =>
    expect(securityOf('/events.json', 'post')).toEqual([]))

  test('depends on open registration', async () => {
    const open = await TestBoard.open(...OPEN)
    const { paths } = await contractOf(open)
    expect(paths['/users.json']?.['post']?.security).toEqual([{}, { basicAuth: [] }, { bearerAuth: [] }])
    expect(securityOf('/users.json', 'post')).toEqual([{ basicAuth: [] }, { bearerAuth: [] }])
    await open.close()
  })
})

const OPEN = ['--registration', 'open', '--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'a@example.com']

const REFUSED = {
  'a read of all': ['/jobs.json', 'get', [400, 401, 422, 429, 500, 503]],
  'a read of one': ['/jobs/{id}.json', 'get', [400, 401, 404, 429, 500, 503]],
  'a read without a query': ['/users/me.json', 'get', [400, 401, 429, 500, 503]],
  'a write': ['/jobs.json', 'post', [400, 401, 403, 413, 415, 422, 429, 500, 503, 507]],
  'a write to one': ['/jobs/{id}.json', 'put', [400, 401, 403, 404, 413, 415, 422, 429, 500, 503, 507]],
  'a write without a body': ['/plans/{id}.json', 'delete', [400, 401, 403, 404, 409, 429, 500, 503, 507]],
  'a write with a token': ['/subscribers/confirm.json', 'post', [400, 401, 403, 404, 429, 500, 503, 507]],
  'an event, which waits in memory': ['/events.json', 'post', [400, 401, 403, 413, 415, 422, 429, 500, 503]],
} as const

test.each(Object.entries(REFUSED))(
  'the error responses of %s are documented',
  (_, [path, method, statuses]) => {
    const { responses = {} } = contract.paths[path]?.[method] ?? {}
    expect(
      Object.keys(responses)
        .map(Number)
        .filter(status => status >= 400),
    ).toEqual([...statuses])
  },
)

describe('an example', () => {
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, allowUnionTypes: true }))
  ajv.addKeyword('components')
  const validators = new Map<string, ValidateFunction>()
  /** Returns the validator of a schema. Many bodies and responses have the same. */
  function validatorOf({ schema }: Media): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/')
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text) as Json)
    validators.set(text, validator)
    return validator
  }

  test('exists for every body and response, and matches its schema', () => {
    const { components } = JSON.parse(
      JSON.stringify({ components: contract.components }).replaceAll(
        '"#/components/',
        '"contract#/components/',
      ),
    )
    ajv.addSchema({ $id: 'contract', components })
    const faults: unknown[] = []
    for (const { method, path, operation } of operationsOf(contract))
      for (const [where, type, media] of mediaOf(contract, operation)) {
        if (media.schema['format'] === 'binary') continue
        const validate = validatorOf(media)
        if (media.example === undefined || !validate(media.example))
          faults.push([method, path, where, type, media.example, validate.errors])
      }
    expect(faults).toEqual([])
  })
})

describe('an example body', () => {
  const FORMS = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const

  /** In order, because a job needs the records created before it. */
  const MADE = ['/categories.json', '/terms.json', '/plans.json', '/users.json', '/jobs.json']
  const HEARD = ['/subscribers.json', '/password-resets.json', '/events.json']
  /** The records that were created from the examples, by id. */
  const CHANGED = { categories: 2, terms: 1, plans: 1, users: 2, jobs: 1 }

  test.each(FORMS)('is accepted as %s', async type => {
    const emptyBoard = await TestBoard.open()
    const as = await emptyBoard.account('admin@example.com', 'admin')
    await emptyBoard.post('/categories.json', { as, body: { name: 'Other' } })
    const send = async (method: 'post' | 'put', path: string, id?: number) => {
      const example = contract.paths[path]?.[method]?.requestBody?.content[type]?.example
      const { status } = await emptyBoard[method](path.replace('{id}', String(id)), {
        as,
        body: bodyOf(type, example as Json),
      })
      return [path, status]
    }
    for (const path of MADE) expect(await send('post', path)).toEqual([path, 201])
    for (const path of HEARD) expect(await send('post', path)).toEqual([path, 202])
    for (const [name, id] of Object.entries(CHANGED)) {
      const path = `/${name}/{id}.json`
      expect(await send('put', path, id)).toEqual([path, 200])
    }
    await emptyBoard.close()
  })

  function bodyOf(type: (typeof FORMS)[number], example: Json): object {
    if (type === 'application/json') return example
    const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
    for (const [name, value] of Object.entries(example)) form.append(name, String(value))
    return form
  }
})

function* mediaOf(
  { components }: Contract,
  { requestBody, responses }: ReturnType<typeof operationsOf>[number]['operation'],
): Generator<readonly [where: string, type: string, media: Media]> {
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) yield ['body', type, media]
  for (const [status, response] of Object.entries(responses)) {
    const reference = response['$ref']
    const name = typeof reference === 'string' ? reference.replace(/.*\//, '') : ''
    const { content = {} } = (components['responses']?.[name] ?? response) as {
      content?: Record<string, Media>
    }
    for (const [type, media] of Object.entries(content)) yield [status, type, media]
  }
}
