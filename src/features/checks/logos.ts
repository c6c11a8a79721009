import { existsSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { isIntact, LOGO_FOLDER } from '../../images/logofiles.ts'
import { withAccessTo } from '../../store/failure.ts'
import { tryFolder } from '../../store/lock.ts'
import type { Store } from '../../store/store.ts'

/** Where what no record names is put: it may be all that is left of something. */
const LOST_FOLDER = 'lost'
const PRIVATE_FOLDER = 0o700

/** Something that is wrong with a logo. */
export interface LogoFault {
  /** A sentence that names it. */
  readonly what: string
  readonly mend: () => Promise<unknown>
}

/** Compares the logos' folder with the records, and each file with the checksum in its name. */
export async function findLogoFaults(store: Store): Promise<LogoFault[]> {
  const folder = join(store.folder, LOGO_FOLDER)
  return await withAccessTo(folder, async () => {
    const files = new Set(existsSync(folder) ? await fs.readdir(folder) : [])
    // what has been given up stays as long as a backup is being taken
    const isKept = files.size > 0 && !hasPassed(tryFolder(folder, 'remove'))
    const named = namesOf(store)
    const faults: LogoFault[] = []
    for (const [name, job] of named)
      if (!files.has(name)) faults.push(missing(store, job, name))
      else if (!(await isWhole(folder, name))) faults.push(damaged(store, job, name))
    const strays = isKept ? [] : [...files].filter(name => !named.has(name))
    return [...faults, ...strays.map(name => stray(store, name))]
  })
}

function hasPassed(lock: ReturnType<typeof tryFolder>): boolean {
  lock?.release()
  return lock !== undefined
}

/** The names of logos in the records, with the ids of their jobs. */
function namesOf(store: Store): Map<string, number> {
  const jobs = store.read.jobs.all().filter(({ logo }) => logo !== '')
  return new Map(jobs.map(({ logo, id }) => [logo, id]))
}

async function isWhole(folder: string, name: string): Promise<boolean> {
  try {
    return isIntact(name, await fs.readFile(join(folder, name)))
  } catch {
    return false
  }
}

const missing = (store: Store, job: number, name: string): LogoFault => ({
  what: `The logo ${name} of job ${job} is not there.`,
  mend: () => giveUp(store, job, name),
})

const damaged = (store: Store, job: number, name: string): LogoFault => ({
  what: `The logo ${name} of job ${job} is damaged.`,
  mend: async () => {
    await giveUp(store, job, name)
    await putAside(store, name)
  },
})

const stray = (store: Store, name: string): LogoFault => ({
  what: `No job names the file ${LOGO_FOLDER}/${name}.`,
  mend: () => putAside(store, name),
})

async function giveUp(store: Store, id: number, logo: string): Promise<void> {
  await store.write(({ jobs }) => {
    const job = jobs.get(id)
    if (job?.logo === logo) jobs.change(job, { logo: '' })
  })
}

async function putAside(store: Store, name: string): Promise<void> {
  const lost = join(store.folder, LOST_FOLDER)
  await fs.mkdir(lost, { recursive: true, mode: PRIVATE_FOLDER })
  await fs.rename(join(store.folder, LOGO_FOLDER, name), join(lost, name))
}
