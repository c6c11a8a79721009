import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { isCertificate } from './fileValues.ts'
import { nameOf } from './names.ts'
import type { Config, OptionKey } from './options.ts'

const PAIRS: readonly (readonly [OptionKey, OptionKey])[] = [
  ['tlsCert', 'tlsKey'],
  ['adminEmail', 'adminPassword'],
  ['smtpUrl', 'mailFrom'],
]

/** Returns an error for each combination of options that doesn't work. */
export function consistencyErrors(given: ReadonlySet<OptionKey>, values: Partial<Config>): string[] {
  const errors: string[] = []
  for (const [one, other] of PAIRS)
    if (given.has(one) !== given.has(other)) {
      const [present, missing] = given.has(one) ? [one, other] : [other, one]
      errors.push(`${nameOf(present)} requires ${nameOf(missing)}.`)
    }
  if (given.has('backupS3') && !given.has('s3KeyFile'))
    errors.push(`${nameOf('backupS3')} requires ${nameOf('s3KeyFile')}.`)
  if (values.registration === 'open' && !given.has('smtpUrl')) errors.push(OPEN_REQUIRES_MAIL)
  if (values.tlsCert !== undefined && values.tlsKey !== undefined)
    errors.push(...keyErrors(values.tlsCert.text, values.tlsKey.text))
  return [...errors, ...domainErrors(given, values)]
}

/** The options that have no effect without a domain. */
const WITH_DOMAIN = ['httpsPort', 'httpPort', 'acmeEmail', 'acmeDirectory', 'acmeCa'] as const
/** The options that a domain replaces, each with the reason. */
const WITHOUT_DOMAIN: readonly (readonly [OptionKey, string])[] = [
  ['port', `which listens on ${nameOf('httpsPort')} and ${nameOf('httpPort')}`],
  ['tlsCert', 'which gets its own certificate'],
  ['tlsKey', 'which gets its own certificate'],
]

function domainErrors(given: ReadonlySet<OptionKey>, values: Partial<Config>): string[] {
  const option = nameOf('domain')
  if (!given.has('domain'))
    return WITH_DOMAIN.filter(key => given.has(key)).map(key => `${nameOf(key)} requires ${option}.`)
  const errors = WITHOUT_DOMAIN.filter(([key]) => given.has(key)).map(
    ([key, reason]) => `${nameOf(key)} can't be used with ${option}, ${reason}.`,
  )
  if (values.httpsPort !== undefined && values.httpsPort === values.httpPort)
    errors.push(`${nameOf('httpsPort')} and ${nameOf('httpPort')} must be different.`)
  const { baseUrl, domain: [first] = [] } = values
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  if (base && first !== undefined && (base.protocol !== 'https:' || base.hostname !== first))
    errors.push(`${nameOf('baseUrl')} must be https://${first}, the first name of ${option}.`)
  return errors
}

const OPEN_REQUIRES_MAIL = `${nameOf('registration')} open requires ${nameOf('smtpUrl')}, to confirm addresses.`

/** Returns the errors of a certificate and its key, both as PEM. */
export function keyErrors(certText: string, keyText: string): string[] {
  const certificate = isCertificate(certText) ? new X509Certificate(certText) : undefined
  const key = tryTo(() => createPrivateKey(keyText))
  const errors: string[] = []
  if (!certificate) errors.push(`${nameOf('tlsCert')} must name a PEM file with a certificate.`)
  if (!key) errors.push(`${nameOf('tlsKey')} must name a PEM file with a private key that has no passphrase.`)
  if (certificate && key && !certificate.checkPrivateKey(key))
    errors.push(`${nameOf('tlsKey')} doesn't match the certificate of ${nameOf('tlsCert')}.`)
  // This also reads the rest of the chain.
  if (errors.length === 0 && !tryTo(() => createSecureContext({ cert: certText, key: keyText })))
    errors.push(`${nameOf('tlsCert')} contains something that can't be read as a certificate.`)
  return errors
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
