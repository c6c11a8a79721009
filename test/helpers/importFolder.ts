import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import type { Store } from '../../src/store/store.ts'
import { withData } from './data.ts'
import { TestHost } from './host.ts'

/** A valid row of an import, with a text that has the special characters of every format. */
export const ROW = {
  title: 'Beekeeper',
  description: 'Bees, "honey"; [wax] {and}\n\\ a 5" smoker, }] €9.\n\\',
  location: 'Ljubljana',
  company: 'Apiary',
  company_website: 'https://example.com',
  application_url: 'https://example.com/apply',
  category: 'Land & Animals',
  term: 'Full-time',
}

/** The fields of ROW, which are the header of its CSV. */
export const COLUMNS = Object.keys(ROW)

/** Returns JSON Lines with an object on each line. */
export const jsonLines = (...rows: object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** Returns CSV with a header, in which every cell is quoted. */
export function csv(delimiter: string, lineEnding: string, ...rows: Record<string, string>[]): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const records = rows.map(row => Object.values(row).map(quoted))
  return [Object.keys(rows[0] ?? {}), ...records].map(cells => cells.join(delimiter) + lineEnding).join('')
}

/** A folder with a file to import and the data directory that it is imported into. */
export class ImportFolder {
  private constructor(readonly path: string) {}

  static async create(): Promise<ImportFolder> {
    return new ImportFolder(await mkdtemp(join(tmpdir(), 'corkboard-import-')))
  }

  get data(): string {
    return join(this.path, 'data')
  }

  /** Writes the file to import, and returns its path. */
  file(content: string | Uint8Array): string {
    const path = join(this.path, 'file')
    writeFileSync(path, content)
    return path
  }

  /** Writes rows as JSON Lines, and returns the path of the file. */
  lines(...rows: object[]): string {
    return this.file(jsonLines(...rows))
  }

  /** Runs `corkboard import`. */
  async import(from: string, ...flags: string[]) {
    const host = new TestHost()
    const status = await run(COMMANDS, ['import', from, '--data', this.data, ...flags], host)
    return { status, out: host.out, err: host.err }
  }

  withStore<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
    return withData(this.data, work)
  }

  jobs() {
    return this.withStore(({ read }) => read.jobs.all())
  }

  categories() {
    return this.withStore(({ read }) => read.categories.all().map(({ name }) => name))
  }

  logoFiles(): string[] {
    return readdirSync(join(this.data, 'logos'))
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true })
  }
}
