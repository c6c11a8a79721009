import { afterEach, describe, expect, test } from 'bun:test'
import { InvertedIndex } from '../../src/search/invertedIndex.ts'
import { findJobs } from '../../src/search/ranking.ts'
import type { SearchableJob } from '../../src/search/searchableJob.ts'
import { SearchIndex } from '../../src/search/searchIndex.ts'

const blank = {
  title: '',
  company: '',
  location: '',
  description: '',
  arrangement: '',
  category: '',
  term: '',
}
type Texts = Partial<typeof blank>

const open: SearchIndex[] = []
afterEach(() => {
  for (const index of open.splice(0)) void index.close()
})

/** Returns an index that is closed after the test. A warning fails the test, unless they are collected. */
function indexOf(read: (id: number) => SearchableJob | undefined, warnings?: string[]): SearchIndex {
  const source = { read, hashes: () => new Map<number, number>() }
  const index = new SearchIndex(source, (message, cause) => {
    if (!warnings) throw new Error(message, { cause })
    warnings.push(`${message}: ${String(cause)}`)
  })
  open.push(index)
  return index
}

const idsOf = async (index: SearchIndex, q: string) => [...(await index.search(q)).ids]

/** Returns the texts of jobs that tests can change, an index of them, and the ids it read. */
function boardOf(jobs: Record<number, Texts>) {
  const texts = new Map(Object.entries(jobs).map(([id, job]) => [Number(id), job]))
  const reads: number[] = []
  const index = indexOf(id => {
    reads.push(id)
    const job = texts.get(id)
    return job && { id, ...blank, ...job }
  })
  index.markChanged(texts.keys())
  return { texts, reads, index, find: (q: string) => idsOf(index, q) }
}

const BOARD: Record<number, Texts> = {
  1: { title: 'Registered Nurse', company: 'Mercy Hospital', location: 'Zürich', category: 'Health' },
  2: { title: 'Nurse Educator', company: 'Saint Anne', location: 'Boston', term: 'Part-time' },
  3: { title: 'Java Developer', company: 'Café Noir', location: 'São Paulo', term: 'Full time' },
  4: {
    title: 'JavaScript Developer',
    company: 'Blue Sky',
    location: 'Łódź',
    description: 'React and Node.js',
  },
  5: { title: 'Accountant', company: 'Orbit', location: 'Berlin', description: 'Ledgers, and more ledgers.' },
  6: { title: 'Senior Orbit Planning Engineer', company: 'Lunar', location: 'Houston' },
  7: { title: 'Driver', company: 'Swift Freight', description: 'Between the orbit road and the port.' },
  8: { title: 'C++ Programmer', company: 'AT&T', description: 'Front-end work in C, too. Don’t be shy' },
  9: { title: '日本語教師', company: '東京学院', description: '週3日。Java は不要' },
  10: { title: 'Elektriker', company: 'Straßenbau Groß', category: 'Ηλεκτρολόγος', term: 'Vollzeit' },
  11: { title: 'Site Manager', company: 'Stone', description: 'E-mail us. Photoshop™ is a plus.Apply now' },
  12: { title: 'Paint Mixer', company: 'Pigment', description: 'Colours all day', category: 'Trades' },
}

