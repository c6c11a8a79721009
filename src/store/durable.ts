import { promises as fs } from 'node:fs'

const PRIVATE_FILE = 0o600

/** Makes durable which names a folder holds. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a file that was not there, and resolves once what was written is on disk; its name may not be yet. */
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
