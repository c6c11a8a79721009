import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { corkboard } from '../helpers/process.ts'

const CONTROL = /[\p{Cc}\u2028\u202e]/u
const HOSTILE = '\u001b[2J\u009b31m\u202e'

test('prints names and files without control characters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corkboard-output-'))
  try {
    const missing = await corkboard(['import', `/missing${HOSTILE}.json`], { folder })
    expect(missing.status).toBe(1)
    expect(missing.err).toContain('/missing')
    const unknown = await corkboard([`serv${HOSTILE}`], { folder })
    expect(unknown.status).toBe(2)
    const file = join(folder, 'jobs.json')
    await Bun.write(file, JSON.stringify([{ title: `Cook${HOSTILE}`, category: `A${HOSTILE}` }]))
    const refused = await corkboard(['import', file], { folder })
    expect(refused.err).toContain('Cook')
    for (const { err } of [missing, unknown, refused])
      expect(err.split('\n').filter(line => CONTROL.test(line))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
