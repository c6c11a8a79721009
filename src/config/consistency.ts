import { createPrivateKey, X509Certificate } from 'node:crypto'
import { nameOf } from './names.ts'
import type { Config, OptionKey } from './options.ts'

const PAIRS: readonly (readonly [OptionKey, OptionKey])[] = [
  ['tlsCert', 'tlsKey'],
  ['adminEmail', 'adminPassword'],
  ['smtpUrl', 'mailFrom'],
]

/** A sentence for each way in which options that are right on their own do not go together. */
export function consistencyErrors(given: ReadonlySet<OptionKey>, values: Partial<Config>): string[] {
  const errors: string[] = []
  for (const [one, other] of PAIRS)
    if (given.has(one) !== given.has(other)) {
      const [there, missing] = given.has(one) ? [one, other] : [other, one]
      errors.push(`${nameOf(there)} is of use only together with ${nameOf(missing)}.`)
    }
  if (values.registration === 'open' && !given.has('smtpUrl')) errors.push(OPEN_REQUIRES_MAIL)
  if (values.tlsCert !== undefined && values.tlsKey !== undefined)
    errors.push(...keyErrors(values.tlsCert, values.tlsKey))
  return errors
}

const OPEN_REQUIRES_MAIL = `${nameOf('registration')} open needs ${nameOf('smtpUrl')}, to confirm addresses.`

function keyErrors(certText: string, keyText: string): string[] {
  const certificate = tryTo(() => new X509Certificate(certText))
  const key = tryTo(() => createPrivateKey(keyText))
  const errors: string[] = []
  if (!certificate) errors.push(`${nameOf('tlsCert')} names a file that holds no certificate.`)
  if (!key) errors.push(`${nameOf('tlsKey')} names a file that holds no private key without a passphrase.`)
  if (certificate && key && !certificate.checkPrivateKey(key))
    errors.push(`${nameOf('tlsKey')} is not the key of the certificate that ${nameOf('tlsCert')} names.`)
  return errors
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
