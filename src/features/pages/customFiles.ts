import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STYLE } from '../../assets/style.ts'
import { OWN_PAGE_FILES } from './ownPages.ts'
import { PUBLIC_FOLDER } from './publicFiles.ts'
import { BUILT_IN_TEMPLATES, type CustomFiles } from './templates.ts'

export const STYLE_FILE = 'style.css'
/** The operator's additions to the style sheet. */
export const EXTRA_STYLE_FILE = 'extra.css'

/** The texts of the built-in files that an operator can replace, by file name. */
export const BUILT_IN_FILES: CustomFiles = new Map([...BUILT_IN_TEMPLATES, [STYLE_FILE, STYLE]])

/** The names of the files that an operator can replace or add. */
const KNOWN_FILES = new Set([...BUILT_IN_FILES.keys(), EXTRA_STYLE_FILE, ...OWN_PAGE_FILES])

/**
 * Reads the files of a folder that replace built-in ones, or add to them.
 * @param onUnknown called with the names of other files
 */
export function readCustomFiles(
  folder: string | undefined,
  onUnknown: (names: string[]) => void,
): CustomFiles {
  if (folder === undefined) return new Map()
  const names = readdirSync(folder)
  const unknown = names.filter(name => !KNOWN_FILES.has(name) && name !== PUBLIC_FOLDER)
  if (unknown.length > 0) onUnknown(unknown)
  return new Map(
    names.filter(name => KNOWN_FILES.has(name)).map(name => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
