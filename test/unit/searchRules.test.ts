import { describe, expect, test } from 'bun:test'
import { InvertedIndex } from '../../src/search/invertedIndex.ts'
import { findJobs } from '../../src/search/ranking.ts'
import { parseSynonyms, Synonyms } from '../../src/search/synonyms.ts'

const ENGLISH = 'We are looking for you to join our team, and you will work with us in the city.'
const GERMAN =
  'Wir suchen für unser Team eine Person mit Erfahrung, die gern mit uns und für die Kunden arbeitet.'
const FRENCH = 'Nous recherchons pour notre équipe une personne avec de l’expérience dans le domaine.'
const SPANISH = 'Buscamos para nuestro equipo a una persona con experiencia en el sector y en la empresa.'
const DUTCH = 'Wij zoeken voor ons team een collega met ervaring die van het werk houdt en bij ons past.'
const PORTUGUESE = 'Procuramos para a nossa equipa uma pessoa com experiência no setor, que goste do que faz.'
const ITALIAN = 'Cerchiamo per la nostra squadra una persona con esperienza nel settore e che sia della zona.'

const TITLES: [id: number, title: string, description: string][] = [
  [1, 'Registered Nurse', ENGLISH],
  [2, 'Company Secretary', ENGLISH],
  [3, 'Office Manager', ENGLISH],
  [4, 'Business Analyst', ENGLISH],
  [5, 'Frontend Developer', ENGLISH],
  [6, 'Health Research Assistant', ENGLISH],
  [7, 'Accountant', `${ENGLISH} Nurses are welcome.`],
  [11, 'Softwareentwickler', GERMAN],
  [12, 'Krankenpflegerin', GERMAN],
  [21, 'Infirmière de nuit', FRENCH],
  [31, 'Profesor de música', SPANISH],
  [41, 'Verpleegkundige', DUTCH],
  [51, 'Enfermeiro', PORTUGUESE],
  [52, 'Posições para profissionais', PORTUGUESE],
  [61, 'Sviluppatore', ITALIAN],
]

const index = new InvertedIndex()
index.put(
  TITLES.map(([id, title, description]) => {
    const arrangement = id === 5 ? 'remote' : 'onsite'
    const term = id === 6 ? 'Internship' : 'Part-time'
    return {
      id,
      title,
      company: 'Orbit',
      location: 'Berlin',
      description,
      arrangement,
      category: 'All',
      term,
    }
  }),
)

function find(q: string, synonyms = '') {
  const { ids, match, corrected } = findJobs(q, index, new Synonyms(parseSynonyms(synonyms).groups))
  return { ids: [...ids], match, corrected }
}
const idsOf = (q: string, synonyms?: string) => find(q, synonyms).ids

describe.each<[rule: string, searches: [q: string, ids: number[]][]]>([
  [
    'A word matches its other forms, below itself',
    [
      ['nurse', [1, 7]],
      ['registered nurses', [1]],
      ['companies', [2]],
      ['managing', [3]],
      ['office management', [3]],
      ['business analysis', [4]],
    ],
  ],
  [
    'So do words of other languages',
    [
      ['softwareentwicklern', [11]],
      ['krankenpfleger', [12]],
      ['infirmières', [21]],
      ['infirmieres', [21]],
      ['profesores', [31]],
      ['verpleegkundigen', [41]],
      ['enfermeiros', [51]],
      ['posição', [52]],
      ['posicoes', [52]],
      ['profissional', [52]],
      ['sviluppatori', [61]],
    ],
  ],
  [
    'A compound is found by its last part',
    [
      ['entwickler', [11]],
      ['pflegerin', [12]],
    ],
  ],
  [
    'Stop words and words like "job" are optional',
    [
      ['looking for a registered nurse job please', [1]],
      ['the accountant of the company', [7]],
      ['stelle als softwareentwickler gesucht', [11]],
    ],
  ],
  [
    'Words match that are written together, or apart',
    [
      ['frontenddeveloper', [5]],
      ['front end developer', [5]],
      ['healthresearch', [6]],
      ['accoun tant', [7]],
    ],
  ],
  [
    'A word of eight letters may have two typos, a shorter one has one',
    [
      ['acocuntnat', [7]],
      ['develxpar', [5]],
      ['nrues', []],
    ],
  ],
  [
    'Arrangement and term are words of a job',
    [
      ['remote', [5]],
      ['internship', [6]],
      ['remote part time', [5]],
    ],
  ],
])('%s', (_, searches) => {
  test.each(searches)('as %p finds', (q, ids) => expect(idsOf(q)).toEqual(ids))
})

