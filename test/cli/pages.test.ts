import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestBoard } from '../helpers/board.ts'
import { corkboard } from '../helpers/process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-pages-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Returns the page of an empty board. */
async function pageWith(...flags: string[]): Promise<string> {
  const board = await TestBoard.open(...flags)
  const html = await (await board.get('/')).text()
  await board.close()
  return html
}

test('the built-in templates can be written out, and look the same as before', async () => {
  const { status, out } = await corkboard(['pages', 'mine'], { folder })
  const names = await readdir(join(folder, 'mine'))
  expect([status, out]).toEqual([0, `Wrote ${names.length} files to mine. Keep those that you change.\n`])
  expect(names).toContain('style.css')
  expect(names).toContain('card.liquid')
  expect(await pageWith('--pages-dir', join(folder, 'mine'))).toBe(await pageWith())
})

test('existing files are never replaced', async () => {
  await Bun.write(join(folder, 'changed/card.liquid'), 'mine')
  const { status, err } = await corkboard(['pages', 'changed'], { folder })
  expect([status, err]).toEqual([1, expect.stringContaining('changed already has card.liquid.')])
  expect(await readdir(join(folder, 'changed'))).toEqual(['card.liquid'])
  expect(await Bun.file(join(folder, 'changed/card.liquid')).text()).toBe('mine')
})
