/** Writes to a store and prints a line for each acknowledged write: `writer.ts FOLDER TRANSACTIONS`. */
import { writeSync } from 'node:fs'
import { Store } from '../../src/store/store.ts'
import { fillTables, newJob } from './rows.ts'
import { seeded } from './seeded.ts'

const [, , folder = '', transactions] = process.argv
const random = seeded(7)
const store = await Store.open(folder)
await store.write(tables => fillTables(tables, 0, 0))
const ids: number[] = []
const turn = async (number: number) => {
  const gone = ids.length > 20 && random(2) === 0 ? ids.splice(random(ids.length), 1)[0] : undefined
  if (gone !== undefined) writeSync(1, `going ${gone}\n`)
  const id = await store.write(({ jobs }) => {
    if (gone !== undefined) jobs.remove(gone)
    return jobs.insert(newJob(`Job ${number}`, 200 + random(6000))).id
  })
  ids.push(id)
  writeSync(1, gone === undefined ? `there ${id}\n` : `there ${id}\ngone ${gone}\n`)
}
for (let number = 0; number < Number(transactions); number += 2)
  await Promise.all([turn(number), turn(number + 1)])
await store.close()
