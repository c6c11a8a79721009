import { promises as fs } from 'node:fs'
import { BLOCK_SIZE, parseTarHeader } from './tar.ts'

/** The first file of a backup, before the data file and the logos. */
export const DESCRIPTION_FILE = 'backup.json'

/** The content of the first file of a backup. */
export interface BackupDescription {
  /** The version of the program. */
  readonly corkboard: string
  /** The schema version of the store. */
  readonly schema: number
  readonly taken_at: string
}

/** Parses a description; undefined if it is invalid. */
export function parseDescription(text: string): BackupDescription | undefined {
  try {
    const { corkboard, schema, taken_at: takenAt }: Record<string, unknown> = JSON.parse(text)
    const isValid = typeof corkboard === 'string' && typeof schema === 'number' && typeof takenAt === 'string'
    return isValid ? { corkboard, schema, taken_at: takenAt } : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a file starts like a backup. */
export async function isBackup(path: string): Promise<boolean> {
  const file = await fs.open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BLOCK_SIZE), 0, BLOCK_SIZE, 0)
    return parseTarHeader(buffer.subarray(0, bytesRead))?.name === DESCRIPTION_FILE
  } finally {
    await file.close()
  }
}
