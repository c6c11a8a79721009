import { readFileSync } from 'node:fs'
import type { Store } from '../../src/store/store.ts'

/** Matches a text that every deleted record contains, also lower-cased. */
const DELETED = /gone-\w+/gi

/** Returns the texts of deleted records that a file still contains. */
export const remainsIn = (path: string): string[] =>
  readFileSync(path, 'latin1')
    .match(DELETED)
    ?.map(found => found) ?? []

/** Lengths of values in bytes: some share a page, others have their own. */
const LENGTHS = [10, 300, 2100, 2500, 6000]

const subscriber = (email: string) => ({
  email,
  confirmed: true,
  createdAt: 0,
  updatedAt: 0,
  digestedUntil: 0,
})

const MAIL = {
  content: { kind: 'reset', email: 'ada@example.com' } as const,
  createdAt: 0,
  attempts: 1,
  triedSince: 0,
  dueAt: Number.MAX_SAFE_INTEGER,
  failed: false,
}

/** Adds records whose keys alternate between those to keep and those to delete. */
export async function fillForDeletion(store: Store, pairs = 150): Promise<void> {
  await store.write(({ subscribers, mails }) => {
    for (let number = 0; number < pairs; number++)
      for (const kind of ['gone', 'kept']) {
        const name = `${number.toString().padStart(4, '0')}-${kind}-${crypto.randomUUID().slice(0, 8)}`
        subscribers.insert(subscriber(`${name}@example.com`))
        const length = LENGTHS[number % LENGTHS.length] ?? 0
        const text = `${kind}-text `.repeat(length / 10)
        mails.insert({ ...MAIL, lastError: `${name} ${text}` })
      }
  })
}

/** Deletes half of them in separate transactions, with inserts in between, so that pages are reused. */
export async function deleteHalf(store: Store): Promise<void> {
  const { subscribers, mails } = store.read
  const isGone = (text: string) => text.includes('gone-')
  const ids = {
    subscribers: subscribers.all().filter(({ email }) => isGone(email)),
    mails: mails.all().filter(({ lastError }) => isGone(lastError)),
  }
  for (const [index, { id }] of ids.subscribers.entries())
    await store.write(tables => {
      tables.subscribers.remove(id)
      tables.mails.remove(ids.mails[index]?.id ?? 0)
      if (index % 5 === 0) tables.subscribers.insert(subscriber(`kept-${id}@example.com`))
    })
}
