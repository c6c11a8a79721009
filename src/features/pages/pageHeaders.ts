/** Allows nothing from other hosts, and no script, style or form in a job's text. */
export const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Companies see which board their applicants come from, but not the search.
  'referrer-policy': 'strict-origin-when-cross-origin',
  // The header shows who is signed in.
  vary: 'Authorization, Cookie, Accept-Encoding, Origin',
}

/** The headers of pages whose paths return JSON to programs. */
export const NEGOTIATED_HEADERS = { ...HEADERS, vary: `Accept, ${HEADERS.vary}` }

/** The address of the page contains a token, which other sites must not see. */
export const CONFIRMATION_HEADERS = { ...NEGOTIATED_HEADERS, 'referrer-policy': 'same-origin' }
