import { createHash, createHmac } from 'node:crypto'

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
/** In milliseconds, how far a client's clock may be off. */
const MAX_SKEW = 15 * 60 * 1000

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** A code of S3 for why a request is refused. */
export type Refusal =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch'

/**
 * Verifies a request's signature (AWS Signature Version 4) and the hash of its body. Written from the specification and
 * independent of the client.
 */
export function refusalOf(
  request: Request,
  body: Uint8Array,
  keys: Readonly<Record<string, string>>,
): Refusal | undefined {
  const [, id = '', day = '', region = '', signed = '', signature] =
    AUTHORIZATION.exec(request.headers.get('authorization') ?? '') ?? []
  if (signature === undefined) return 'AccessDenied'
  const secret = keys[id]
  if (secret === undefined) return 'InvalidAccessKeyId'
  const time = request.headers.get('x-amz-date') ?? ''
  const parsed = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - parsed) < MAX_SKEW)) return 'RequestTimeTooSkewed'
  const names = signed.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every(name => names.includes(name)))
    return 'AccessDenied'
  const payload = request.headers.get('x-amz-content-sha256') ?? ''
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(request, names, payload))].join('\n')
  const key = ['s3', 'aws4_request'].reduce<Buffer>(hmac, hmac(hmac(`AWS4${secret}`, day), region))
  if (createHmac('sha256', key).update(text).digest('hex') !== signature) return 'SignatureDoesNotMatch'
  return payload === 'UNSIGNED-PAYLOAD' || payload === sha256(body) ? undefined : 'XAmzContentSHA256Mismatch'
}

function canonicalRequest({ method, url, headers }: Request, names: readonly string[], payload: string) {
  const { pathname, search } = new URL(url)
  const query = [...new URLSearchParams(search)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('&')
  const lines = names.map(name => `${name}:${(headers.get(name) ?? '').trim().replace(/ +/g, ' ')}\n`)
  return [method, pathname, query, lines.join(''), names.join(';'), payload].join('\n')
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
