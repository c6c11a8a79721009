import * as fc from 'fast-check'
import { STATUSES } from '../../../src/store/jobStatus.ts'
import { getAnalytics } from './analytics.ts'
import { applyToJob, getJobStats, postEvent } from './funnel.ts'
import { deleteJob, getJob, type JobInput, postJob, putJob } from './jobs.ts'
import { deleteLabel, getLabel, postLabel, putLabel } from './labels.ts'
import { getJobs, type Query } from './lists.ts'
import { deletePlan, getPlan, getPlans, postPlan, putPlan, setArchived } from './plans.ts'
import { DAY, type Plans, type Purpose, SECOND } from './records.ts'
import { ADMIN, type Credentials, OTHER, OWNER, PASSWORDS, type Stage } from './stage.ts'
import { deleteSubscriber, getSubscriber, postSubscriber, putSubscriber, useToken } from './subscribers.ts'
import { deleteUser, getMe, getUser, postUser, putUser, resetPassword } from './users.ts'
import {
  approveJob,
  closeJob,
  duplicateJob,
  fillJob,
  refuseJob,
  renewByLink,
  renewJob,
  reopenJob,
  submitJob,
} from './verbs.ts'

/** A step. Its description is shown on failure. */
export interface Act {
  readonly does: string
  readonly run: (stage: Stage) => Promise<void>
}

// no two of these differ by a typo or share a prefix, with each other or any other word of a board
const WORDS = ['anchor', 'bramble', 'cedar', 'dulcimer', 'ember', 'fiddle']
const EMAILS = [ADMIN, OWNER, OTHER, 'new@example.com', 'rené@exämple.com']

const number = fc.nat(999)
const word = fc.constantFrom(...WORDS)
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map(list => list.join(' '))
const email = fc
  .tuple(fc.constantFrom(...EMAILS), fc.constantFrom('', ' '))
  .map(([address, space]) => `${space}${address[0]?.toUpperCase()}${address.slice(1)}`)
const password = fc.constantFrom(...PASSWORDS)
const arrangement = fc.constantFrom('remote', 'onsite', 'hybrid')
const optional = <T>(record: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(record, { requiredKeys: [] })

/** Generates a value that is sometimes blank, which counts as not sent. */
const orBlank = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | '' | null> =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom('' as const, null) })

const DETAILS = {
  arrangement: orBlank(arrangement),
  salary: fc.oneof(fc.nat(99_999), fc.constantFrom(null, '', '4200', Number.MAX_SAFE_INTEGER)),
  salary_currency: orBlank(fc.constantFrom('EUR', 'nok', 'USD')),
  salary_period: orBlank(fc.constantFrom('hourly', 'daily', 'weekly', 'monthly', 'yearly')),
  application_type: orBlank(fc.constantFrom('url', 'email')),
  application_url: orBlank(fc.constantFrom('https://works.example/apply', 'http://works.example')),
  application_email: orBlank(fc.constantFrom('jobs@works.example', 'Jobs@Works.example')),
}
/** Times of publication: some that can be right, one that never is, and one that is wrong at the beginning. */
const PUBLICATIONS = [
  null,
  '2026-01-10T18:22:00Z',
  '2026-01-12T00:00:00+01:00',
  '2026-02-20T09:00:00Z',
  '2025-12-31T00:00:00Z',
  '2027-01-11T00:00:00Z',
]
const publishAt = fc.constantFrom(...PUBLICATIONS)

const title = fc.oneof(
  { weight: 9, arbitrary: words },
  { weight: 1, arbitrary: fc.constantFrom(' ', ' anchor ', 'a'.repeat(65), '🛠'.repeat(64)) },
)

const newJob: fc.Arbitrary<JobInput> = fc
  .tuple(
    fc.record({ title, company: word, location: words, category: number, term: number, plan: number }),
    optional({ ...DETAILS, publish_at: fc.constantFrom(null, null, null, ...PUBLICATIONS) }),
  )
  .map(([needed, more]) => ({ application_url: 'https://works.example/apply', ...needed, ...more }))

const newDraft: fc.Arbitrary<JobInput> = fc
  .tuple(
    fc.record({ title }),
    optional({
      company: orBlank(word),
      location: words,
      category: number,
      term: number,
      plan: number,
      ...DETAILS,
    }),
    optional({ publish_at: publishAt }),
  )
  .map(parts => ({ draft: true, ...Object.assign({}, ...parts) }))

