import { afterEach, describe, expect, test } from 'bun:test'
import { InvertedIndex } from '../../src/search/invertedIndex.ts'
import { findJobs } from '../../src/search/ranking.ts'
import { BLANK_TEXTS, closeIndexes, type JobTexts, searchBoard } from '../helpers/searchBoard.ts'

afterEach(closeIndexes)

const BOARD: Record<number, JobTexts> = {
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
everyJob.put(Object.entries(BOARD).map(([id, job]) => ({ id: Number(id), ...BLANK_TEXTS, ...job })))

describe.each(Object.entries(everyRule))('%s', (_, searches) => {
  test.each(searches)('as %p shows', (q, ids) => expect([...findJobs(q, everyJob).ids]).toEqual(ids))
})

describe('In a search with more than eight words', () => {
  const rare = 'adze bodkin chisel dibber easel funnel gimlet hammer'
  const board = () =>
    searchBoard({
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
    const { index, texts, find } = searchBoard(nurses)
    expect(await find('nurse')).toEqual([4, 3, 2, 1])

    for (const id of [4, 2]) texts.set(id, { title: 'Cook' })
    index.markChanged([4, 2])
    expect(await find('nurse')).toEqual([3, 1])
    for (const id of [2, 4]) texts.set(id, { title: 'Nurse' })
    index.markChanged([2, 4])
    expect(await find('nurse')).toEqual([4, 3, 2, 1])
  })

  test('depends on the first forty letters of a word only', async () => {
    const { find } = searchBoard({ 1: { title: 'x'.repeat(60) } })
    expect(await find('x'.repeat(60))).toEqual([1])
    expect(await find('x'.repeat(40))).toEqual([1])
  })
})

test('A field has the same weight when only few candidates are looked up', () => {
  const inverted = new InvertedIndex()
  const add = (id: number, texts: JobTexts) => inverted.put([{ ...BLANK_TEXTS, id, ...texts }])
  // the rarest word has four jobs, in which the other is looked up
  add(4, { title: 'welder', description: 'zinc' })
  add(5, { company: 'welder', description: 'zinc' })
  add(6, { location: 'welder', description: 'zinc' })
  add(7, { description: 'welder zinc' })
  for (let id = 100; id < 200; id++) add(id, { title: 'welder' })
  for (const query of ['zinc welder', 'welder zinc', 'zinc weld'])
    expect([...findJobs(query, inverted).ids]).toEqual([4, 5, 6, 7])
})
