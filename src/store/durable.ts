import { promises as fs } from 'node:fs'

const PRIVATE_FILE = 0o600

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a file and resolves once its content is on disk. Its name is durable only after `syncFolder`. */
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