const MOMENTS = [null, '2026-01-01T00:00:00Z', '2026-01-11T10:00:00.9+02:00', '2026-03-01t00:00:00z']
const jobPatch: fc.Arbitrary<JobInput> = fc.oneof(
  optional({ title, company: word, category: number, term: number, ...DETAILS }),
  fc.record({ expires_at: fc.constantFrom(...MOMENTS) }),
  fc.record({ plan: number }),
  fc.record({ publish_at: publishAt }),
)

/** Completes a draft. */
const completion: fc.Arbitrary<JobInput> = fc
  .record({ company: word, location: words, category: number, term: number, plan: number })
  .map(fields => ({ application_url: 'https://works.example/apply', application_type: 'url', ...fields }))

const plan = {
  price: orBlank(fc.constantFrom(0, 90)),
  period: orBlank(fc.constantFrom(0, 1, 30)),
  pin: orBlank(fc.boolean()),
  highlight: orBlank(fc.boolean()),
  badge: orBlank(fc.boolean()),
}

/** Generates a word as people type it: complete, or with a typo. */
const typed = fc.tuple(word, fc.nat(5), fc.nat(9)).map(([text, how, place]) => {
  const at = 1 + (place % (text.length - 2))
  if (how === 1) return text.slice(0, at) + text.slice(at + 1)
  if (how === 2) return `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`
  return text
})
/** Generates the beginning of a word. Only the last word of a search may be one: others could be stems of a language. */
const beginning = fc.tuple(word, fc.integer({ min: 3, max: 8 })).map(([text, end]) => text.slice(0, end))
const query: fc.Arbitrary<Query> = optional({
  q: fc
    .tuple(fc.array(typed, { maxLength: 2 }), fc.oneof(typed, beginning))
    .map(([list, last]) => [...list, last].join(' ')),
  category: number,
  term: number,
  arrangement,
  status: fc.constantFrom(...STATUSES, 'all', 'all', 'active'),
  mine: fc.constantFrom('true', 'false'),
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.integer({ min: 1, max: 5 }),
})

const caller: fc.Arbitrary<Credentials | undefined> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ email: ADMIN }) },
  { weight: 8, arbitrary: fc.constant({ email: OWNER }) },
  { weight: 4, arbitrary: fc.constantFrom(...EMAILS).map(address => ({ email: address })) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  // a former password, if there is one
  { weight: 1, arbitrary: fc.constantFrom(ADMIN, OWNER).map(address => ({ email: address, isWrong: true })) },
)

/** A request by some caller. */
const request = <A extends unknown[]>(
  make: (...details: A) => Plans,
  ...details: { [K in keyof A]: fc.Arbitrary<A[K]> }
): fc.Arbitrary<Act> =>
  // TypeScript can't map a tuple of types to a tuple of arbitraries and back
  fc.tuple(caller, fc.tuple(...details) as unknown as fc.Arbitrary<A>).map(([by, args]) => ({
    does: `${by?.email ?? 'nobody'}${by?.isWrong ? ' (wrong password)' : ''}: ${make.name} ${JSON.stringify(args).slice(1, -1)}`,
    run: stage => stage.play(by, make(...args)),
  }))

const sort = fc.constantFrom('categories' as const, 'terms' as const)
const name = fc.oneof(
  word,
  word.map(text => ` ${text.toUpperCase()} `),
  fc.constant(''),
)

const PURPOSES: readonly Purpose[] = ['subscription', 'unsubscription', 'reset', 'renewal']

const issue: fc.Arbitrary<Act> = fc.tuple(fc.constantFrom(...PURPOSES), number).map(([purpose, pick]) => ({
  does: `a link is mailed for ${purpose} ${pick}`,
  run: async stage => {
    const { users, jobs, subscribers } = stage.records
    const rows = { reset: users, renewal: jobs, subscription: subscribers, unsubscription: subscribers }[
      purpose
    ].all
    const holder = rows[pick % Math.max(1, rows.length)]
    if (holder) await stage.issue(purpose, holder.id)
  },
}))

const follow: fc.Arbitrary<Act> = fc
  .tuple(number, fc.constantFrom('GET' as const, 'POST' as const), password)
  .map(([pick, method, word_]) => ({
    does: `the link ${pick} is followed (${method})`,
    run: async stage => {
      const id = stage.records.tokens.pick(pick)
      const purpose = stage.records.tokens.get(id)?.purpose ?? 'subscription'
      const text = stage.textOf(id)
      if (purpose === 'renewal') return stage.play(undefined, renewByLink(id, text, method))
      await stage.play(
        undefined,
        purpose === 'reset' ? resetPassword(id, text, word_) : useToken(id, text, purpose, method),
      )
    },
  }))

