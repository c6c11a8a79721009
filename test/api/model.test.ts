import { expect, test } from 'bun:test'
import type { JobRow } from '../../src/store/rows.ts'
import { idsOf, objectOf } from '../helpers/answers.ts'
import type { Account, TestBoard } from '../helpers/board.ts'
import { LEAST, type Stocked, stocked } from '../helpers/scene.ts'

const HOUR = 3_600_000
const STEPS = 150
const WORDS = ['anchor', 'bramble', 'cedar', 'dulcimer', 'ember', 'fiddle']

/** Chances that are the same each time they are asked for by the same seed (mulberry32). */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    const a = Math.imul(state ^ (state >>> 15), 1 | state)
    const b = (a + Math.imul(a ^ (a >>> 7), 61 | a)) ^ a
    return ((b ^ (b >>> 14)) >>> 0) / 2 ** 32
  }
  return <T>(things: readonly T[]): T => {
    const thing = things[Math.floor(next() * things.length)]
    if (thing === undefined) throw new Error('there is nothing to pick from')
    return thing
  }
}

type Pick = ReturnType<typeof dice>

/** Something that happens to a board. */
type Step = (made: Stocked, pick: Pick, jobs: readonly JobRow[]) => Promise<unknown> | void

const anybody = ({ owner, other, admin }: Stocked, pick: Pick) => pick([owner, other, admin])
const one = (rows: readonly { readonly id: number }[], pick: Pick) => (rows.length > 0 ? pick(rows).id : 999)

const STEPS_TO_TAKE: readonly Step[] = [
  (made, pick) => post(made, pick),
  (made, pick) => post(made, pick),
  (made, pick) => Promise.all([post(made, pick), post(made, pick), post(made, pick)]),
  (made, pick, jobs) =>
    put(
      made,
      `/jobs/${one(jobs, pick)}.json`,
      { title: `${pick(WORDS)} ${pick(WORDS)}` },
      anybody(made, pick),
    ),
  (made, pick, jobs) =>
    put(made, `/jobs/${one(jobs, pick)}.json`, {
      category_id: one(made.test.board.store.read.categories.all(), pick),
      arrangement: pick(['remote', 'onsite', 'hybrid']),
    }),
  (made, pick, jobs) =>
    put(made, `/jobs/${one(jobs, pick)}.json`, {
      expires_at: pick([null, '2026-01-01T00:00:00Z', '2026-01-11T00:00:00Z', '2027-01-01T00:00:00Z']),
    }),
  (made, pick, jobs) => put(made, `/jobs/${one(jobs, pick)}/approve.json`, {}),
  (made, pick, jobs) => made.test.delete(`/jobs/${one(jobs, pick)}.json`, { as: anybody(made, pick) }),
  (made, pick) =>
    put(made, `/plans/${pick([1, 2, 3])}.json`, { pin: pick([true, false]), period: pick([0, 1, 30]) }),
  (made, pick) => made.test.post('/categories.json', { as: made.admin, body: { name: pick(WORDS) } }),
  (made, pick) =>
    put(made, `/categories/${one(made.test.board.store.read.categories.all(), pick)}.json`, {
      name: pick(WORDS),
    }),
  (made, pick) =>
    made.test.delete(
      `/categories/${pick(made.test.board.store.read.categories.all().slice(1).concat(NONE)).id}.json`,
      {
        as: made.admin,
      },
    ),
  ({ test: { clock } }, pick) => {
    clock.now += pick([500, HOUR, 10 * HOUR, 24 * HOUR])
  },
]

const NONE = { id: 999, name: '' }

function post(made: Stocked, pick: Pick) {
  const category = one(made.test.board.store.read.categories.all(), pick)
  const body = { ...LEAST, title: pick(WORDS), category_id: category, plan_id: pick([1, 2, 3]) }
  return made.test.post('/jobs.json', { as: anybody(made, pick), body })
}

const put = (made: Stocked, path: string, body: object, as: Account = made.admin) =>
  made.test.put(path, { as, body })

/** What is to be seen, worked out from the records alone. */
class Model {
  private readonly now: number
  private readonly tables: TestBoard['board']['store']['read']

  constructor(
    { board, clock }: TestBoard,
    private readonly who: Account | undefined,
    private readonly isAdmin: boolean,
  ) {
    this.now = clock.now
    this.tables = board.store.read
  }

  /** Those of a status, in the order of the list. */
  list(asked: string): number[] {
    const shown = this.tables.jobs.all().filter(job => {
      const status = this.statusOf(job)
      return (asked === 'all' || asked === status) && (status === 'active' || this.manages(job))
    })
    const pinned = ({ planId }: JobRow) => Number(this.tables.plans.get(planId)?.pin)
    return shown
      .toSorted((a, b) => pinned(b) - pinned(a) || b.createdAt - a.createdAt || b.id - a.id)
      .map(({ id }) => id)
  }

  /** Those that are found by a word, in no order. */
  found(word: string): Set<number> {
    const has = ({ title, categoryId }: JobRow) =>
      `${title} ${this.tables.categories.get(categoryId)?.name}`.split(' ').includes(word)
    return new Set(this.list('active').filter(id => has(this.tables.jobs.get(id) ?? never())))
  }

  sees(job: JobRow): boolean {
    return this.statusOf(job) === 'active' || this.manages(job)
  }

  private manages({ userId }: JobRow): boolean {
    return this.isAdmin || (this.who !== undefined && this.who.id === userId)
  }

  private statusOf({ pending, expiresAt }: JobRow): string {
    if (pending) return 'pending'
    return expiresAt !== null && expiresAt <= this.now ? 'expired' : 'active'
  }
}

const never = (): never => {
  throw new Error('a job that was listed is not there')
}

async function compare(made: Stocked, pick: Pick) {
  const { test: board, owner, admin } = made
  for (const who of [undefined, owner, admin]) {
    const model = new Model(board, who, who === admin)
    const as = who && { as: who }
    expect(await idsOf(board.get('/jobs.json', as))).toEqual(model.list('active'))
    if (who)
      for (const status of ['all', 'pending', 'expired'])
        expect(await idsOf(board.get(`/jobs.json?status=${status}`, as))).toEqual(model.list(status))
    const word = pick(WORDS)
    const answer = await board.get(`/jobs.json?q=${word}`, as)
    const found = model.found(word)
    expect(answer.headers.get('x-total-count')).toBe(String(found.size))
    expect(new Set(await idsOf(answer))).toEqual(found)
    for (const job of board.board.store.read.jobs.all().slice(-5)) {
      const { status, ...body } = await readJob(board, job.id, as)
      expect([job.id, status]).toEqual([job.id, model.sees(job) ? 200 : 404])
      if (status === 200) expect(body).toMatchObject({ title: job.title, category: { id: job.categoryId } })
    }
  }
}

async function readJob(board: TestBoard, id: number, as: { as: Account } | undefined) {
  const answer = await board.get(`/jobs/${id}.json`, as)
  const { title, category } = await objectOf(answer)
  return { status: answer.status, title, category }
}

test.each([1, 2, 3])(
  'whatever happens, lists, search and jobs show what the records say (seed %i)',
  async seed => {
    const made = await stocked('--approve', 'paid')
    const pick = dice(seed)
    for (let step = 0; step < STEPS; step++) {
      const jobs = made.test.board.store.read.jobs.all()
      await pick(STEPS_TO_TAKE)(made, pick, jobs)
      await compare(made, pick)
    }
    await made.test.board.log.flush()
    expect(made.test.logged.filter(line => line.includes('"level":"error"'))).toEqual([])
    await made.test.close()
  },
)
