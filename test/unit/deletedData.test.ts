import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import { createBackup } from '../../src/features/backups/actions.ts'
import { BackupFolder } from '../../src/features/backups/folder.ts'
import { restore } from '../../src/features/backups/restore.ts'
import { BackupSchedule } from '../../src/features/backups/schedule.ts'
import { withoutDeletedData } from '../../src/store/deletedData.ts'
import { Store } from '../../src/store/store.ts'
import { TestBoard } from '../helpers/board.ts'
import { deleteHalf, fillForDeletion, remainsIn } from '../helpers/remains.ts'

let board: TestBoard
let store: Store

beforeEach(async () => {
  board = await TestBoard.open()
  ;({ store } = board.board)
})
afterEach(() => board.close())

const inFolder = (...names: string[]) => join(board.folder, ...names)

/** Copies the records without free pages, and the copy without remains of deleted records. */
async function copies() {
  mkdirSync(inFolder('compacted'))
  mkdirSync(inFolder('cleaned'))
  expect(await store.copyTo(inFolder('compacted'))).toBeTrue()
  const compacted = inFolder('compacted/data.mdb')
  const cleaned = inFolder('cleaned/data.mdb')
  writeFileSync(
    cleaned,
    Buffer.concat(await Array.fromAsync(withoutDeletedData(compacted), part => Buffer.from(part))),
  )
  return { compacted, cleaned }
}

describe('a copy of the records', () => {
  test('contains nothing of deleted records: neither in free nor in used pages, nor in keys', async () => {
    await fillForDeletion(store)
    await deleteHalf(store)
    const { compacted, cleaned } = await copies()
    expect(remainsIn(inFolder('data/data.mdb')).length).toBeGreaterThan(1000)
    expect(remainsIn(compacted)).not.toEqual([])
    expect(remainsIn(cleaned)).toEqual([])
    expect(readFileSync(cleaned)).toHaveLength(readFileSync(compacted).length)
  })

  test('contains nothing of a long text that a shorter one replaced in the same commit', async () => {
    await fillForDeletion(store, 1)
    await deleteHalf(store)
    const change = (text: string) =>
      store.write(({ mails }) => {
        const [mail] = mails.all()
        if (mail) mails.update(mail, { lastError: text })
      })
    await Promise.all([change('gone-text '.repeat(2000)), change('kept text '.repeat(700))])
    const { compacted, cleaned } = await copies()
    expect(remainsIn(compacted)).not.toEqual([])
    expect(remainsIn(cleaned)).toEqual([])
    const copy = await Store.open(inFolder('cleaned'))
    expect(copy.read.mails.all()).toEqual(store.read.mails.all())
    await copy.close()
  })

  test('is a normal store, in which every record can be found and changed', async () => {
    await fillForDeletion(store)
    await deleteHalf(store)
    await copies()
    const copy = await Store.open(inFolder('cleaned'))
    for (const table of ['subscribers', 'mails', 'journal'] as const)
      expect(copy.read[table].all()).toEqual(store.read[table].all())
    for (const { email, id } of store.read.subscribers.all())
      expect(copy.read.subscribers.findIdBy('email', email)).toBe(id)
    await fillForDeletion(copy, 100)
    await deleteHalf(copy)
    await copy.write(({ mails }) => {
      for (const { id } of mails.all()) if (id % 3 > 0) mails.remove(id)
    })
    expect(copy.findIntegrityErrors()).toEqual([])
    await copy.close()
    // opening it again checks every page
    await (await Store.open(inFolder('cleaned'))).close()
  })

  test('is valid for an empty board', async () => {
    await copies()
    const copy = await Store.open(inFolder('cleaned'))
    expect(copy.findIntegrityErrors()).toEqual([])
    await copy.close()
  })
})

describe('a backup', () => {
  test('contains nothing of deleted records, by command or by schedule', async () => {
    await fillForDeletion(store)
    await deleteHalf(store)
    const file = inFolder('board.tar')
    expect(await createBackup(board.board, file)).toMatchObject({ hasDeletedData: false })
    expect(remainsIn(file)).toEqual([])
    const schedule = new BackupSchedule(board.board, { folder: new BackupFolder(inFolder('daily'), 7) }, 0)
    schedule.makeFolder()
    board.clock.now = 10 * DAY
    await schedule.runIfDue()
    expect(remainsIn(inFolder('daily/corkboard-1970-01-11T00-00-00Z.tar'))).toEqual([])
    await schedule.close()
  })

  test('is possible for a data file that has lost a page, with a warning', async () => {
    await fillForDeletion(store, 10)
    await deleteHalf(store)
    const before = store.read.subscribers.all()
    await board.board.close()
    loseAPage(inFolder('data/data.mdb'))
    board = await board.again()
    const file = inFolder('board.tar')
    expect(await createBackup(board.board, file)).toMatchObject({ hasDeletedData: true })
    await restore(file, inFolder('restored'))
    const copy = await Store.open(inFolder('restored'))
    expect(copy.read.subscribers.all()).toEqual(before)
    await copy.close()
  })
})

/** Adds a page to a data file that is neither used nor free. */
function loseAPage(path: string) {
  const bytes = readFileSync(path)
  const pageSize = bytes.readUInt32LE(48)
  const lastPage = Math.max(...[0, pageSize].map(head => Number(bytes.readBigUInt64LE(head + 144))))
  for (const head of [0, pageSize]) bytes.writeBigUInt64LE(BigInt(lastPage + 1), head + 144)
  writeFileSync(path, Buffer.concat([bytes.subarray(0, (lastPage + 1) * pageSize), Buffer.alloc(pageSize)]))
}
