import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Liquid, type Template } from 'liquidjs'
import card from '../../assets/pages/card.liquid' with { type: 'text' }
import cards from '../../assets/pages/cards.liquid' with { type: 'text' }
import feed from '../../assets/pages/feed.liquid' with { type: 'text' }
import layout from '../../assets/pages/layout.liquid' with { type: 'text' }
import list from '../../assets/pages/list.liquid' with { type: 'text' }
import logo from '../../assets/pages/logo.liquid' with { type: 'text' }
import notice from '../../assets/pages/notice.liquid' with { type: 'text' }
import posting from '../../assets/pages/posting.liquid' with { type: 'text' }
import refusal from '../../assets/pages/refusal.liquid' with { type: 'text' }
import sitemap from '../../assets/pages/sitemap.liquid' with { type: 'text' }
import subscribe from '../../assets/pages/subscribe.liquid' with { type: 'text' }
import subscription from '../../assets/pages/subscription.liquid' with { type: 'text' }
import { Problem } from '../../base/problem.ts'

const SUFFIX = '.liquid'

const BUILT_IN = {
  card,
  cards,
  feed,
  layout,
  list,
  logo,
  notice,
  posting,
  refusal,
  sitemap,
  subscribe,
  subscription,
}

/** The templates that are rendered as they are; the others are parts of these. */
export type TemplateName = 'list' | 'posting' | 'refusal' | 'notice' | 'subscribe' | 'feed' | 'sitemap'

/** The templates of the pages, in Liquid. Whatever they show is escaped, unless they say `| raw`. */
export class Templates {
  private readonly parsed: ReadonlyMap<string, Template[]>
  private readonly engine: Liquid

  /**
   * @param own the files of the folder with templates of the operator's own, by their names
   * @param globals what every template knows
   * @throws Problem 'malformed' that names the template and the line
   */
  constructor(own: CustomFiles, globals: object) {
    const texts = Object.entries(BUILT_IN).map(([name, text]): [string, string] => [
      name,
      own.get(`${name}${SUFFIX}`) ?? text,
    ])
    this.engine = new Liquid({
      templates: Object.fromEntries(texts),
      globals,
      outputEscape: 'escape',
      cache: true,
      strictFilters: true,
      // our own mistakes are to be found; in another's template a name too many is left blank
      strictVariables: own.size === 0,
    })
    this.parsed = new Map(texts.map(([name, text]) => [name, this.parse(name, text)]))
  }

  render(name: TemplateName, view: object): string {
    return String(this.engine.renderSync(this.parsed.get(name) ?? [], view))
  }

  private parse(name: string, text: string): Template[] {
    try {
      return this.engine.parse(text, name)
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      throw new Problem('malformed', `The template ${name}${SUFFIX} can't be read: ${cause}.`)
    }
  }
}

/** Files by their names. */
export type CustomFiles = ReadonlyMap<string, string>

/** The names of the files that take the place of the board's. */
const REPLACEABLE = [...Object.keys(BUILT_IN).map(name => `${name}${SUFFIX}`), 'style.css']

/**
 * Reads the files of a folder that take the place of the board's own.
 * @param strange told of the files that are none of these
 */
export function readCustomFiles(folder: string | undefined, strange: (names: string[]) => void): CustomFiles {
  if (folder === undefined) return new Map()
  const names = readdirSync(folder)
  const others = names.filter(name => !REPLACEABLE.includes(name))
  if (others.length > 0) strange(others)
  return new Map(
    names
      .filter(name => REPLACEABLE.includes(name))
      .map(name => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
