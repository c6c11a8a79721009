import { type Clock, momentText } from '../base/clock.ts'
import { errorCode, errorMessage } from '../base/error.ts'
import { AcmeError, type AcmeProblem } from './acmeProblem.ts'

const DEFAULT_ADVICE = 'The certificate authority refuses the order.'

/** What each type of problem means, and what to do. */
const ADVICE: Readonly<Record<string, (name: string) => string>> = {
  dns: name => `${name} has no address in the DNS. Add an A or AAAA record that points to this server.`,
  connection: name =>
    `The certificate authority can't connect to port 80 of ${name}. Check that the name points to this server and that no firewall blocks port 80.`,
  unauthorized: name =>
    `${name} doesn't lead to this server: something else answers on its port 80. Correct its A and AAAA records.`,
  caa: name => `A CAA record in the DNS doesn't allow this certificate authority for ${name}.`,
  rateLimited: () => 'The rate limit of the certificate authority is reached.',
  rejectedIdentifier: name => `The certificate authority doesn't issue certificates for ${name}.`,
  invalidContact: () => 'The certificate authority refuses the address of --acme-email.',
  unsupportedContact: () => 'The certificate authority refuses the address of --acme-email.',
  externalAccountRequired: () =>
    "The certificate authority requires an account that was opened with it, which isn't supported. Choose another --acme-directory.",
  serverInternal: () => 'The certificate authority has a problem of its own.',
}

/** What is wrong if the authority can't be reached, by the code of the error. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses the connection',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ENOTFOUND: "its name can't be resolved",
  EAI_AGAIN: "its name can't be resolved",
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: "it doesn't answer",
  ECONNABORTED: "it doesn't answer",
  ERR_CANCELED: 'it takes too long',
  ABORT_ERR: 'it takes too long',
  EPROTO: "it doesn't speak TLS",
}

/** Some authorities report that a name has no address as a problem of the connection. */
const UNRESOLVED = /could not resolve|NXDOMAIN|SERVFAIL/i

const TIME_CODES = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])
/** Whether a connection failed because a certificate isn't valid at the time of this machine. */
export const isAboutTime = (error: unknown) => TIME_CODES.has(errorCode(error) ?? '')

const UNTRUSTED =
  /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT_ALTNAME|INVALID_CA|HOSTNAME)/

/** The circumstances of an attempt to get a certificate. */
interface Attempt {
  /** The host of the certificate authority. */
  readonly authority: string
  readonly names: readonly string[]
  readonly clock: Clock
}

/** Explains why there is no certificate, in sentences for the person who runs the board. */
export function explain(error: unknown, attempt: Attempt): string {
  if (error instanceof AcmeError)
    return error.problems.map(problem => explainProblem(problem, attempt)).join(' ')
  const { authority, clock } = attempt
  const unreachable = `The certificate authority ${authority} can't be reached`
  const code = errorCode(error) ?? ''
  if (isTimeout(error)) return `${unreachable}: it doesn't answer.`
  if (isAboutTime(error))
    return `The certificate of the authority ${authority} isn't valid at the time of this machine, ${momentText(clock())}. If that time is wrong, correct the clock.`
  if (UNTRUSTED.test(code))
    return `The certificate of the authority ${authority} isn't trusted (${errorMessage(error)}). For an authority of your own, use --acme-ca.`
  const network = NETWORK[code]
  if (network !== undefined) return `${unreachable}: ${network}.`
  return `${errorMessage(error).replace(/\.$/, '')}.`
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

function explainProblem({ type, detail, name }: AcmeProblem, { authority, names }: Attempt): string {
  const kind = UNRESOLVED.test(detail) ? 'dns' : type
  // Without a name, it is the account that isn't authorized.
  const advise = kind === 'unauthorized' && name === undefined ? undefined : ADVICE[kind]
  const advice = advise?.(name ?? names.join(', ')) ?? DEFAULT_ADVICE
  return detail === '' ? advice : `${advice} ${authority} says: “${detail.replace(/\.$/, '')}”.`
}

/** Explains that the clock is wrong. Both times are in milliseconds since 1970. */
export const explainClock = (own: number, authority: number) =>
  `The clock of this machine is wrong: it says ${momentText(own)}, but the certificate authority says ${momentText(authority)}. Correct it, for example with "timedatectl set-ntp true".`
