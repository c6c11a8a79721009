import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for the files of a test file, which is deleted after its last test. */
export function temporaryFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'corkboard-files-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Creates a file and returns its path. */
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  return { folder, file }
}
