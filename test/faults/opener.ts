/**
 * Opens data files one after another, reads and writes everything, and prints the result of each, in a separate process,
 * because LMDB may crash it: `opener.ts checked|unchecked FOLDER …`, where unchecked skips our check.
 */
import { open } from 'lmdb'
import { Store } from '../../src/store/store.ts'
import { StoreError } from '../../src/store/storeError.ts'

const [, , how, ...folders] = process.argv

for (const folder of folders) {
  const result = await (how === 'checked' ? openChecked(folder) : openUnchecked(folder))
  process.stdout.write(`${folder}\t${result}\n`)
}

async function openChecked(folder: string): Promise<string> {
  try {
    const store = await Store.open(folder)
    try {
      store.findIntegrityErrors()
      await store.write(tables => tables.categories.insert({ name: 'another' }))
      return 'opened'
    } finally {
      await store.close()
    }
  } catch (error) {
    return error instanceof StoreError
      ? `refused: ${error.message}`
      : `failed: ${String(error).split('\n')[0]}`
  }
}

async function openUnchecked(folder: string): Promise<string> {
  try {
    const env = open({ path: folder, noSubdir: false, maxDbs: 32, overlappingSync: false, encoding: 'json' })
    const rows = [...env.openDB({ name: 'jobs', encoding: 'json' }).getRange()]
    await env.close()
    return `read ${rows.length}`
  } catch (error) {
    return `failed: ${String(error).split('\n')[0]}`
  }
}
