import { promises as fs } from 'node:fs'

const PRIVATE_FILE = 0o600

/** Resolves once the names of a folder's files are on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a file and resolves once its content is on disk. Its name is on disk only after `syncFolder`. */
export async function writeDurably<T>(path: string, write: (file: fs.FileHandle) => Promise<T>): Promise<T> {
  const file = await fs.open(path, 'wx', PRIVATE_FILE)
  try {
    const written = await write(file)
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}
