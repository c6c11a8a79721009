import { existsSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { isIntact } from '../../images/logoFiles.ts'
import { LOGO_FOLDER, PRIVATE_FOLDER } from '../../store/folder.ts'
import { tryLockFolder } from '../../store/lock.ts'
import type { Store } from '../../store/store.ts'
import { withFileErrorsAsync } from '../../store/storeError.ts'

/** The folder for files that no record uses. They may be the only remains of deleted records. */
const LOST_FOLDER = 'lost'

/** An error in the stored logos. */
export interface LogoIntegrityError {
  /** A sentence that describes the error. */
  readonly message: string
  readonly repair: () => Promise<unknown>
}

/** Compares the logo folder with the records, and each file with the checksum in its name. */
export async function findLogoIntegrityErrors(store: Store): Promise<LogoIntegrityError[]> {
  const folder = join(store.folder, LOGO_FOLDER)
  return await withFileErrorsAsync(folder, async () => {
    const files = new Set(existsSync(folder) ? await fs.readdir(folder) : [])
    // During a backup, removed logos stay in the folder.
    const isBackupRunning = files.size > 0 && !isLockable(tryLockFolder(folder, 'exclusive'))
    const named = jobsByLogo(store)
    const errors: LogoIntegrityError[] = []
    for (const [name, job] of named)
      if (!files.has(name)) errors.push(missing(store, job, name))
      else if (!(await isReadable(folder, name))) errors.push(damaged(store, job, name))
    const strays = isBackupRunning ? [] : [...files].filter(name => !named.has(name))
    return [...errors, ...strays.map(name => stray(store, name))]
  })
}

function isLockable(lock: ReturnType<typeof tryLockFolder>): boolean {
  lock?.release()
  return lock !== undefined
}

/** Returns the ids of jobs by the names of their logos. */
function jobsByLogo(store: Store): Map<string, number> {
  const jobs = store.read.jobs.all().filter(({ logo }) => logo !== '')
  return new Map(jobs.map(({ logo, id }) => [logo, id]))
}

async function isReadable(folder: string, name: string): Promise<boolean> {
  try {
    return isIntact(name, await fs.readFile(join(folder, name)))
  } catch {
    return false
  }
}

const missing = (store: Store, job: number, name: string): LogoIntegrityError => ({
  message: `The logo ${name} of job ${job} is missing.`,
  repair: () => clearLogo(store, job, name),
})

const damaged = (store: Store, job: number, name: string): LogoIntegrityError => ({
  message: `The logo ${name} of job ${job} is damaged.`,
  repair: async () => {
    await clearLogo(store, job, name)
    await moveToLost(store, name)
  },
})

const stray = (store: Store, name: string): LogoIntegrityError => ({
  message: `No job uses the file ${LOGO_FOLDER}/${name}.`,
  repair: () => moveToLost(store, name),
})

async function clearLogo(store: Store, id: number, logo: string): Promise<void> {
  await store.write(({ jobs }) => {
    const job = jobs.get(id)
    if (job?.logo === logo) jobs.update(job, { logo: '' })
  })
}

async function moveToLost(store: Store, name: string): Promise<void> {
  const lost = join(store.folder, LOST_FOLDER)
  await fs.mkdir(lost, { recursive: true, mode: PRIVATE_FOLDER })
  await fs.rename(join(store.folder, LOGO_FOLDER, name), join(lost, name))
}
