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
  const mistakes: string[] = []
  for (const [one, other] of PAIRS)
    if (given.has(one) !== given.has(other)) {
      const [there, missing] = given.has(one) ? [one, other] : [other, one]
      mistakes.push(`${nameOf(there)} is of use only together with ${nameOf(missing)}.`)
    }
  if (values.registration === 'open' && !given.has('smtpUrl')) mistakes.push(OPEN_NEEDS_MAIL)
  if (values.tlsCert !== undefined && values.tlsKey !== undefined)
    mistakes.push(...keyMistakes(values.tlsCert, values.tlsKey))
  return mistakes
}

const OPEN_NEEDS_MAIL = `${nameOf('registration')} open needs ${nameOf('smtpUrl')}, to confirm addresses.`

function keyMistakes(certText: string, keyText: string): string[] {
  const certificate = attempt(() => new X509Certificate(certText))
  const key = attempt(() => createPrivateKey(keyText))
  const mistakes: string[] = []
  if (!certificate) mistakes.push(`${nameOf('tlsCert')} names a file that holds no certificate.`)
  if (!key) mistakes.push(`${nameOf('tlsKey')} names a file that holds no private key without a passphrase.`)
  if (certificate && key && !certificate.checkPrivateKey(key))
    mistakes.push(`${nameOf('tlsKey')} is not the key of the certificate that ${nameOf('tlsCert')} names.`)
  return mistakes
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
