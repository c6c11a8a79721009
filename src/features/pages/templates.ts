import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Liquid, type Template } from 'liquidjs'
import apply from '../../assets/pages/apply.liquid' with { type: 'text' }
import card from '../../assets/pages/card.liquid' with { type: 'text' }
import cards from '../../assets/pages/cards.liquid' with { type: 'text' }
import confirmation from '../../assets/pages/confirmation.liquid' with { type: 'text' }
import empty from '../../assets/pages/empty.liquid' with { type: 'text' }
import error from '../../assets/pages/error.liquid' with { type: 'text' }
import feed from '../../assets/pages/feed.liquid' with { type: 'text' }
import layout from '../../assets/pages/layout.liquid' with { type: 'text' }
import list from '../../assets/pages/list.liquid' with { type: 'text' }
import logo from '../../assets/pages/logo.liquid' with { type: 'text' }
import notice from '../../assets/pages/notice.liquid' with { type: 'text' }
import offers from '../../assets/pages/offers.liquid' with { type: 'text' }
import pager from '../../assets/pages/pager.liquid' with { type: 'text' }
import posting from '../../assets/pages/posting.liquid' with { type: 'text' }
import salary from '../../assets/pages/salary.liquid' with { type: 'text' }
import sitemap from '../../assets/pages/sitemap.liquid' with { type: 'text' }
import subscribe from '../../assets/pages/subscribe.liquid' with { type: 'text' }
import subscription from '../../assets/pages/subscription.liquid' with { type: 'text' }
import { errorMessage } from '../../base/error.ts'
import { Problem } from '../../base/problem.ts'
import { PUBLIC_FOLDER } from './publicFiles.ts'

const SUFFIX = '.liquid'

const BUILT_IN = {
  apply,
  card,
  cards,
  confirmation,
  empty,
  error,
  feed,
  layout,
  list,
  logo,
  notice,
  offers,
  pager,
  posting,
  salary,
  sitemap,
  subscribe,
  subscription,
}

/** The templates of whole documents. The others are parts of these. */
export type TemplateName =
  'list' | 'posting' | 'confirmation' | 'error' | 'notice' | 'subscribe' | 'feed' | 'sitemap'

/** The Liquid templates of the pages. Their output is escaped unless they say `| raw`. */
export class Templates {
  private readonly parsed: ReadonlyMap<string, Template[]>
  private readonly engine: Liquid

  /**
   * @param custom the operator's own templates, by file name
   * @param globals the variables of every template
   * @throws Problem 'malformed' that names the template and the line
   */
  constructor(custom: CustomFiles, globals: object) {
    const texts = Object.entries(BUILT_IN).map(([name, text]): [string, string] => [
      name,
      custom.get(`${name}${SUFFIX}`) ?? text,
    ])
    this.engine = new Liquid({
      templates: Object.fromEntries(texts),
      globals,
      outputEscape: 'escape',
      cache: true,
      strictFilters: true,
      // An unknown variable is an error in built-in templates, and blank in custom ones.
      strictVariables: custom.size === 0,
    })
    this.parsed = new Map(texts.map(([name, text]) => [name, this.parse(name, text)]))
  }

  render(name: TemplateName, view: object): string {
    return String(this.engine.renderSync(this.parsed.get(name) ?? [], view))
  }

  private parse(name: string, text: string): Template[] {
    try {
      return this.engine.parse(text, name)
    } catch (caught) {
      throw new Problem('malformed', `The template ${name}${SUFFIX} is invalid: ${errorMessage(caught)}.`)
    }
  }
}

/** The texts of files by their names. */
type CustomFiles = ReadonlyMap<string, string>

export const STYLE_FILE = 'style.css'
/** The operator's additions to the style sheet. */
export const EXTRA_STYLE_FILE = 'extra.css'

/** The names of the files that an operator can add. */
const KNOWN_FILES = [...Object.keys(BUILT_IN).map(name => `${name}${SUFFIX}`), STYLE_FILE, EXTRA_STYLE_FILE]

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
  const unknown = names.filter(name => !KNOWN_FILES.includes(name) && name !== PUBLIC_FOLDER)
  if (unknown.length > 0) onUnknown(unknown)
  return new Map(
    names
      .filter(name => KNOWN_FILES.includes(name))
      .map(name => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
