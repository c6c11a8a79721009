/** Queues the reminders that are due in a store, and prints a line before and after: `remind.ts FOLDER TIME`. */
import { writeSync } from 'node:fs'
import { Outbox } from '../../src/mail/outbox.ts'
import { Reminders } from '../../src/mail/reminders.ts'
import { JobIndex } from '../../src/search/jobIndex.ts'
import { Store } from '../../src/store/store.ts'

const [, , folder = '', time] = process.argv
const clock = () => Number(time)
const store = await Store.open(folder)
const jobIndex = new JobIndex(store, clock, () => {})
const reminders = new Reminders(store, clock, jobIndex, new Outbox(true, clock), true)
writeSync(1, 'started\n')
await reminders.run()
writeSync(1, 'done\n')
await store.close()