const everyRule: Record<string, [q: string, ids: number[]][]> = {
  'A search matches every text of a job': [
    ['educator', [2]],
    ['mercy', [1]],
    ['houston', [6]],
    ['ledgers', [5]],
    ['health', [1]],
    ['vollzeit', [10]],
  ],
  'Case and accents make no difference': [
    ['ZURICH', [1]],
    ['zürich', [1]],
    ['zu\u0308rich', [1]],
    ['ｚｕｒｉｃｈ', [1]],
    ['cafe', [3]],
    ['sao paulo', [3]],
    ['lodz', [4]],
    ['STRASSENBAU GROSS', [10]],
    ['ηλεκτρολογοσ', [10]],
  ],
  'Jobs with every word are found, whichever field has which': [
    ['nurse boston', [2]],
    ['boston nurse', [2]],
    ['registered mercy health', [1]],
    ['nurse nurse boston', [2]],
  ],
  'If no job has every word, jobs with some are found, the best first': [
    ['registered nurse boston', [1, 2]],
    ['nurse saint anne houston', [2, 1, 6]],
    ['houston qqqqqq', [6]],
    ['boston apply plus qqqqqq', [11, 2]],
  ],
  'The last word matches as a prefix from three letters': [
    ['edu', [2]],
    ['ed', []],
    ['boston nur', [2]],
    ['nur boston', [2]],
    ['reg houston', [6]],
  ],
  'An unknown word matches with one letter wrong, missing or extra, or two swapped': [
    ['educatir', [2]],
    ['educatr', [2]],
    ['educattor', [2]],
    ['educaotr', [2]],
    ['deucator boston', [2]],
    ['edxcxtxr', []],
    ['nxrxe', []],
  ],
  'A typo is corrected from four letters, and only in an unknown word': [
    ['blie', [4]],
    ['blie sky', [4]],
    ['bleu sky', [4]],
    ['ske blue', [4]],
    ['thr', []],
    ['pain', [12]],
    ['stone', [11]],
    ['store', [11]],
    ['mace houston', [6]],
  ],
  'A title weighs more than a company, which weighs more than the rest': [['orbit', [6, 5, 7]]],
  'A word ranks above longer words that begin with it': [
    ['java', [3, 9, 4]],
    ['nurse', [2, 1]],
  ],
  'Names with signs are words of their own': [
    ['c++', [8]],
    ['C', [8]],
    ['c#', []],
    ['at&t', [8]],
  ],
  'A compound is found by its parts, as one word and as two': [
    ['front end', [8]],
    ['frontend', [8]],
    ['front-end', [8]],
    ['nodejs', [4]],
    ['node.js', [4]],
    ['email', [11]],
    ['e-mail', [11]],
    ['dont', [8]],
    ["don't", [8]],
    ['full-time', [3]],
    ['part time', [2]],
  ],
  'Signs and missing spaces separate words': [
    ['photoshop', [11]],
    ['plus apply', [11]],
  ],
  'In a script without spaces, every part of a sentence is found': [
    ['日本', [9]],
    ['日本語', [9]],
    ['語', [9]],
    ['教師', [9]],
    ['本日', []],
    ['東京 日本', [9]],
  ],
  'A search without words finds nothing': [
    ['', []],
    ['?!', []],
    ['+', []],
    ['—', []],
  ],
}

const everyJob = new InvertedIndex()
everyJob.put(Object.entries(BOARD).map(([id, job]) => ({ id: Number(id), ...blank, ...job })))

describe.each(Object.entries(everyRule))('%s', (_, searches) => {
  test.each(searches)('as %p shows', (q, ids) => expect([...findJobs(q, everyJob).ids]).toEqual(ids))
})

describe('In a search with more than eight words', () => {
  const rare = 'adze bodkin chisel dibber easel funnel gimlet hammer'
  const board = () =>
    boardOf({
      1: { title: rare },
      2: { title: 'bodkin common' },
      3: { title: 'bodkin common' },
      4: { title: 'bodkin common' },
      5: { title: 'chisel common' },
      6: { title: rare.replace('bodkin', 'common') },
    })

  test('the eight rarest are required', async () => {
    expect(await board().find(rare)).toEqual([1])
    expect(await board().find(`common ${rare}`)).toEqual([1])
    expect(await board().find(`${rare} common`)).toEqual([1])
  })

  test('unknown words are dropped first', async () => {
    const unknown = 'qqqa qqqb qqqc qqqd qqqe qqqf qqqg qqqh qqqi'
    expect(await board().find(`${unknown} ${rare}`)).toEqual([1])
    expect(await board().find(`${unknown} chisel`)).toEqual([5, 6, 1])
    expect(await board().find(unknown)).toEqual([])
  })

  test('the last is still a prefix', async () => {
    expect(await board().find('adze adze common bodkin chisel dibber easel funnel gimlet hamm')).toEqual([1])
  })
})

