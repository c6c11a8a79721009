import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLIC_FOLDER } from './publicFiles.ts'
import type { CustomFiles } from './templates.ts'

/** A page that the operator wrote. */
export interface OwnPage {
  readonly path: string
  readonly title: string
  readonly html: string
}

/** The titles of the pages that an operator can add as Markdown, by file name. A heading of the first level replaces them. */
const TITLES: Readonly<Record<string, string>> = {
  'imprint.md': 'Imprint',
  'privacy.md': 'Privacy',
  'terms.md': 'Terms of use',
}
export const OWN_PAGE_FILES = Object.keys(TITLES)

const MARKDOWN = { autolinks: true }
const FIRST_HEADING = /^\s*# +(.+?) *#* *(?:\r?\n|$)/

/** Renders the operator's own pages. Unlike a job's description, their Markdown is trusted, as templates are. */
export const ownPagesIn = (custom: CustomFiles): OwnPage[] =>
  Object.entries(TITLES).flatMap(([file, fallback]) => {
    const text = custom.get(file)
    if (text === undefined) return []
    const [heading = '', title = fallback] = FIRST_HEADING.exec(text) ?? []
    const html = Bun.markdown.html(text.slice(heading.length), MARKDOWN)
    return [{ path: `/${file.replace('.md', '')}`, title, html }]
  })

const LOGO_FILES = ['logo.svg', 'logo.png', 'logo.webp', 'logo.jpg']

/** Returns the path of the operator's logo in the folder of public files, or empty if there is none. */
export function ownLogoPath(pagesDir: string | undefined): string {
  if (pagesDir === undefined) return ''
  const name = LOGO_FILES.find(file => existsSync(join(pagesDir, PUBLIC_FOLDER, file)))
  return name === undefined ? '' : `/${name}`
}
