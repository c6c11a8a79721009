import { beforeAll, expect, test } from 'bun:test'
import { dependencies } from '../../package.json'
import { corkboard, EXECUTABLE } from '../helpers/process.ts'

const SECTION = /^={80}\n(.+)\n={80}\n\n/m
/** The shortest of all licences has some 350 characters. */
const SHORTEST_TEXT = 300

let listed: string[]
let sections: Map<string, string>

beforeAll(async () => {
  const { status, out, err } = await corkboard(['licenses'], { program: EXECUTABLE })
  expect([status, err]).toEqual([0, ''])
  const [list = '', ...parts] = out.split(SECTION)
  listed = list
    .split('\n')
    .filter(line => line.startsWith('  '))
    .map(line => line.trim())
  sections = new Map(parts.flatMap((title, at) => (at % 2 === 0 ? [[title, parts[at + 1] ?? '']] : [])))
})

test('every work in the list has the text of its licence', () => {
  expect([...sections.keys()]).toEqual(listed)
  const short = [...sections].filter(([, text]) => text.trim().length < SHORTEST_TEXT).map(([title]) => title)
  // the notice of the country data refers to its licence by name
  expect(short.filter(title => !title.startsWith('@ip-location-db/'))).toEqual([])
})

test('every dependency, native library, font and database is in the list, and so is the runtime', () => {
  const names = listed.map(line => line.split(' ')[0])
  for (const name of Object.keys(dependencies)) expect(names).toContain(name)
  for (const name of ['LMDB', 'LZ4', 'Noto', 'Bun']) expect(names).toContain(name)
  for (const [name, version] of Object.entries(dependencies))
    expect(listed.some(line => line.startsWith(`${name} ${version}: `))).toBeTrue()
})
