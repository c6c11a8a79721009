import sample from '../assets/sample.json'
import { DAY, floorToSecond, timestamp } from '../base/clock.ts'
import type { Board } from '../board.ts'
import { parseJob } from '../features/imports/parsedJob.ts'
import { RecordWriter } from '../features/imports/recordWriter.ts'
import type { TableReaders } from '../store/tables.ts'

/**
 * Fills an empty board with the sample, whose jobs have no owner: active ones and, for administrators, one in each other
 * status. Returns the number of active jobs, 0 if the board wasn't empty.
 */
export function fillWithSample({ store, clock }: Board): Promise<number> {
  return store.write(tables => {
    if (!isEmpty(tables)) return 0
    for (const name of sample.categories) tables.categories.insert({ name })
    for (const name of sample.terms) tables.terms.insert({ name })
    for (const plan of sample.plans) tables.plans.insert({ ...plan, archived: false })
    const now = floorToSecond(clock())
    const writer = new RecordWriter(tables)
    for (const job of sample.jobs) {
      const createdAt = floorToSecond(now - job.posted_days_ago * DAY)
      const values = new Map(Object.entries({ ...job, created_at: timestamp(createdAt) }))
      writer.addJob(parseJob({ values, isForm: false }, tables, job.plan, now), createdAt)
    }
    for (const job of sample.hidden_jobs) {
      const values = new Map([['corkboard', 'job'], ...Object.entries(job).map(withTime(now))])
      writer.addJob(parseJob({ values, isForm: false }, tables, job.plan, now), now)
    }
    return sample.jobs.length
  })
}

/** Returns a function that turns a number of days, such as `filled_days_ago`, into a field of an export, such as `filled_at`. */
const withTime =
  (now: number) =>
  ([name, value]: [string, unknown]): [string, unknown] =>
    name.endsWith('_days_ago')
      ? [
          name.replace('_days_ago', '_at'),
          typeof value === 'number' ? timestamp(floorToSecond(now - value * DAY)) : null,
        ]
      : [name, value]

const isEmpty = ({ categories, terms, plans, jobs }: TableReaders) =>
  [categories, terms, plans, jobs].every(table => table.all().length === 0)
