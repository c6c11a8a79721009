import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { statSync } from 'node:fs'
import { DAY } from '../../src/base/clock.ts'
import * as diskSpace from '../../src/store/diskSpace.ts'
import { START } from '../helpers/board.ts'
import { ImportFolder, ROW } from '../helpers/importFolder.ts'
import { png } from '../helpers/pictures.ts'
import { corkboardOnTerminal } from '../helpers/process.ts'

let folder: ImportFolder
beforeEach(async () => {
  folder = await ImportFolder.create()
})
afterEach(() => folder.remove())

const LOGO = Buffer.from(png(8, 8)).toString('base64')

const plans = () => folder.withStore(({ read }) => read.plans.all())

test('--dry-run checks every row, and imports nothing', async () => {
  const good = await folder.import(folder.lines(ROW, ROW), '--dry-run')
  expect(good).toEqual({ status: 0, out: '2 rows can be imported.\n', err: '' })
  const bad = await folder.import(folder.lines({ ...ROW, company: '' }, ROW), '--dry-run', '--keep-going')
  expect(bad).toEqual({
    status: 1,
    out: '',
    err: 'Line 1 "Beekeeper": company is required.\n1 row can be imported. 1 row has errors.\n',
  })
  expect(await folder.jobs()).toEqual([])
  expect(folder.logoFiles()).toEqual([])
})

describe('the category, term and plan of a row', () => {
  test('are found by name in any case, and created if missing', async () => {
    await folder.import(folder.lines(ROW))
    const { out } = await folder.import(
      folder.lines(
        { ...ROW, category: 'LAND & animals', term: { id: 99, name: 'full-time' } },
        { ...ROW, category: { id: 1, name: 'Culture' }, term: undefined, term_id: 1, plan_id: 1 },
        { ...ROW, category: 'culture', category_id: 99 },
      ),
    )
    expect(out).toBe('Imported 3 rows.\nCreated 1 category: "Culture".\n')
    expect((await folder.jobs()).map(job => [job.categoryId, job.termId, job.planId])).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [2, 1, 1],
      [2, 1, 1],
    ])
  })

  test('create an archived plan with price and period 0 unless more is given', async () => {
    const gold = { id: 7, name: 'Gold', price: 99, period: 30, highlight: true, badge: false, pin: true }
    await folder.import(
      folder.lines({ ...ROW, plan: 'Bare' }, { ...ROW, plan: gold }, ROW, { ...ROW, plan: null }),
      '--plan',
      'Mine',
    )
    const flags = { highlight: false, badge: false, pin: false, archived: true }
    expect(await plans()).toEqual([
      { id: 1, name: 'Bare', price: 0, period: 0, ...flags },
      { ...gold, id: 2, archived: true },
      { id: 3, name: 'Mine', price: 0, period: 0, ...flags },
    ])
    expect((await folder.jobs()).map(job => job.planId)).toEqual([1, 2, 3, 3])
  })

  test('can be on an archived plan', async () => {
    const plan = {
      name: 'Old',
      price: 0,
      period: 0,
      highlight: false,
      badge: false,
      pin: false,
      archived: true,
    }
    await folder.withStore(store => store.write(tables => tables.plans.insert(plan).id))
    const { out } = await folder.import(folder.lines({ ...ROW, plan: 'old' }, { ...ROW, plan_id: 1 }))
    expect(out).toContain('Imported 2 rows.')
    expect((await folder.jobs()).map(job => job.planId)).toEqual([1, 1])
  })

  test.each(['', ' ', 'x'.repeat(65)])('refuse the default plan %j', async name => {
    expect(await folder.import(folder.lines(ROW), '--plan', name)).toMatchObject({ status: 2, out: '' })
  })
})

describe('an imported job', () => {
  test('keeps its age, starts its period with the import, is active and has no owner', async () => {
    const plan = { name: 'Month', period: 30 }
    await folder.import(
      folder.lines(
        { ...ROW, plan, created_at: '2020-02-29T12:00:00+01:00', expires_at: null, user: { id: 1 } },
        ROW,
      ),
    )
    expect(await folder.jobs()).toMatchObject([
      {
        createdAt: Date.UTC(2020, 1, 29, 11),
        updatedAt: START,
        expiresAt: START + 30 * DAY,
        pending: false,
        userId: null,
      },
      { createdAt: START, expiresAt: null, logo: '' },
    ])
  })

  test('has the logo from its row', async () => {
    await folder.import(
      folder.lines(
        { ...ROW, logo: `data:image/png;base64,${LOGO}` },
        { ...ROW, logo: LOGO },
        { ...ROW, logo: '' },
      ),
    )
    const logos = (await folder.jobs()).map(({ logo }) => logo)
    expect(logos[2]).toBe('')
    expect(folder.logoFiles().sort()).toEqual(logos.slice(0, 2).sort())
  })

  test('leaves no logo behind if the import fails', async () => {
    const path = folder.lines({ ...ROW, logo: LOGO }, { ...ROW, title: '' }, { ...ROW, logo: LOGO })
    expect((await folder.import(path)).status).toBe(1)
    expect(folder.logoFiles()).toEqual([])
    await folder.import(path, '--keep-going')
    expect(folder.logoFiles()).toHaveLength(2)
  })
})

test('refuses an import that is too large for the disk', async () => {
  const path = folder.lines(ROW)
  await folder.withStore(() => {})
  // an import may store six times the size of its file
  const required = diskSpace.MIN_FREE_SPACE + 6 * statSync(path).size
  const freeSpace = spyOn(diskSpace, 'freeSpace').mockReturnValue(required - 1)
  try {
    const full = 'The disk is full: nothing was stored. Free some space, then try again.\n'
    expect(await folder.import(path)).toEqual({ status: 1, out: '', err: full })
    expect(await folder.jobs()).toEqual([])
    freeSpace.mockReturnValue(required)
    expect(await folder.import(path)).toMatchObject({ status: 0, err: '' })
  } finally {
    freeSpace.mockRestore()
  }
})

test('refuses to import while a server runs', async () => {
  await folder.withStore(async () => {
    const { status, err } = await folder.import(folder.lines(ROW))
    expect(status).toBe(1)
    expect(err).toMatch(/^\S+ is in use by another Corkboard \(process \d+\)\. Stop it first\.\n$/)
  })
})

test('shows progress on a terminal', async () => {
  const path = folder.lines(ROW)
  const { status, screen } = await corkboardOnTerminal(['import', path, '--data', folder.data], [])
  expect(status).toBe(0)
  expect(screen).toContain('Checking [##############################] 100 %')
  expect(screen).toContain('\r\u001B[KImported 1 row.')
})
