import { type Account, TestBoard } from './board.ts'
import { formOf, logoFile } from './forms.ts'
import { png } from './pictures.ts'

/** Opens a board with two categories, a term, a plan, an administrator, and jobs; every other job has a logo. */
export async function filledBoard(jobs = 4): Promise<{ board: TestBoard; admin: Account }> {
  const board = await TestBoard.open()
  const admin = await board.account('ada@example.com', 'admin')
  for (const name of ['Design', 'Operations'])
    await make(board, '/categories.json', { as: admin, body: { name } })
  await make(board, '/terms.json', { as: admin, body: { name: 'Full time' } })
  await make(board, '/plans.json', { as: admin, body: { name: 'Basic' } })
  for (let number = 1; number <= jobs; number++) await addJob(board, admin, number, number % 2 === 0)
  return { board, admin }
}

/** Posts a job, and returns its id and the URL of its logo. */
export async function addJob(board: TestBoard, as: Account, number: number, withLogo: boolean) {
  const logo = withLogo ? { logo: logoFile(png(number, 2)) } : {}
  const body = formOf({ ...JOB, title: `Job ${number}`, ...logo })
  return await make(board, '/jobs.json', { as, body })
}

const JOB = {
  description: 'Words.',
  location: 'Lisbon',
  company: 'Acme',
  category_id: '1',
  term_id: '1',
  plan_id: '1',
  company_website: 'https://acme.example',
  application_url: 'https://acme.example/apply',
}

async function make(board: TestBoard, ...request: Parameters<TestBoard['post']>) {
  const response = await board.post(...request)
  if (response.status !== 201) throw new Error(await response.text())
  return (await response.json()) as { id: number; logo: string } // the API's type
}

/** Returns everything that a board shows to its administrator and to others, logos included. */
export async function allResponses(board: TestBoard, as: Account): Promise<string[]> {
  const paths = [
    '/jobs.json?status=all',
    '/categories.json',
    '/terms.json',
    '/plans.json?status=all',
    '/users.json',
  ]
  const responses = await Promise.all(paths.map(async path => await (await board.get(path, { as })).text()))
  const open = await (await board.get('/jobs.json')).text()
  for (const { id, logo } of JSON.parse(open) as { id: number; logo: string }[]) {
    responses.push(await (await board.get(`/jobs/${id}.json`)).text())
    if (logo !== '') responses.push(await hashOf(await board.get(new URL(logo).pathname)))
  }
  return [...responses, open]
}

const hashOf = async (response: Response) =>
  `${response.status} ${new Bun.CryptoHasher('sha256').update(await response.arrayBuffer()).digest('hex')}`
