import { existsSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { isIntact } from '../../images/logoFiles.ts'
import { LOGO_FOLDER, PRIVATE_FOLDER } from '../../store/folder.ts'
import { boardLogo, SETTINGS_ID } from '../../store/liveConfig.ts'
import { tryLockFolder } from '../../store/lock.ts'
import type { Store } from '../../store/store.ts'
import { withFileErrorsAsync } from '../../store/storeError.ts'
import type { Tables } from '../../store/tables.ts'

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
    const named = ownersByLogo(store)
    const errors: LogoIntegrityError[] = []
    for (const [name, owner] of named)
      if (!files.has(name)) errors.push(missing(store, owner, name))
      else if (!(await isReadable(folder, name))) errors.push(damaged(store, owner, name))
    const strays = isBackupRunning ? [] : [...files].filter(name => !named.has(name))
    return [...errors, ...strays.map(name => stray(store, name))]
  })
}

function isLockable(lock: ReturnType<typeof tryLockFolder>): boolean {
  lock?.release()
  return lock !== undefined
}

/** What has a logo: its name in messages, and how to take the logo away from it. */
interface LogoOwner {
  readonly name: string
  readonly clear: (tables: Tables, logo: string) => void
}

/** Returns what has a logo by the names of the logos. */
function ownersByLogo({ read }: Store): Map<string, LogoOwner> {
  const jobs = read.jobs.all().map(({ logo, id }) => [logo, jobOwner(id)] as const)
  const owners = [...jobs, [boardLogo(read), BOARD] as const]
  return new Map(owners.filter(([logo]) => logo !== ''))
}

const jobOwner = (id: number): LogoOwner => ({
  name: `job ${id}`,
  clear: ({ jobs }, logo) => {
    const job = jobs.get(id)
    if (job?.logo === logo) jobs.update(job, { logo: '' })
  },
})

const BOARD: LogoOwner = {
  name: 'the board',
  clear: ({ settings }, logo) => {
    const row = settings.get(SETTINGS_ID)
    if (row?.logo === logo) settings.put({ ...row, logo: '' })
  },
}

async function isReadable(folder: string, name: string): Promise<boolean> {
  try {
    return isIntact(name, await fs.readFile(join(folder, name)))
  } catch {
    return false
  }
}

const missing = (store: Store, owner: LogoOwner, name: string): LogoIntegrityError => ({
  message: `The logo ${name} of ${owner.name} is missing.`,
  repair: () => store.write(tables => owner.clear(tables, name)),
})

const damaged = (store: Store, owner: LogoOwner, name: string): LogoIntegrityError => ({
  message: `The logo ${name} of ${owner.name} is damaged.`,
  repair: async () => {
    await store.write(tables => owner.clear(tables, name))
    await moveToLost(store, name)
  },
})

const stray = (store: Store, name: string): LogoIntegrityError => ({
  message: `No job uses the file ${LOGO_FOLDER}/${name}.`,
  repair: () => moveToLost(store, name),
})

async function moveToLost(store: Store, name: string): Promise<void> {
  const lost = join(store.folder, LOST_FOLDER)
  await fs.mkdir(lost, { recursive: true, mode: PRIVATE_FOLDER })
  await fs.rename(join(store.folder, LOGO_FOLDER, name), join(lost, name))
}
