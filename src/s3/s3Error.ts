/** A request to an S3 server failed for good. The message is a sentence for the person who runs the board. */
export class S3Error extends Error {
  /**
   * @param serverCode the server's code, or else the status or the system's error code. It isn't named `code`, so that nobody
   * takes this for a system error about a file
   */
  constructor(
    message: string,
    readonly serverCode: string,
  ) {
    super(message)
    this.name = 'S3Error'
  }
}

/** Explanations of the codes that a person can do something about. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "the server doesn't know the key id in --s3-key-file",
  SignatureDoesNotMatch: 'the secret in --s3-key-file is wrong',
  Forbidden: 'the key in --s3-key-file is wrong, or not allowed to do this',
  AccessDenied: "the key in --s3-key-file isn't allowed to do this",
  RequestTimeTooSkewed: "this machine's clock is wrong",
  NoSuchKey: 'there is no such file',
  QuotaExceeded: 'the storage is full',
  InsufficientStorage: 'the storage is full',
  XMinioStorageFull: 'the storage is full',
  PermanentRedirect: 'the bucket is in another region, whose server --s3-endpoint must name',
  AuthorizationHeaderMalformed: 'the bucket is in another region, whose server --s3-endpoint must name',
  ECONNREFUSED: "it can't be reached: nothing listens there",
  ConnectionRefused: "it can't be reached: nothing listens there",
  ENOTFOUND: "it can't be reached: there is no such host",
  ECONNRESET: 'it closed the connection',
  TimeoutError: "it didn't respond in time",
}
const FULL = 507

interface Failure {
  readonly host: string
  readonly bucket: string
  readonly code: string
  /** The status of the response, if there is one. */
  readonly status?: number
  readonly details?: string | undefined
}

/** Returns the error for a failed request. */
export function s3ErrorOf({ host, bucket, code, status, details }: Failure): S3Error {
  const known = code === 'NoSuchBucket' ? `the bucket "${bucket}" doesn't exist` : REASONS[code]
  const full = status === FULL ? REASONS['InsufficientStorage'] : undefined
  const facts = [status === undefined ? '' : `status ${status}`, code, details ?? ''].filter(Boolean)
  const reason = known ?? full ?? `it reports ${facts.join(', ')}`
  return new S3Error(`The S3 server ${host} failed: ${reason.replace(/\.$/, '')}.`, code)
}
