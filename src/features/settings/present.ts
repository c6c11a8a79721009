import { type BoardConfig, SETTING_KEYS } from '../../config/settings.ts'
import type { Links } from '../../http/response/links.ts'
import type { Settings } from './schema.ts'

/** Returns the settings as administrators see them. */
export function presentSettings(config: BoardConfig, links: Links): Settings {
  const { name, tagline = null, accent, registration, approve, digest, given } = config
  const { imprint, privacy, terms, guidelines, logo } = config
  const fixed = SETTING_KEYS.flatMap(key => {
    const option = given.get(key)
    return option === undefined ? [] : [[key, option] as const]
  })
  return {
    name,
    tagline,
    accent,
    registration,
    approve,
    digest,
    imprint,
    privacy,
    terms,
    guidelines,
    logo: links.logo(logo),
    fixed: Object.fromEntries(fixed),
  }
}
