import { baseUrlOf, type Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { FirstAdministrator } from './administrator.ts'

interface StartInfo {
  readonly config: Config
  readonly port: number
  /** The one who was made just now. */
  readonly administrator: FirstAdministrator | undefined
  readonly withSample: boolean
}

/** What the one who starts a board is told: where it is, who may sign in, what to try. */
export function startMessage({ config, port, administrator, withSample }: StartInfo): string {
  const here = baseUrlOf({ ...config, baseUrl: undefined }, port)
  const lines = [`Corkboard ${version} listens on ${here} and keeps its data in ${config.data}.`]
  if (config.baseUrl === undefined && !isLoopback(config.host))
    lines.push(`Its links begin with ${here}; give --base-url if people reach it by another name.`)
  if (administrator) lines.push(...administratorLines(administrator))
  if (withSample) lines.push('', 'Try', ...examples(here, administrator?.email).map(line => `  ${line}`))
  return `${lines.join('\n')}\n`
}

const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/i.test(host)

const administratorLines = ({ email, generatedPassword: password }: FirstAdministrator) =>
  password === undefined
    ? [`The first administrator is ${email}, with the configured password.`]
    : ['', 'The first administrator, whose password is shown this once:', `  ${email}`, `  ${password}`]

const examples = (here: string, email = 'admin@localhost') => [
  `curl ${here}/jobs.json`,
  `curl '${here}/jobs.json?q=nurse'`,
  `curl -u ${email} ${here}/categories.json`,
]