const kind = fc.constantFrom('impression' as const, 'view' as const, 'apply' as const, undefined)

const wait: fc.Arbitrary<Act> = fc
  .constantFrom(SECOND / 2, 3600 * SECOND, 10 * 3600 * SECOND, DAY, 10 * DAY, 31 * DAY)
  .map(ms => ({ does: `${ms / SECOND} s pass`, run: async stage => stage.wait(ms) }))

const restart = fc.constant<Act>({ does: 'a restart', run: stage => stage.restart() })

const together: fc.Arbitrary<Act> = fc.tuple(caller, newJob).map(([by, input]) => ({
  does: `${by?.email ?? 'nobody'}: postJob three times at once ${JSON.stringify(input)}`,
  run: async stage => {
    await Promise.all([1, 2, 3].map(() => stage.play(by, postJob(input))))
  },
}))

/** Generates every kind of step, with weights. */
export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 14, arbitrary: request(postJob, newJob) },
  { weight: 2, arbitrary: together },
  { weight: 8, arbitrary: request(putJob, number, jobPatch) },
  { weight: 4, arbitrary: request(deleteJob, number) },
  { weight: 5, arbitrary: request(postJob, newDraft) },
  { weight: 2, arbitrary: request(putJob, number, completion) },
  { weight: 4, arbitrary: request(submitJob, number) },
  { weight: 5, arbitrary: request(approveJob, number) },
  { weight: 3, arbitrary: request(refuseJob, number, fc.constantFrom('No employer.', 'Spam\nand more')) },
  { weight: 3, arbitrary: request(fillJob, number) },
  { weight: 3, arbitrary: request(closeJob, number) },
  { weight: 3, arbitrary: request(reopenJob, number) },
  { weight: 4, arbitrary: request(renewJob, number, fc.option(number, { nil: undefined, freq: 1 })) },
  { weight: 2, arbitrary: request(duplicateJob, number) },
  { weight: 2, arbitrary: request(getJob, number) },
  { weight: 8, arbitrary: request(getJobs, query) },
  { weight: 4, arbitrary: request(postLabel, sort, name) },
  { weight: 4, arbitrary: request(putLabel, sort, number, fc.option(name, { nil: undefined })) },
  { weight: 2, arbitrary: request(deleteLabel, sort, number) },
  { weight: 1, arbitrary: request(getLabel, sort, number) },
  { weight: 2, arbitrary: request(postPlan, fc.record({ name: word, ...plan }, { requiredKeys: ['name'] })) },
  { weight: 4, arbitrary: request(putPlan, number, optional({ name: word, ...plan })) },
  { weight: 3, arbitrary: request(setArchived, number, fc.boolean()) },
  { weight: 2, arbitrary: request(deletePlan, number) },
  { weight: 1, arbitrary: request(getPlan, number) },
  { weight: 1, arbitrary: request(getPlans, fc.constantFrom('active', 'archived', 'all')) },
  { weight: 2, arbitrary: request(postUser, fc.record({ email, password })) },
  {
    weight: 3,
    arbitrary: request(putUser, number, optional({ email, role: orBlank(fc.constantFrom('admin', 'user')) })),
  },
  { weight: 1, arbitrary: request(putUser, number, fc.record({ password })) },
  { weight: 2, arbitrary: request(deleteUser, number) },
  { weight: 1, arbitrary: request(getUser, number) },
  { weight: 1, arbitrary: request(getMe) },
  { weight: 3, arbitrary: request(postSubscriber, email) },
  {
    weight: 2,
    arbitrary: request(putSubscriber, number, optional({ email, email_confirmed: orBlank(fc.boolean()) })),
  },
  { weight: 1, arbitrary: request(deleteSubscriber, number) },
  { weight: 1, arbitrary: request(getSubscriber, number) },
  { weight: 1, arbitrary: request(getAnalytics) },
  { weight: 3, arbitrary: request(applyToJob, number) },
  { weight: 3, arbitrary: request(postEvent, kind, fc.option(number, { nil: undefined })) },
  { weight: 3, arbitrary: request(getJobStats, number) },
  { weight: 2, arbitrary: issue },
  { weight: 3, arbitrary: follow },
  { weight: 8, arbitrary: wait },
  { weight: 2, arbitrary: restart },
)
