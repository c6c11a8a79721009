import { readFile } from 'node:fs/promises'
import type { SynonymGroup } from './searchMessages.ts'
import { parseSynonyms } from './synonyms.ts'

/**
 * Reads an owner's file of synonyms. Without a file there are none.
 * @param warn called for each line that can't be used, and if the file can't be read
 */
export async function readSynonyms(
  path: string,
  warn: (message: string) => void,
): Promise<readonly SynonymGroup[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') warn(`the synonyms could not be read: ${error.message}`)
    return ''
  })
  const { groups, errors } = parseSynonyms(text)
  for (const error of errors) warn(`${path}, ${error}`)
  return groups
}
