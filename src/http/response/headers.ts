/** The headers of every response. */
export const COMMON_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Authorization, Accept-Encoding, Origin',
  'x-content-type-options': 'nosniff',
}
/** The `Cache-Control` of files whose names change with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'
/** The `Cache-Control` of responses that everybody gets: clients ask each time whether their copy is current. */
export const REVALIDATE = 'no-cache'
/** The `Cache-Control` of responses for a single caller. */
export const PRIVATE = 'private, no-store'

export const REQUEST_ID = 'x-request-id'
