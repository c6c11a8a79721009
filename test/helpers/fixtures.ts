import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Board } from '../../src/board.ts'
import { newDraft } from '../../src/features/jobs/publication.ts'
import type { JobRow, PlanRow } from '../../src/store/rows.ts'
import type { Tables } from '../../src/store/tables.ts'
import { type Account, START, TestBoard } from './board.ts'

/** A body with valid values for every field of a job, for a fixture board. */
export const JOB_FIELDS = {
  title: 'Ship’s carpenter',
  description: 'Mends **hulls**.\n\n- oak\n- pine\n',
  location: 'Bergen, Norway',
  arrangement: 'onsite',
  salary: 4200,
  salary_currency: 'NOK',
  salary_period: 'weekly',
  company: 'Fjord & Sons',
  company_website: 'https://fjord.example/',
  application_type: 'url',
  application_url: 'https://fjord.example/apply?job=1',
  category_id: 1,
  term_id: 1,
  plan_id: 1,
}

/** A body with the required fields of a job only. */
export const REQUIRED_FIELDS = {
  title: 'Nurse',
  description: 'Cares.',
  location: 'Oslo',
  company: 'Clinic',
  company_website: 'https://clinic.example',
  application_url: 'https://clinic.example/jobs',
  category_id: 1,
  term_id: 1,
  plan_id: 1,
}

const PLAN = { price: 0, period: 30, highlight: false, badge: false, pin: false, archived: false }

/** The plans of a fixture board, in the order of their ids, from 1. */
export const PLANS = {
  basic: { ...PLAN, name: 'Basic' },
  pinned: { ...PLAN, name: 'Pinned', price: 99, period: 60, pin: true },
  endless: { ...PLAN, name: 'Endless', period: 0 },
  archived: { ...PLAN, name: 'Archived', archived: true },
} satisfies Record<string, Omit<PlanRow, 'id'>>

export const PLAN_ID = { basic: 1, pinned: 2, endless: 3, archived: 4 }

/** The basic plan in responses. */
export const BASIC_PLAN_JSON = {
  id: 1,
  name: 'Basic',
  price: 0,
  period: 30,
  highlight: false,
  badge: false,
  pin: false,
}

/** A board with two categories, two terms, the PLANS, an administrator and two users. */
export interface FixtureBoard {
  readonly test: TestBoard
  readonly admin: Account
  readonly owner: Account
  readonly other: Account
}

export async function openFixtureBoard(...flags: string[]): Promise<FixtureBoard> {
  const test = await TestBoard.open(...flags)
  await test.board.store.write(tables => {
    for (const name of ['Trades', 'Health']) tables.categories.insert({ name })
    for (const name of ['Full time', 'Contract']) tables.terms.insert({ name })
    for (const plan of Object.values(PLANS)) tables.plans.insert(plan)
  })
  const admin = await test.account('admin@example.com', 'admin')
  const owner = await test.account('owner@example.com')
  const other = await test.account('other@example.com')
  return { test, admin, owner, other }
}

/** Inserts jobs directly into the store, with the given columns. */
export const insertJobs = (
  { store }: Board,
  jobs: readonly Partial<Omit<JobRow, 'id'>>[],
): Promise<number[]> => store.write(tables => jobs.map(columns => insertJob(tables, columns).id))

/** The columns of a webhook. */
export const WEBHOOK = {
  url: 'https://nowhere.invalid/',
  description: null,
  types: [],
  status: 'disabled',
  secret: 'whsec_AAAA',
  oldSecrets: [],
  createdAt: 0,
  updatedAt: 0,
  position: 0,
  skipped: 0,
  attempts: 0,
  nextAttemptAt: null,
  lastError: null,
  epoch: 1,
} as const

export const insertJob = (tables: Tables, columns: Partial<Omit<JobRow, 'id'>> = {}): JobRow =>
  tables.jobs.insert({ ...ROW, submittedAt: columns.createdAt ?? ROW.submittedAt, ...columns })

const ROW: Omit<JobRow, 'id'> = {
  title: 'Nurse',
  description: 'Cares.',
  location: 'Oslo',
  arrangement: 'remote',
  salary: null,
  salaryCurrency: 'USD',
  salaryPeriod: 'monthly',
  company: 'Clinic',
  companyWebsite: 'https://clinic.example',
  applicationType: 'url',
  applicationUrl: 'https://clinic.example/jobs',
  applicationEmail: '',
  categoryId: 1,
  termId: 1,
  planId: 1,
  userId: null,
  logo: '',
  ...newDraft(START),
  submittedAt: START,
  publishedAt: START,
}

/** Writes the file of a logo, which is no valid picture, and returns its name. */
export const writeLogo = ({ board }: TestBoard) => board.images.logos.write({ bytes: new Uint8Array([1]) })

/**
 * Returns everything that is stored, files included. Two dumps are equal if nothing changed in between.
 * @param without the names of tables to leave out
 */
export function dump(
  { board, folder }: TestBoard,
  without?: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const tables = Object.entries(board.store.read).filter(([name]) => !without?.has(name))
  return { ...Object.fromEntries(tables.map(([name, table]) => [name, table.all()])), logos: logosIn(folder) }
}

/** Returns the names of the logo files of a test's board. */
export const logosIn = (folder: string) => readdirSync(join(folder, 'data', 'logos')).toSorted()

/** Waits until a condition is true, for at most a second; some work happens just after the response. */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await Bun.sleep(5)
  if (!isSo()) throw new Error('The condition did not become true within a second.')
}
