import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashOfJob, hashOfTexts, type SearchableJob } from '../../src/search/searchableJob.ts'
import { SearchIndex } from '../../src/search/searchIndex.ts'
import { SearchThread } from '../../src/search/searchThread.ts'

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-search-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `search${++files}.index`)

const job = (id: number, title: string): SearchableJob => ({
  id,
  title,
  company: 'Mercy Hospital',
  location: 'Zürich',
  description: 'We look for you in our hospital, and 日本語 too.',
  arrangement: 'onsite',
  category: 'Health',
  term: 'Full-time',
})

/** Returns an index of jobs with these titles, the ids of the jobs that it read, and its warnings. */
function open(file: string, titles: Record<number, string>) {
  const jobs = new Map(Object.entries(titles).map(([id, title]) => [Number(id), job(Number(id), title)]))
  const reads: number[] = []
  const warnings: string[] = []
  const source = {
    read: (id: number) => {
      reads.push(id)
      return jobs.get(id)
    },
    hashes: () =>
      new Map([...jobs.values()].map(one => [one.id, hashOfJob(hashOfTexts(one), one.category, one.term)])),
  }
  const warn = (message: string, cause: unknown) => warnings.push(`${message}: ${String(cause)}`)
  const index = new SearchIndex(source, warn, new SearchThread({ file, warn }))
  return { index, reads, warnings, find: async (q: string) => [...(await index.search(q)).ids] }
}

/** Writes a file of an index of these jobs. */
async function write(file: string, titles: Record<number, string>): Promise<void> {
  const { index, find } = open(file, titles)
  await find('nurse')
  await index.close()
}

const NURSES = { 1: 'Registered Nurse', 2: 'Nurse Educator', 3: 'Java Developer' }

describe('The file of an index', () => {
  test('is read at the next start, so that no job is read', async () => {
    const file = newFile()
    await write(file, NURSES)
    const { index, reads, warnings, find } = open(file, NURSES)
    expect(await find('nurses')).toEqual([2, 1])
    expect(await find('日本')).toEqual([3, 2, 1])
    expect(await find('jav')).toEqual([3])
    expect(await find('develpoer')).toEqual([3])
    expect(reads).toEqual([])
    expect(warnings).toEqual([])
    await index.close()
  })

  test('is brought up to date with jobs that were added, removed or changed without it', async () => {
    const file = newFile()
    await write(file, NURSES)
    const { index, reads, find } = open(file, {
      1: 'Registered Nurse',
      3: 'Nurse Manager',
      4: 'Night Nurse',
    })
    expect(new Set(await find('nurse'))).toEqual(new Set([1, 3, 4]))
    expect(await find('java')).toEqual([])
    expect(new Set(reads)).toEqual(new Set([2, 3, 4]))
    await index.close()
  })

  test('is complete if the board is stopped while it is written', async () => {
    const file = newFile()
    const many = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [at + 1, `Nurse ${at}`]))
    const first = open(file, many)
    // after so many changes, the file is written at once
    await first.find('nurse')
    await new Promise(resolve => setTimeout(resolve))
    await first.index.close()
    const { index, reads, find } = open(file, many)
    expect(await find('nurse')).toHaveLength(1200)
    expect(reads).toEqual([])
    await index.close()
  })

  test('can be read only by the owner of the process', async () => {
    const file = newFile()
    await write(file, NURSES)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('is not written if nothing changed', async () => {
    const file = newFile()
    await write(file, NURSES)
    const { mtimeMs } = await stat(file)
    await write(file, NURSES)
    expect((await stat(file)).mtimeMs).toBe(mtimeMs)
  })

  const DAMAGES: [string, (bytes: Buffer<ArrayBuffer>) => Uint8Array<ArrayBuffer> | string][] = [
    ['is empty', () => ''],
    ['is cut short', bytes => bytes.subarray(0, bytes.length - 8)],
    ['is longer', bytes => Buffer.concat([bytes, new Uint8Array(8)])],
    ['has another bit in it', bytes => bytes.with(bytes.length - 20, (bytes.at(-20) ?? 0) ^ 1)],
    [
      'is of another version',
      bytes => Buffer.from(bytes.toString('latin1').replace(/"version":\d+/, '"version":1'), 'latin1'),
    ],
    ['has another first line', bytes => bytes.fill('x', 0, 10)],
    ['is something else', () => 'id,title\n1,Nurse\n'],
  ]
  test.each(DAMAGES)('that %s is rebuilt, with one warning', async (_, damage) => {
    const file = newFile()
    await write(file, NURSES)
    await Bun.write(file, damage(Buffer.from(await Bun.file(file).arrayBuffer())))
    const { index, reads, warnings, find } = open(file, NURSES)
    expect(await find('nurse')).toEqual([2, 1])
    expect(reads).toEqual([1, 2, 3])
    expect(warnings).toEqual([expect.stringContaining('is being rebuilt')])
    await index.close()
    const again = open(file, NURSES)
    expect(await again.find('nurse')).toEqual([2, 1])
    expect(again.reads).toEqual([])
    await again.index.close()
  })

  test('that cannot be written causes a warning, and searches work', async () => {
    const { index, warnings, find } = open(join(folder, 'no', 'such', 'folder'), NURSES)
    expect(await find('nurse')).toEqual([2, 1])
    await index.close()
    expect(warnings).toEqual([expect.stringContaining('could not be written')])
  })
})

describe('A thread', () => {
  test('that dies is restarted, and misses no change', async () => {
    const file = newFile()
    await write(file, { 1: 'Registered Nurse' })
    const { index, warnings, find } = open(file, NURSES)
    expect(await find('nurse')).toEqual([2, 1])
    index['thread']['client'].close('it died')
    expect(await find('nurse')).toEqual([2, 1])
    expect(await find('java')).toEqual([3])
    expect(warnings).toEqual([expect.stringContaining('is being restarted')])
    await index.close()
  })

  test('that dies during a search is restarted, and the search succeeds', async () => {
    const { index, find } = open(newFile(), NURSES)
    await find('nurse')
    const found = find('nurse')
    await Promise.resolve()
    index['thread']['client'].close('it died')
    expect(await found).toEqual([2, 1])
    await index.close()
  })

  test('that starts after the index was closed reads no job', async () => {
    const { index, reads } = open(newFile(), NURSES)
    index['source'].hashes = () => {
      throw new Error('the store is closed')
    }
    await index.close()
    await Bun.sleep(5)
    expect(reads).toEqual([])
  })
})
