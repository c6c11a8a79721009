import sample from '../src/assets/sample.json'
import { pick, seeded } from './random.ts'

/** A posting of a benchmark, with the fields of a create request. */
export interface Posting {
  readonly title: string
  readonly description: string
  readonly location: string
  readonly company: string
  readonly company_website: string
  readonly application_url: string
}

const TITLE_LENGTH = 64
const SEED = 7

/**
 * Loads postings from a JSON Lines file, or from the sample if no file is named. If there are too few, it combines their
 * titles, companies, locations and paragraphs into more.
 */
export async function loadPostings(count: number, file: string | undefined): Promise<Posting[]> {
  const real = (file === undefined ? sample.jobs : await readLines(file)).map(asPosting)
  const random = seeded(SEED)
  const paragraphs = real.flatMap(posting => posting.description.split(/\n\n+/))
  const combined = Array.from({ length: Math.max(0, count - real.length) }, () => ({
    ...pick(real, random),
    title: pick(real, random).title,
    company: pick(real, random).company,
    description: Array.from({ length: 6 }, () => pick(paragraphs, random)).join('\n\n'),
  }))
  return [...real, ...combined].slice(0, count)
}

type Line = Partial<Record<keyof Posting, string>>

async function readLines(file: string): Promise<Line[]> {
  const text = await Bun.file(file).text()
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as Line) // these fields are texts
}

const asPosting = (line: Line): Posting => ({
  title: [...(line.title ?? 'Untitled')].slice(0, TITLE_LENGTH).join(''),
  description: line.description ?? 'None.',
  location: line.location ?? 'Anywhere',
  company: line.company ?? 'Unknown',
  company_website: 'https://example.com',
  application_url: 'https://example.com/apply',
})
