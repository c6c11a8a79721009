import { Liquid } from 'liquidjs'
import { ADMIN_TEMPLATES } from '../../assets/admin.ts'
import { DESK_TEMPLATES } from '../../assets/desk.ts'
import apply from '../../assets/pages/apply.liquid' with { type: 'text' }
import card from '../../assets/pages/card.liquid' with { type: 'text' }
import cards from '../../assets/pages/cards.liquid' with { type: 'text' }
import confirmation from '../../assets/pages/confirmation.liquid' with { type: 'text' }
import document from '../../assets/pages/document.liquid' with { type: 'text' }
import empty from '../../assets/pages/empty.liquid' with { type: 'text' }
import error from '../../assets/pages/error.liquid' with { type: 'text' }
import feed from '../../assets/pages/feed.liquid' with { type: 'text' }
import layout from '../../assets/pages/layout.liquid' with { type: 'text' }
import list from '../../assets/pages/list.liquid' with { type: 'text' }
import logo from '../../assets/pages/logo.liquid' with { type: 'text' }
import menu from '../../assets/pages/menu.liquid' with { type: 'text' }
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

const SUFFIX = '.liquid'

/** The built-in templates by name. */
const BUILT_IN = {
  apply,
  card,
  cards,
  confirmation,
  document,
  empty,
  error,
  feed,
  layout,
  list,
  logo,
  menu,
  notice,
  offers,
  pager,
  posting,
  salary,
  sitemap,
  subscribe,
  subscription,
  ...DESK_TEMPLATES,
  ...ADMIN_TEMPLATES,
}

/** The texts of files by their names. */
export type CustomFiles = ReadonlyMap<string, string>

/** The texts of the built-in templates by file name. */
export const BUILT_IN_TEMPLATES: CustomFiles = new Map(
  Object.entries(BUILT_IN).map(([name, text]) => [`${name}${SUFFIX}`, text]),
)

/** The templates of whole documents. The others are parts of these. */
export type TemplateName =
  | 'list'
  | 'posting'
  | 'confirmation'
  | 'document'
  | 'error'
  | 'notice'
  | 'subscribe'
  | 'feed'
  | 'sitemap'
  | keyof typeof DESK_TEMPLATES
  | keyof typeof ADMIN_TEMPLATES

/** The Liquid templates of the pages. Their output is escaped unless they say `| raw`. */
export class Templates {
  private readonly engine: Liquid

  /**
   * @param custom the operator's own templates, by file name
   * @throws Problem 'malformed' that names the template and the line
   */
  constructor(custom: CustomFiles) {
    const texts = Object.entries(BUILT_IN).map(([name, text]): [string, string] => [
      name,
      custom.get(`${name}${SUFFIX}`) ?? text,
    ])
    this.engine = new Liquid({
      templates: Object.fromEntries(texts),
      outputEscape: 'escape',
      cache: true,
      strictFilters: true,
      // An unknown variable is an error in built-in templates, and blank in custom ones.
      strictVariables: ![...custom.keys()].some(name => BUILT_IN_TEMPLATES.has(name)),
    })
    // The others are parsed when they are first rendered.
    for (const [name] of texts) if (custom.has(`${name}${SUFFIX}`)) this.parse(name)
  }

  /** @param globals the variables of the template and of all its parts */
  render(name: TemplateName, view: object, globals: object): string {
    return String(this.engine.renderFileSync(name, view, { globals }))
  }

  private parse(name: string) {
    try {
      this.engine.parseFileSync(name)
    } catch (caught) {
      throw new Problem('malformed', `The template ${name}${SUFFIX} is invalid: ${errorMessage(caught)}.`)
    }
  }
}
