import { isIP } from 'node:net'
import { OptionError } from './errors.ts'
import type { Parse } from './values.ts'

/** The number of names for which Let's Encrypt issues one certificate. */
const MAX_NAMES = 100
const MAX_LENGTH = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Accepts domain names that are separated by commas. International names become ASCII, as in certificates. */
export const domains: Parse<readonly string[]> = text => {
  const names = new Set<string>()
  for (const entry of text.split(',').map(part => part.trim())) {
    const name = domainOf(entry)
    if (name instanceof OptionError) return name
    names.add(name)
  }
  if (names.size > MAX_NAMES) return new OptionError(`must contain at most ${MAX_NAMES} names`, false)
  return [...names]
}

function domainOf(text: string): string | OptionError {
  if (text.includes('*')) return new OptionError('must not contain a wildcard: list each name')
  // URL would decode percent signs, and remove a path or a port.
  const url = /[\s%:/?#@\\]/.test(text) ? null : URL.parse(`https://${text}`)
  const name = url?.hostname.replace(/\.$/, '') ?? ''
  if (isIP(text.replaceAll(/[[\]]/g, '')) !== 0 || isIP(name) !== 0)
    return new OptionError('must contain names, not IP addresses')
  const labels = name.split('.')
  const isName = labels.length > 1 && name.length <= MAX_LENGTH && labels.every(label => LABEL.test(label))
  return isName ? name : new OptionError('must be names such as jobs.example.com, separated by commas')
}
