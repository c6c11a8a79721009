import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCustomFiles } from '../../src/features/pages/customFiles.ts'
import { BUILT_IN_TEMPLATES, Templates } from '../../src/features/pages/templates.ts'
import { TestBoard } from '../helpers/board.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { createReferences, jobBody } from '../helpers/references.ts'

const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

/** Returns a folder with these files. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'corkboard-pages-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text)
  return folder
}

/** Returns pages of a board with these templates and one job, whose title is `Nurse & <b>`. */
async function get(files: Record<string, string>, ...paths: string[]) {
  const board = await TestBoard.open('--pages-dir', await folderOf(files))
  try {
    const owner = await board.account('owner@example.com')
    await board.post('/jobs.json', {
      as: owner,
      body: jobBody(await createReferences(board), { title: 'Nurse & <b>' }),
    })
    return await Promise.all(paths.map(async path => (await board.get(path)).text()))
  } finally {
    await board.close()
  }
}

test('the built-in templates are valid', () => {
  // Own templates are parsed at the start, the built-in ones when they are first rendered.
  expect(() => new Templates(BUILT_IN_TEMPLATES)).not.toThrow()
})

describe("an operator's own files", () => {
  test('replace single templates, and are escaped like the others', async () => {
    const card = '<li class="mine">{{ job.title }}, {{ job.plan.name }}, {{ job.nothing.there }}</li>'
    const [html = ''] = await get({ 'card.liquid': card }, '/')
    expect(textsOf(html, '.mine')).toEqual(['Nurse &amp; &lt;b&gt;, Plain, '])
    expect(textsOf(html, '.name a')).toEqual(['Corkboard'])
  })

  test('can replace the style sheet, which gets another URL', async () => {
    const [plain = '', mine = ''] = [
      (await get({}, '/'))[0],
      (await get({ 'style.css': 'a{color:red}' }, '/'))[0],
    ]
    const [before, after = ''] = [plain, mine].map(html => valuesOf(html, 'link[rel=stylesheet]', 'href')[0])
    expect(after).not.toBe(before)
    const [style] = await get({ 'style.css': 'a{color:red}' }, after)
    expect(style).toBe(':root{--accent:#0d6b5e}\na{color:red}\n')
  })

  test('can add to the style sheet with extra.css', async () => {
    const files = { 'extra.css': '.card{border:0}' }
    const [html = ''] = await get(files, '/')
    const [path = ''] = valuesOf(html, 'link[rel=stylesheet]', 'href')
    const [style = ''] = await get(files, path)
    expect(style).toContain('.posting')
    expect(style).toEndWith('.card{border:0}')
  })

  test('can be pages in Markdown, which the footer links to', async () => {
    const files = {
      'imprint.md': '# Who we are\n\nJobs Ltd, [home](/)',
      'privacy.md': 'We store **nothing**.\n\n<p>HTML</p>',
    }
    const [list = '', imprint = '', privacy = ''] = await get(files, '/', '/imprint', '/privacy')
    expect(textsOf(list, '.bottom a').slice(-2)).toEqual(['Who we are', 'Privacy'])
    expect(valuesOf(list, '.bottom a', 'href').slice(-2)).toEqual(['/imprint', '/privacy'])
    expect([textsOf(imprint, 'h1'), textsOf(imprint, 'title')]).toEqual([
      ['Who we are'],
      ['Who we are · Corkboard'],
    ])
    expect(valuesOf(imprint, '.prose a', 'href')).toEqual(['/'])
    expect([textsOf(privacy, 'h1'), textsOf(privacy, '.prose strong')]).toEqual([['Privacy'], ['nothing']])
    const [missing = ''] = await get(files, '/terms')
    expect(JSON.parse(missing)).toHaveProperty('error')
  })

  test('can be a logo, which takes the place of the name', async () => {
    const [html = '', logo] = await get({ 'public/logo.svg': '<svg/>' }, '/', '/logo.svg')
    expect(valuesOf(html, '.name img', 'src')).toEqual(['/logo.svg'])
    expect(valuesOf(html, '.name img', 'alt')).toEqual(['Corkboard'])
    expect(logo).toBe('<svg/>')
  })

  test('that are invalid fail the start, with their name and line', async () => {
    const folder = await folderOf({ 'list.liquid': 'one\n{% if jobs %}' })
    expect(() => new Templates(readCustomFiles(folder, () => {}))).toThrow(
      /^The template list\.liquid is invalid: .*line:2/,
    )
  })

  test('with unknown names are logged', async () => {
    const board = await TestBoard.open('--pages-dir', await folderOf({ 'styles.css': '' }))
    await board.board.log.flush()
    await board.close()
    expect(board.logged.join('\n')).toContain('styles.css')
  })
})

test('the accent is in the stylesheet and the icon', async () => {
  const board = await TestBoard.open('--accent', '#AB12CD')
  const html = await (await board.get('/')).text()
  const paths = valuesOf(html, 'link[rel=stylesheet], link[rel=icon]', 'href')
  const files = await Promise.all(paths.map(async path => (await board.get(path)).text()))
  await board.close()
  for (const file of files) expect(file).toContain('#ab12cd')
})

describe('the header and footer', () => {
  /** Returns the list of a board with these options. */
  async function listOf(...flags: string[]): Promise<string> {
    const board = await TestBoard.open(...flags)
    const html = await (await board.get('/')).text()
    await board.close()
    return html
  }

  test('have the tagline, and job alerts only where the board sends them', async () => {
    const silent = await listOf('--tagline', 'Work & <play>')
    expect(textsOf(silent, '.tagline')).toEqual(['Work &amp; &lt;play&gt;'])
    expect(textsOf(silent, 'nav a')).toEqual(['Sign in', 'All jobs', 'RSS'])
    const mail = ['--smtp-url', 'smtp://127.0.0.1:9', '--mail-from', 'board@example.com']
    expect(textsOf(await listOf(...mail, '--digest', 'off'), 'nav a')).toEqual(['Sign in', 'All jobs', 'RSS'])
    const sending = await listOf(...mail)
    expect(textsOf(sending, '.top nav a')).toEqual(['Job alerts', 'Sign in'])
    expect(textsOf(sending, '.bottom nav a')).toEqual(['All jobs', 'Job alerts', 'RSS'])
  })

  test('of an empty board come with help for its visitors and its owner', async () => {
    const html = await listOf()
    expect(textsOf(html, 'h1')).toEqual(['No open jobs right now'])
    expect(textsOf(html, '.offers h2')).toEqual(['Is this your board?'])
    expect(valuesOf(html, '.offers a', 'href')).toEqual(['/feed.xml', '/docs', '/sign-in', '/post'])
  })
})
