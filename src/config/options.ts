import type { OptionError } from './errors.ts'
import { TrustedProxies } from './proxies.ts'
import * as values from './values.ts'

/** What is known of the options that were given when the default of another is settled. */
export interface DefaultContext {
  /** What was given for `registration`. */
  readonly registration: string | undefined
  /** Whether the log goes to a terminal. */
  readonly isTerminal: boolean
}

export interface Option<T = unknown> {
  /** What stands for the value in the help. */
  readonly value: string
  /** The line of help, without the default. */
  readonly help: string
  readonly parse: values.Parse<T>
  /** What holds where nothing is given, written as it would be given. */
  readonly default?: string | ((context: DefaultContext) => string)
  /** The default in words, where it is no text. */
  readonly defaultHelp?: string
  /** Never quoted, and also taken from the file that `CORKBOARD_…_FILE` names. */
  readonly isSecret?: true
  /** There is no flag, for all who share a machine can read its command lines. */
  readonly isVariableOnly?: true
}

/**
 * The options, each under the name of its value in `Config`. `baseUrl` is `--base-url` and `CORKBOARD_BASE_URL`; the
 * types, the defaults, the checks and the help all come from here.
 */
export const OPTIONS = {
  data: {
    value: 'DIR',
    help: 'the data directory',
    parse: values.nonBlank('a directory'),
    default: './data',
  },
  host: { value: 'HOST', help: 'the address to listen on', parse: values.host, default: '127.0.0.1' },
  port: {
    value: 'PORT',
    help: 'the port to listen on; 0 takes a free one',
    parse: values.port,
    default: '3000',
  },
  baseUrl: {
    value: 'URL',
    help: 'where people find the board; every link begins with it',
    parse: values.baseUrl,
    defaultHelp: 'http://HOST:PORT',
  },
  name: { value: 'TEXT', help: 'what the board is called', parse: values.name, default: 'Corkboard' },
  currency: { value: 'CODE', help: 'the currency of plan prices', parse: values.currency, default: 'USD' },
  pages: {
    value: 'on|off',
    help: 'pages for people beside the interface',
    parse: values.oneOf('on', 'off'),
    default: 'on',
  },
  pagesDir: {
    value: 'DIR',
    help: "your own templates and stylesheet, each in place of the board's",
    parse: values.readableFolder,
  },
  accent: {
    value: 'COLOUR',
    help: 'the colour of links and buttons',
    parse: values.colour,
    default: '#0d6b5e',
  },
  adminEmail: {
    value: 'EMAIL',
    help: 'the first administrator',
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
    help: 'whether people make their own accounts',
    parse: values.oneOf('open', 'closed'),
    default: 'closed',
  },
  approve: {
    value: 'none|paid|all',
    help: 'which jobs wait for approval',
    parse: values.oneOf('none', 'paid', 'all'),
    default: ({ registration }) => (registration === 'open' ? 'paid' : 'none'),
    defaultHelp: 'paid with open registration, else none',
  },
  trustProxy: {
    value: 'ADDRESSES',
    help: 'proxies whose X-Forwarded-For is believed, or none',
    parse: (text: string) => TrustedProxies.parse(text),
    default: '127.0.0.0/8,::1',
  },
  corsOrigin: {
    value: 'ORIGINS',
    help: 'sites whose pages may call: origins, or * to read',
    parse: values.origins,
    default: '*',
  },
  smtpUrl: {
    value: 'URL',
    help: 'the mail server, smtp:// or smtps://, credentials in it',
    parse: values.smtpUrl,
    defaultHelp: 'no mail',
    isSecret: true,
  },
  mailFrom: { value: 'ADDRESS', help: 'the sender of mail', parse: values.email },
  digest: {
    value: 'off|daily|weekly',
    help: 'how often subscribers hear of new jobs',
    parse: values.oneOf('off', 'daily', 'weekly'),
    default: 'weekly',
  },
  geoipDb: {
    value: 'FILE',
    help: 'a database of countries, in the format mmdb',
    parse: values.countryDatabase,
    defaultHelp: 'the embedded one',
  },
  backupDir: {
    value: 'DIR',
    help: 'where a backup goes every day, of this board alone',
    parse: values.nonBlank('a directory'),
    defaultHelp: 'none',
  },
  backupKeep: {
    value: 'N',
    help: 'how many backups are kept',
    parse: values.backupCount,
    default: '7',
  },
  backupAt: {
    value: 'HH:MM',
    help: 'when a backup is made, in UTC',
    parse: values.timeOfDay,
    default: '03:00',
  },
  tlsCert: {
    value: 'FILE',
    help: 'the certificate for HTTPS, as PEM',
    parse: values.fileText,
    defaultHelp: 'plain HTTP',
  },
  tlsKey: { value: 'FILE', help: 'the private key of the certificate, as PEM', parse: values.fileText },
  log: {
    value: 'pretty|json',
    help: 'how the log is written, to standard error',
    parse: values.oneOf('pretty', 'json'),
    default: ({ isTerminal }) => (isTerminal ? 'pretty' : 'json'),
    defaultHelp: 'pretty on a terminal, else json',
  },
  logLevel: {
    value: 'LEVEL',
    help: 'debug, info, warn or error',
    parse: values.oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
  },
} satisfies Record<string, Option>

export type OptionKey = keyof typeof OPTIONS
type Options = typeof OPTIONS
type Parsed<K extends OptionKey> = Exclude<ReturnType<Options[K]['parse']>, OptionError>

/**
 * The values of the options. `baseUrl` is undefined where none is given: with port 0 it is known only once the server
 * listens, so ask `baseUrlOf`. `tlsCert` and `tlsKey` are the PEM texts themselves; `backupAt` is in minutes after midnight UTC.
 */
export type Config = {
  readonly [K in OptionKey]: Options[K] extends { default: unknown } ? Parsed<K> : Parsed<K> | undefined
}

export const OPTION_KEYS = Object.keys(OPTIONS) as OptionKey[] // the keys of a constant are those of its type

/** The same entry, seen without what is peculiar to it. */
export const optionOf = (key: OptionKey): Option => OPTIONS[key]