test.each<[q: string, match: 'all' | 'some', corrected: string | undefined]>([
  ['registered nurse', 'all', undefined],
  ['registered nurses', 'all', undefined],
  ['nurse accountant developer', 'some', undefined],
  ['registerd nruse', 'all', 'registered nurse'],
  ['frontenddeveloper', 'all', 'frontend developer'],
  ['acocuntnat in berlin', 'all', 'accountant in berlin'],
  ['offi', 'all', undefined],
])('%p matches %s of its words, and is corrected to %p', (q, match, corrected) => {
  expect(find(q)).toMatchObject({ match })
  expect(find(q).corrected).toBe(corrected)
})

describe('A synonym', () => {
  test.each([
    ['rn', 'rn = registered nurse', [1]],
    ['rn berlin', 'RN = Registered Nurse', [1]],
    ['bookkeeper', '# money\naccountant = bookkeeper # or clerk', [7]],
    ['figures person', 'accountant = figures person', [7]],
    ['webdev', 'webdev = ui person = frontend developer', [5]],
  ])('finds %p, given %p', (q, synonyms, ids) => {
    expect(idsOf(q, synonyms)).toEqual(ids)
  })

  test('in an invalid line is reported', () => {
    const { groups, errors } = parseSynonyms('js = javascript\r\nnonsense\n\n= x\na = = b\n# comment\n')
    expect(groups).toEqual([[['js'], ['javascript']]])
    expect(errors.map(error => error.split(':')[0])).toEqual(['line 2', 'line 4', 'line 5'])
  })
})

test('Only a few words of a long search are corrected', () => {
  const words = Array.from({ length: 28 }, (_, n) => `qzxkvw${String.fromCharCode(97 + n)}j`)
  const { ids } = find(`${words.join(' ').slice(0, 230)} accountant`)
  expect(ids).toEqual([7])
})

test('A stop word of the language that most jobs are in is ignored even where few have it, and no other', () => {
  const jobs = Array.from({ length: 40 }, (_, at) => ({
    ...{
      id: at + 1,
      company: 'Orbit',
      location: 'Berlin',
      arrangement: 'onsite',
      category: 'All',
      term: 'Any',
    },
    title: at === 0 ? 'Die caster' : 'Baker',
    description: at === 1 ? `${ENGLISH} I bake.` : ENGLISH,
  }))
  const english = new InvertedIndex()
  english.put(jobs)
  expect([...findJobs('die caster i need', english).ids]).toEqual([1])
  // a German article, but not on this board
  expect(findJobs('die baker', english).match).toBe('some')
})

test('Stop words only decide between jobs that match the other words alike, by titles and companies', () => {
  const titles = ['Office Clerk', 'Clerk', 'Office Clerk', 'The Office Clerk', 'Clerk Positions']
  const wordy =
    'I am looking for a position, and you are, as a clerk at your company in the office, open to jobs.'
  const clerks = new InvertedIndex()
  clerks.put(
    titles.map((title, at) => ({
      id: at + 1,
      title,
      company: 'Orbit',
      location: 'Berlin',
      description: at === 1 ? wordy : ENGLISH,
      arrangement: 'onsite',
      category: 'All',
      term: 'Any',
    })),
  )
  const clerksFor = (q: string) => [...findJobs(q, clerks).ids]
  const plain = clerksFor('office clerk')
  expect(plain).toEqual([3, 1, 4, 2])
  expect(clerksFor('i am looking for a position as office clerk at your company')).toEqual(plain)
  expect(clerksFor('the office clerk')[0]).toBe(4)
  // Its plural counts, too.
  expect(clerksFor('clerk position')[0]).toBe(5)
})