describe('A result', () => {
  test('has the higher id first among equal scores, in whatever order jobs were indexed', async () => {
    const nurses = Object.fromEntries([3, 1, 4, 2].map(id => [id, { title: 'Nurse' }]))
    const { index, texts, find } = boardOf(nurses)
    expect(await find('nurse')).toEqual([4, 3, 2, 1])

    for (const id of [4, 2]) texts.set(id, { title: 'Cook' })
    index.markChanged([4, 2])
    expect(await find('nurse')).toEqual([3, 1])
    for (const id of [2, 4]) texts.set(id, { title: 'Nurse' })
    index.markChanged([2, 4])
    expect(await find('nurse')).toEqual([4, 3, 2, 1])
  })

  test('depends on the first forty letters of a word only', async () => {
    const { find } = boardOf({ 1: { title: 'x'.repeat(60) } })
    expect(await find('x'.repeat(60))).toEqual([1])
    expect(await find('x'.repeat(40))).toEqual([1])
  })
})

test('A field has the same weight when only few candidates are looked up', () => {
  const inverted = new InvertedIndex()
  const add = (id: number, texts: Texts) => inverted.put([{ ...blank, id, ...texts }])
  // the rarest word has four jobs, in which the other is looked up
  add(4, { title: 'welder', description: 'zinc' })
  add(5, { company: 'welder', description: 'zinc' })
  add(6, { location: 'welder', description: 'zinc' })
  add(7, { description: 'welder zinc' })
  for (let id = 100; id < 200; id++) add(id, { title: 'welder' })
  for (const query of ['zinc welder', 'welder zinc', 'zinc weld'])
    expect([...findJobs(query, inverted).ids]).toEqual([4, 5, 6, 7])
})

