import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BoardConfig, TextKey } from '../../config/settings.ts'
import { PUBLIC_FOLDER } from './publicFiles.ts'
import type { CustomFiles } from './templates.ts'

/** A page that the operator wrote. */
export interface OwnPage {
  readonly path: string
  readonly title: string
  readonly html: string
}

/** The titles of the pages that an operator can add as Markdown, by path. A heading of the first level replaces them. */
const TITLES = { imprint: 'Imprint', privacy: 'Privacy', terms: 'Terms of use' }
export const OWN_PAGE_FILES = Object.keys(TITLES).map(path => `${path}.md`)

const MARKDOWN = { autolinks: true }
const FIRST_HEADING = /^\s*# +(.+?) *#* *(?:\r?\n|$)/

/**
 * Renders the operator's own pages, from files or else from the settings. Unlike a job's description, their Markdown is
 * trusted, as templates are.
 */
export const ownPagesIn = (custom: CustomFiles, settings: Pick<BoardConfig, TextKey>): OwnPage[] =>
  Object.entries(TITLES).flatMap(([key, fallback]) => {
    const text = custom.get(`${key}.md`) ?? settings[key as TextKey]
    if (text === null) return []
    const [heading = '', title = fallback] = FIRST_HEADING.exec(text) ?? []
    const html = Bun.markdown.html(text.slice(heading.length), MARKDOWN)
    return [{ path: `/${key}`, title, html }]
  })

const LOGO_FILES = ['logo.svg', 'logo.png', 'logo.webp', 'logo.jpg']

/** Returns the path of the operator's logo in the folder of public files, or empty if there is none. */
export function ownLogoPath(pagesDir: string | undefined): string {
  if (pagesDir === undefined) return ''
  const name = LOGO_FILES.find(file => existsSync(join(pagesDir, PUBLIC_FOLDER, file)))
  return name === undefined ? '' : `/${name}`
}
