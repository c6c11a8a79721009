import { afterEach, describe, expect, test } from 'bun:test'
import type { SearchableJob } from '../../src/search/searchableJob.ts'
import type { SearchIndex } from '../../src/search/searchIndex.ts'
import { BLANK_TEXTS, closeIndexes, foundIds, searchBoard, searchIndexOf } from '../helpers/searchBoard.ts'

afterEach(closeIndexes)

const BOARD = { 1: { title: 'Nurse' }, 2: { title: 'Cook' }, 3: { title: 'Driver' } }

describe('The index', () => {
  test('reads jobs later, not when they are marked', async () => {
    const { reads, find } = searchBoard(BOARD)
    expect(reads).toEqual([])
    await find('nurse')
    expect(reads).toEqual([1, 2, 3])
  })

  test('reads a job once that is marked twice', async () => {
    const { reads, index, find } = searchBoard({ 1: { title: 'Nurse' }, 2: { title: 'Cook' } })
    index.markChanged([2, 1])
    expect(await find('cook')).toEqual([2])
    expect(reads).toEqual([1, 2])
  })

  test('follows changed and removed jobs', async () => {
    const { texts, index, find } = searchBoard({ 1: { title: 'Nurse' }, 2: { title: 'Nurse' } })
    expect(await find('nurse')).toEqual([2, 1])
    texts.set(1, { title: 'Cook' })
    texts.delete(2)
    index.markChanged([1, 2, 3])
    expect(await find('nurse')).toEqual([])
    expect(await find('cook')).toEqual([1])
  })

  test('corrects a word again when the last job that had it is removed', async () => {
    const { texts, index, find } = searchBoard({ 1: { title: 'Curse' }, 2: { title: 'Nurse' } })
    expect(await find('curse')).toEqual([1])
    texts.delete(1)
    index.markChanged([1])
    expect(await find('curse')).toEqual([2])
  })

  test('does not make a search wait for later changes', async () => {
    const index: SearchIndex = searchIndexOf(id => {
      if (id < 20_000) index.markChanged([id + 1])
      return { ...BLANK_TEXTS, id, title: 'Nurse' }
    })
    index.markChanged([1])
    expect((await foundIds(index, 'nurse')).length).toBeWithin(1, 20_000)
    void index.close()
  })

  test('lets other work run while it is built', async () => {
    const words = Array.from({ length: 3000 }, (_, n) => `word${n * 7919}`)
    const description = (id: number) =>
      Array.from({ length: 150 }, (_, n) => words[(id * 31 + n * n) % 3000]).join(' ')
    const jobs = Array.from({ length: 2000 }, (_, at) => [
      at + 1,
      { title: 'Nurse', description: description(at) },
    ])
    const { find } = searchBoard(Object.fromEntries(jobs))

    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const found = await find('nurse')
    clearInterval(timer)
    expect(found).toHaveLength(2000)
    expect(ticks).toBeGreaterThan(10)
  })

  test('indexes a long text of thousands of different characters', async () => {
    const letters = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n) % 9973)))
    const { find } = searchBoard({ 1: { description: letters.join('') } })
    expect(await find('nurse')).toEqual([])
    expect(await find(letters.slice(0, 2).join(''))).toEqual([1])
  })

  test('skips a job that cannot be read, with one warning that names it, until it changes', async () => {
    let unreadable: number | undefined
    const warnings: string[] = []
    const index = searchIndexOf(id => {
      if (id === unreadable) throw new Error('damaged row')
      return { ...BLANK_TEXTS, id, title: 'Nurse' }
    }, warnings)
    index.markChanged([1, 2])
    expect(await foundIds(index, 'nurse')).toEqual([2, 1])

    // its texts in the index may be outdated
    unreadable = 1
    index.markChanged([1, 3])
    expect(await foundIds(index, 'nurse')).toEqual([3, 2])
    expect(await foundIds(index, 'nurse')).toEqual([3, 2])
    expect(warnings).toEqual([expect.stringMatching(/^job 1 can't be read.*damaged row$/)])

    unreadable = undefined
    index.markChanged([1])
    expect(await foundIds(index, 'nurse')).toEqual([3, 2, 1])
    expect(warnings).toHaveLength(1)
  })

  test('skips a job whose texts cannot be indexed, with one warning that names it', async () => {
    const warnings: string[] = []
    const jobs = new Map<number, SearchableJob>()
    const index = searchIndexOf(id => jobs.get(id), warnings)
    for (const id of [1, 2]) jobs.set(id, { ...BLANK_TEXTS, id, title: 'Nurse' })
    index.markChanged([1, 2])
    expect(await foundIds(index, 'nurse')).toEqual([2, 1])
    jobs.set(1, { ...BLANK_TEXTS, id: 1, title: 'Cook', description: null as unknown as string }) // a damaged row
    index.markChanged([1])
    expect(await foundIds(index, 'nurse')).toEqual([2])
    expect(warnings).toEqual([expect.stringContaining('job 1: ')])
  })

  test('reads nothing after it is closed, and waiting searches end', async () => {
    const { reads, index, find } = searchBoard(BOARD)
    const found = find('nurse')
    void index.close()
    index.markChanged([1])
    expect(await found).toEqual([])
    expect(await find('nurse')).toEqual([])
    expect(reads).toEqual([])
  })
})
