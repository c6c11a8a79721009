import { promises as fs } from 'node:fs'
import { BLOCK_SIZE, parseTarHeader } from '../../store/tar.ts'

/** The first file of a backup, which is a tar archive; data file and logos follow. */
export const DESCRIPTION_FILE = 'backup.json'

/** What stands in the first file of a backup. */
export interface BackupDescription {
  /** The version of the program that took it. */
  readonly corkboard: string
  /** The version of the store inside. */
  readonly schema: number
  readonly taken_at: string
}

/** Undefined if it is none. */
export function parseDescription(text: string): BackupDescription | undefined {
  try {
    const { corkboard, schema, taken_at: takenAt }: Record<string, unknown> = JSON.parse(text)
    const isOne = typeof corkboard === 'string' && typeof schema === 'number' && typeof takenAt === 'string'
    return isOne ? { corkboard, schema, taken_at: takenAt } : undefined
  } catch {
    return undefined
  }
}

/** Whether a file begins as a backup does. */
export async function isBackup(path: string): Promise<boolean> {
  const file = await fs.open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BLOCK_SIZE), 0, BLOCK_SIZE, 0)
    return parseTarHeader(buffer.subarray(0, bytesRead))?.name === DESCRIPTION_FILE
  } finally {
    await file.close()
  }
}
