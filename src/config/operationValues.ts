import { OptionError } from './errors.ts'
import { textFile } from './fileValues.ts'
import { baseUrl, type Parse } from './values.ts'

const MIN_TOKEN_LENGTH = 16
const BEARER_TOKEN = /^[\w.~+/-]+=*$/

/** Accepts a token that can be sent as a Bearer token (RFC 6750) and that nobody can guess. */
export const bearerToken: Parse<string> = text =>
  text.length >= MIN_TOKEN_LENGTH && BEARER_TOKEN.test(text)
    ? text
    : new OptionError(
        `must be at least ${MIN_TOKEN_LENGTH} letters, digits or -._~+/ such as "openssl rand -hex 24" prints`,
      )

/** Where backups are in an S3 server. */
export interface S3Location {
  readonly bucket: string
  /** The beginning of all names, which ends in a slash unless it is empty. */
  readonly prefix: string
  /** The name of one object, after the prefix; `''` if none is named. */
  readonly file: string
}

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/

/** Parses the URL of a folder in a bucket, or of a backup in it (`….tar` or `….tar.enc`). */
export const s3Url: Parse<S3Location> = text => {
  const [, bucket, path = ''] = S3_URL.exec(text) ?? []
  const segments = path.split('/').filter(segment => segment !== '')
  if (bucket === undefined || segments.some(segment => /^\.+$/.test(segment)))
    return new OptionError(
      'must be a bucket, and a folder in it if you want, such as s3://backups/jobs, of letters, digits, dots, - and _',
    )
  const file = /\.tar(\.enc)?$/.test(path) ? (segments.pop() ?? '') : ''
  return { bucket, prefix: segments.map(segment => `${segment}/`).join(''), file }
}

/** Accepts the URL of a folder in a bucket. */
export const s3Location: Parse<S3Location> = text => {
  const location = s3Url(text)
  return location instanceof OptionError || location.file === ''
    ? location
    : new OptionError('must be a folder, not a file')
}

/** Parses the URL of an S3 server, without a bucket. */
export const s3Endpoint: Parse<string> = text => {
  const path = URL.parse(text)?.pathname ?? '/'
  return path === '/' || path === ''
    ? baseUrl(text)
    : new OptionError(
        'must not contain a path: the bucket belongs in s3://BUCKET/PREFIX',
        !text.includes('@'), // it may contain a password
      )
}

/** Reads a key file of an S3 server. The value never appears in messages. */
export const s3Key: Parse<{ readonly id: string; readonly secret: string }> = path => {
  const file = textFile(path)
  if (file instanceof OptionError) return file
  const [id, secret, ...others] = file.text.split(/\s+/).filter(Boolean)
  return id === undefined || secret === undefined || others.length > 0
    ? new OptionError('must name a file with two lines: the id of a key and its secret')
    : { id, secret }
}

const BACKUP_KEY = /^[0-9a-f]{64}$/i

/** Reads the key file of encrypted backups. */
export const backupKey: Parse<Buffer> = path => {
  const file = textFile(path)
  if (file instanceof OptionError) return file
  return BACKUP_KEY.test(file.text.trim())
    ? Buffer.from(file.text.trim(), 'hex')
    : new OptionError('must name a file with 64 hexadecimal digits, such as "openssl rand -hex 32" prints')
}
