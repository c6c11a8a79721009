import { isLoopback } from '../base/address.ts'
import { baseUrlOf, type Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { FirstAdministrator } from './administrator.ts'

interface StartInfo {
  readonly config: Config
  readonly port: number
  /** The administrator who was just created. */
  readonly administrator: FirstAdministrator | undefined
  readonly withSample: boolean
  /** Whether the board has no jobs yet. */
  readonly isEmpty: boolean
  /** Whether the board has its own certificate. */
  readonly hasCertificate: boolean
}

/** Returns the message after a start: the address, a new administrator, and what to do next. */
export function startMessage(info: StartInfo): string {
  const { config, port, administrator, withSample, isEmpty, hasCertificate } = info
  const here = baseUrlOf({ ...config, baseUrl: undefined }, port)
  const lines = [`Corkboard ${version} listens on ${here} and keeps its data in ${config.data}.`]
  if (config.domain && !hasCertificate)
    lines.push(
      `It is requesting a certificate first: http://${config.domain[0]} and the log show the progress.`,
    )
  if (config.baseUrl === undefined && !config.domain && !isLoopback(config.host))
    lines.push(`Links start with ${here}. Set --base-url if people use another address.`)
  if (administrator) lines.push(...administratorLines(administrator))
  if (administrator || isEmpty) lines.push('', ...nextSteps(config, here, isEmpty))
  if (withSample) lines.push('', 'Try', ...examples(here, administrator?.email).map(line => `  ${line}`))
  return `${lines.join('\n')}\n`
}

const administratorLines = ({ email, generatedPassword: password }: FirstAdministrator) =>
  password === undefined
    ? [`Created the administrator ${email} with the configured password.`]
    : ['', 'Created an administrator. Its password is shown only once:', `  ${email}`, `  ${password}`]

function nextSteps({ pages, data }: Config, here: string, isEmpty: boolean): string[] {
  const open = pages === 'on' ? `Open ${here}/ in a browser. ` : ''
  const steps = [`${open}The API is at ${here}/docs.`]
  if (isEmpty)
    steps.push(
      'The board has no jobs yet. Sign in at /docs to create a category, an employment type, a plan and a job,',
      `or stop the server and run: corkboard import FILE --data ${data}`,
    )
  return steps
}

const examples = (here: string, email = 'admin@localhost') => [
  `curl ${here}/jobs.json`,
  `curl '${here}/jobs.json?q=nurse'`,
  `curl -u ${email} ${here}/categories.json`,
]
