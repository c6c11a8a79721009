/** An e-mail address and a password. */
export interface BasicCredentials {
  readonly email: string
  readonly password: string
}

const BASIC = /^basic +([A-Za-z0-9+/]+)(={0,2}) *$/i
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses an `Authorization: Basic` header (RFC 7617, UTF-8, padding optional). Returns undefined for any other text. */
export function parseBasic(header: string): BasicCredentials | undefined {
  const encoded = BASIC.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = decode(encoded)
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon === -1) return undefined
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decode(base64: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}