describe('The index', () => {
  test('reads jobs later, not when they are marked', async () => {
    const { reads, find } = boardOf(BOARD)
    expect(reads).toEqual([])
    await find('nurse')
    expect(reads).toHaveLength(12)
  })

  test('reads a job once that is marked twice', async () => {
    const { reads, index, find } = boardOf({ 1: { title: 'Nurse' }, 2: { title: 'Cook' } })
    index.markChanged([2, 1])
    expect(await find('cook')).toEqual([2])
    expect(reads).toEqual([1, 2])
  })

  test('follows changed and removed jobs', async () => {
    const { texts, index, find } = boardOf({ 1: { title: 'Nurse' }, 2: { title: 'Nurse' } })
    expect(await find('nurse')).toEqual([2, 1])
    texts.set(1, { title: 'Cook' })
    texts.delete(2)
    index.markChanged([1, 2, 3])
    expect(await find('nurse')).toEqual([])
    expect(await find('cook')).toEqual([1])
  })

  test('corrects a word again when the last job that had it is removed', async () => {
    const { texts, index, find } = boardOf({ 1: { title: 'Curse' }, 2: { title: 'Nurse' } })
    expect(await find('curse')).toEqual([1])
    texts.delete(1)
    index.markChanged([1])
    expect(await find('curse')).toEqual([2])
  })

  test('does not make a search wait for later changes', async () => {
    const index: SearchIndex = indexOf(id => {
      if (id < 20_000) index.markChanged([id + 1])
      return { ...blank, id, title: 'Nurse' }
    })
    index.markChanged([1])
    expect((await idsOf(index, 'nurse')).length).toBeWithin(1, 20_000)
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
    const { find } = boardOf(Object.fromEntries(jobs))

    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const found = await find('nurse')
    clearInterval(timer)
    expect(found).toHaveLength(2000)
    expect(ticks).toBeGreaterThan(10)
  })

  test('indexes a long text of thousands of different characters', async () => {
    const letters = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n) % 9973)))
    const { find } = boardOf({ 1: { description: letters.join('') } })
    expect(await find('nurse')).toEqual([])
    expect(await find(letters.slice(0, 2).join(''))).toEqual([1])
  })

  test('skips a job that cannot be read, with one warning that names it, until it changes', async () => {
    let unreadable: number | undefined
    const warnings: string[] = []
    const index = indexOf(id => {
      if (id === unreadable) throw new Error('damaged row')
      return { ...blank, id, title: 'Nurse' }
    }, warnings)
    index.markChanged([1, 2])
    expect(await idsOf(index, 'nurse')).toEqual([2, 1])

    // its texts in the index may be outdated
    unreadable = 1
    index.markChanged([1, 3])
    expect(await idsOf(index, 'nurse')).toEqual([3, 2])
    expect(await idsOf(index, 'nurse')).toEqual([3, 2])
    expect(warnings).toEqual([expect.stringMatching(/^job 1 can't be read.*damaged row$/)])

    unreadable = undefined
    index.markChanged([1])
    expect(await idsOf(index, 'nurse')).toEqual([3, 2, 1])
    expect(warnings).toHaveLength(1)
  })

  test('skips a job whose texts cannot be indexed, with one warning that names it', async () => {
    const warnings: string[] = []
    const jobs = new Map<number, SearchableJob>()
    const index = indexOf(id => jobs.get(id), warnings)
    for (const id of [1, 2]) jobs.set(id, { ...blank, id, title: 'Nurse' })
    index.markChanged([1, 2])
    expect(await idsOf(index, 'nurse')).toEqual([2, 1])
    jobs.set(1, { ...blank, id: 1, title: 'Cook', description: null as unknown as string }) // a damaged row
    index.markChanged([1])
    expect(await idsOf(index, 'nurse')).toEqual([2])
    expect(warnings).toEqual([expect.stringContaining('job 1: ')])
  })

  test('reads nothing after it is closed, and waiting searches end', async () => {
    const { reads, index, find } = boardOf(BOARD)
    const found = find('nurse')
    void index.close()
    index.markChanged([1])
    expect(await found).toEqual([])
    expect(await find('nurse')).toEqual([])
    expect(reads).toEqual([])
  })
})

test('An index equals one in which only the remaining jobs were ever indexed', () => {
  const vowels = ['a', 'e', 'i', 'o', 'u']
  const syllables = vowels.flatMap(vowel => ['b', 'k', 'm', 'n', 'r', 't'].map(letter => letter + vowel))
  const text = (seed: number) =>
    Array.from({ length: 12 }, (_, n) => syllables[(seed * (n + 3) + n * n) % 30]).join(' ')
  const job = (id: number, seed: number): SearchableJob => ({
    id,
    title: text(seed),
    company: text(seed + 1),
    location: text(seed + 2),
    description: text(seed * 7),
    arrangement: '',
    category: 'Health',
    term: '全職',
  })
  const changed = new InvertedIndex()
  const left = new Set<number>()
  for (let seed = 0; seed < 400; seed++) {
    changed.put([job(seed % 40, seed)])
    left.add(seed % 40)
    if (seed % 3 === 0) continue
    changed.remove((seed * 7) % 40)
    left.delete((seed * 7) % 40)
  }
  expect(left.size).toBeWithin(5, 36)

  const seeds = new Map(Array.from({ length: 400 }, (_, seed) => [seed % 40, seed]))
  const fresh = new InvertedIndex()
  for (const id of left) fresh.put([job(id, seeds.get(id) ?? 0)])
  expect(contentsOf(changed, syllables)).toEqual(contentsOf(fresh, syllables))

  for (const id of left) changed.remove(id)
  while (changed.needsMerge) changed.mergeStep()
  expect(changed.size).toBe(0)
  expect(changed.capacity).toBe(0)
  expect(changed.vocabulary.size).toBe(0)
})

test('A repeated search sees every change, and is corrected as the first time', () => {
  const inverted = new InvertedIndex()
  const put = (id: number, title: string) => inverted.put([{ ...blank, id, title }])
  const find = (q: string) => [...findJobs(q, inverted).ids]
  put(1, 'Nurse')
  for (let times = 0; times < 2; times++) {
    expect(find('nurs')).toEqual([1])
    expect(find('nrse')).toEqual([1])
  }
  put(2, 'Nrse')
  expect(find('nrse')).toEqual([2])
  inverted.remove(2)
  expect(find('nrse')).toEqual([1])

  // only the first words of a long search are corrected, whether they were corrected before or not
  const typos = Array.from({ length: 12 }, (_, n) => `${'abcdefghijkl'[n]}urse`)
  const first = findJobs(typos.join(' '), inverted)
  for (const typo of typos) find(typo)
  expect(findJobs(typos.join(' '), inverted)).toEqual(first)
})

/** Returns everything that an index contains, as searches see it. */
function contentsOf(index: InvertedIndex, words: readonly string[]) {
  const frequencyOf = (word: string) => index.frequencyOf(index.vocabulary.numberOf(word) ?? -1)
  return {
    size: index.size,
    jobs: words.map(frequencyOf),
    found: words.flatMap(word =>
      [word, `${word}x`, word.slice(0, 1), `${word}${word}`].map(q => findJobs(q, index)),
    ),
  }
}
