import { type Config, type OptionKey, OPTIONS } from './options.ts'

/** The options that administrators can also change while the board runs. */
export const SETTING_KEYS = [
  'name',
  'tagline',
  'accent',
  'registration',
  'approve',
  'digest',
] as const satisfies OptionKey[]
export type SettingKey = (typeof SETTING_KEYS)[number]

/** The texts in Markdown that administrators can write. */
const TEXT_KEYS = ['imprint', 'privacy', 'terms', 'guidelines'] as const
export type TextKey = (typeof TEXT_KEYS)[number]

/** What administrators have set, each null if they haven't. Options that are given at the start override it. */
export type StoredSettings = {
  readonly [K in SettingKey]: Exclude<Config[K], undefined> | null
} & { readonly [K in TextKey]: string | null } & {
  /** The name of a file in `logos/`, `''` if there is none. */
  readonly logo: string
}

export const NO_SETTINGS: StoredSettings = {
  name: null,
  tagline: null,
  accent: null,
  registration: null,
  approve: null,
  digest: null,
  imprint: null,
  privacy: null,
  terms: null,
  guidelines: null,
  logo: '',
}

/** The configuration of a running board. */
export type BoardConfig = Config & { readonly [K in TextKey]: string | null } & { readonly logo: string }

/** Returns the configuration of a running board: options that were given, then settings, then defaults. */
export function withSettings(config: Config, stored: StoredSettings): BoardConfig {
  const settings = SETTING_KEYS.filter(key => stored[key] !== null && !config.given.has(key))
  const merged = { ...config, ...Object.fromEntries(settings.map(key => [key, stored[key]])) }
  // Open registration has to confirm addresses.
  const registration = merged.smtpUrl === undefined ? 'closed' : merged.registration
  const hasApprove = config.given.has('approve') || stored.approve !== null
  const approve = hasApprove ? merged.approve : defaultApproval(registration)
  const { imprint, privacy, terms, guidelines, logo } = stored
  return { ...merged, registration, approve, imprint, privacy, terms, guidelines, logo }
}

function defaultApproval(registration: Config['registration']): Config['approve'] {
  const { default: text, parse } = OPTIONS.approve
  return parse(text({ registration, domain: undefined, isTerminal: false })) as Config['approve'] // a default is valid
}
