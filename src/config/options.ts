import { CLIENT_OPTIONS } from './clientOptions.ts'
import type { OptionError } from './errors.ts'
import * as files from './fileValues.ts'
import { OPERATION_OPTIONS } from './operationOptions.ts'
import type { Option } from './optionType.ts'
import { TrustedProxies } from './proxies.ts'
import { TLS_OPTIONS } from './tlsOptions.ts'
import * as values from './values.ts'

/**
 * The options by their name in `Config`. `baseUrl` is `--base-url` and `CORKBOARD_BASE_URL`. Types, defaults, checks and
 * help all come from here.
 */
export const OPTIONS = {
  data: {
    value: 'DIR',
    help: 'the data directory',
    parse: values.nonBlank('a directory'),
    default: './data',
    isPath: true,
  },
  host: {
    value: 'HOST',
    help: 'the address to listen on',
    parse: values.host,
    default: ({ domain }) => (domain === undefined ? '127.0.0.1' : '::'),
    defaultHelp: '127.0.0.1, or every address with --domain',
  },
  port: {
    value: 'PORT',
    help: 'the port to listen on; 0 picks a free one',
    parse: values.port,
    default: '3000',
  },
  baseUrl: {
    value: 'URL',
    help: 'the public URL; every link starts with it',
    parse: values.baseUrl,
    defaultHelp: 'http://HOST:PORT',
  },
  name: { value: 'TEXT', help: 'the name of the board', parse: values.name, default: 'Corkboard' },
  tagline: { value: 'TEXT', help: 'a short line below the name, on every page', parse: values.name },
  currency: { value: 'CODE', help: 'the currency of plan prices', parse: values.currency, default: 'USD' },
  pages: {
    value: 'on|off',
    help: 'whether the website is on',
    parse: values.oneOf('on', 'off'),
    default: 'on',
  },
  pagesDir: {
    value: 'DIR',
    help: 'a folder with your own templates, style sheet and public files',
    parse: files.readableFolder,
    isPath: true,
  },
  accent: {
    value: 'COLOUR',
    help: 'the colour of links and buttons',
    parse: values.colour,
    default: '#0d6b5e',
  },
  adminEmail: {
    value: 'EMAIL',
    help: "the first administrator's address",
    parse: values.accountEmail,
    defaultHelp: 'if both are unset: admin@localhost',
    isVariableOnly: true,
  },
  adminPassword: {
    value: 'TEXT',
    help: 'their password',
    parse: values.password,
    defaultHelp: 'if both are unset: generated and shown once',
    isSecret: true,
    isVariableOnly: true,
  },
  registration: {
    value: 'open|closed',
    help: 'whether people can create their own accounts',
    parse: values.oneOf('open', 'closed'),
    default: 'closed',
  },
  approve: {
    value: 'none|paid|all',
    help: 'which jobs need approval',
    parse: values.oneOf('none', 'paid', 'all'),
    default: ({ registration }) => (registration === 'open' ? 'paid' : 'none'),
    defaultHelp: 'paid with open registration, else none',
  },
  trustProxy: {
    value: 'ADDRESSES',
    help: 'proxies whose X-Forwarded-For is trusted, or none',
    parse: (text: string) => TrustedProxies.parse(text),
    default: '127.0.0.0/8,::1',
  },
  corsOrigin: {
    value: 'ORIGINS',
    help: 'sites that may call the API: origins, or * (public data only)',
    parse: values.origins,
    default: '*',
  },
  smtpUrl: {
    value: 'URL',
    help: 'the mail server: smtp:// or smtps://, with credentials',
    parse: values.smtpUrl,
    defaultHelp: 'no mail',
    isSecret: true,
  },
  mailFrom: { value: 'ADDRESS', help: 'the sender address of e-mails', parse: values.email },
  digest: {
    value: 'off|daily|weekly',
    help: 'how often subscribers get job alerts',
    parse: values.oneOf('off', 'daily', 'weekly'),
    default: 'weekly',
  },
  mailOwners: {
    value: 'on|off',
    help: 'whether owners are reminded before their jobs expire',
    parse: values.oneOf('on', 'off'),
    default: 'on',
  },
  geoipDb: {
    value: 'FILE',
    help: 'a country database in mmdb format',
    parse: files.countryDatabase,
    defaultHelp: 'the embedded one',
    isPath: true,
  },
  ...TLS_OPTIONS,
  ...OPERATION_OPTIONS,
  ...CLIENT_OPTIONS,
} satisfies Record<string, Option>

export type OptionKey = keyof typeof OPTIONS
type Options = typeof OPTIONS
type Parsed<K extends OptionKey> = Exclude<ReturnType<Options[K]['parse']>, OptionError>

/**
 * The values of the options. `baseUrl` is undefined if it isn't set: use `baseUrlOf`, because port 0 is known only once
 * the server listens. `backupAt` is in minutes after midnight UTC.
 */
export type Config = {
  readonly [K in OptionKey]: Options[K] extends { default: unknown } ? Parsed<K> : Parsed<K> | undefined
} & {
  /** The options that were given, each with the name of its flag or variable. */
  readonly given: GivenOptions
  /** The same options with their texts, as they were given. */
  readonly texts: GivenTexts
}

export type GivenOptions = ReadonlyMap<OptionKey, string>
export type GivenTexts = ReadonlyMap<OptionKey, string>

export const OPTION_KEYS = Object.keys(OPTIONS) as OptionKey[] // the keys of a constant are those of its type
/** The options of a server. */
export const SERVER_KEYS = OPTION_KEYS.filter(key => !(key in CLIENT_OPTIONS))

/** Returns an option with the general type. */
export const optionOf = (key: OptionKey): Option => OPTIONS[key]
