import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { jobBody } from '../helpers/references.ts'
import { Website } from '../helpers/website.ts'

const HTML = '<h2>Why</h2><ul><li><b>Boats</b></li></ul><script>1</script>'
const MARKDOWN = '## Why\n\n- **Boats**'

let site: Website

beforeAll(async () => {
  site = await Website.open()
})
afterAll(() => site.board.close())

/** Sends a job whose description is left out unless it is given. */
async function send(method: 'POST' | 'PUT', path: string, fields: object) {
  const { description: _, ...body } = jobBody(site.references)
  const response = await site.board.request(method, path, { as: site.owner, body: { ...body, ...fields } })
  const json = (await response.json()) as { id: number; description: string; errors?: object; error: string }
  return { code: response.status, ...json }
}

const post = (fields: object) => send('POST', '/jobs.json', fields)

describe('description_html', () => {
  test('becomes the description of a new job, as Markdown', async () => {
    const created = await post({ description_html: HTML })
    expect(created).toMatchObject({ code: 201, description: MARKDOWN })
    expect(created).not.toHaveProperty('description_html')
    expect(await post({ description_html: HTML, description: '' })).toMatchObject({ code: 201 })
  })

  test('can be sent in a form, and for a draft', async () => {
    const body = new URLSearchParams({
      'job[title]': 'Draft',
      'job[draft]': 'true',
      'job[description_html]': HTML,
    })
    const response = await site.board.post('/jobs.json', { as: site.owner, body })
    expect(await response.json()).toMatchObject({ status: 'draft', description: MARKDOWN })
  })

  test('replaces the description of a job', async () => {
    const path = `/jobs/${await site.post()}.json`
    const body = { description_html: HTML }
    const response = await site.board.put(path, { as: site.owner, body })
    expect(await response.json()).toMatchObject({ description: MARKDOWN })
    const both = { description_html: '<p>New</p>', description: 'Old' }
    expect((await site.board.put(path, { as: site.owner, body: both })).status).toBe(200)
    expect(await (await site.board.get(path)).json()).toMatchObject({ description: 'New' })
  })

  test('describes a job of a source, which stays unchanged by the same HTML', async () => {
    const path = '/sources/harbour/jobs/7.json'
    const put = () => send('PUT', path, { description_html: HTML })
    expect(await put()).toMatchObject({ code: 201, description: MARKDOWN })
    const { description: _, ...body } = jobBody(site.references, { description_html: HTML })
    const again = await site.board.put(path, { as: site.owner, body })
    expect([again.status, again.headers.get('x-unchanged')]).toEqual([200, 'true'])
  })

  test.each<[string, unknown, string]>([
    ['without text', '<img src="https://t.example/1.gif">', 'contains no text'],
    ['that is no text', 7, 'must be text'],
    ['with NUL', 'a\0', 'contains an invalid character (NUL or half of a surrogate pair)'],
    ['that is too long', 'x '.repeat(300_000), 'is too long: at most 524288 characters'],
    [
      'whose Markdown is too long',
      'x'.repeat(65_537),
      'is too long: at most 65536 characters as Markdown, and it has 65537',
    ],
  ])('%s is an error', async (_, html, error) => {
    const fields = { description_html: html }
    expect(await post(fields)).toMatchObject({ code: 422, errors: { description_html: [error] } })
    expect((await post(fields)).errors).toEqual({ description_html: [error] })
  })

  test('is not missed if there is neither', async () => {
    expect((await post({ description_html: null })).errors).toEqual({ description: ['is required'] })
  })
})
