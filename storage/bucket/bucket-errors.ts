/** Errors of a bucket. Each has one sentence for the person who runs the server, and another for callers. */
import { StorageFault } from '../storage-fault.ts'

/** Why a request failed. A `passing` failure may be gone soon. */
export type BucketFailure = 'passing' | 'refused' | 'full'

/** An error whose message is for the person who runs the server. */
export class BucketError extends Error {
  readonly failure: BucketFailure

  constructor(failure: BucketFailure, expected: string, found: string, next: string) {
    super(`Expected ${expected}, found ${found}; ${next}.`)
    this.name = 'BucketError'
    this.failure = failure
  }
}

const FOR_CALLERS = {
  passing: [
    'STORAGE_UNAVAILABLE',
    'Expected the storage of files to answer, found that it does not; nothing was written, try again soon.',
  ],
  refused: [
    'STORAGE_UNAVAILABLE',
    'Expected the storage of files to serve this server, found that it refuses to; nothing was written. Ask the person who runs the server to read its log, then try again.',
  ],
  full: [
    'STORAGE_FULL',
    'Expected room in the storage of files, found it full; nothing was written. Ask the person who runs the server to free some, then try again.',
  ],
} as const

/** The error with a message for callers. Other errors are returned unchanged. */
export function toStorageFault(error: unknown): unknown {
  if (!(error instanceof BucketError)) return error
  const [code, message] = FOR_CALLERS[error.failure]
  return new StorageFault(code, message, error)
}

/** The error for a missing or incomplete response. @param host  host of the bucket */
export function connectionFailed(host: string, error: unknown): BucketError {
  if (error instanceof BucketError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const found = code ?? message.replace(/\.$/, '')
  const expected = `the storage of files at ${host} to answer`
  if (/CERT|TLS|SSL|ALTNAME/.test(found)) {
    return new BucketError(
      'refused',
      `a certificate of ${host} that this machine trusts`,
      found,
      'see NODE_EXTRA_CA_CERTS',
    )
  }
  return new BucketError('passing', expected, found, 'check --files-bucket and the network')
}

/** @param found  the part that did not arrive in time */
export const tooSlow = (host: string, found: string): BucketError =>
  new BucketError(
    'passing',
    `the storage of files at ${host} to answer in time`,
    found,
    'check --files-bucket and the network',
  )

/** Error codes of full storage, in Ceph and in MinIO. Status 507 means the same. */
const FULL: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'])

/**
 * Error codes for bytes that changed or stopped on their way, and for requests that collided. Sources: Amazon S3 API
 * Reference, Error responses; the error codes of MinIO and Ceph.
 */
const PASSING: ReadonlySet<string> = new Set([
  ...['BadDigest', 'IncompleteBody', 'OperationAborted', 'RequestTimeout', 'XAmzContentSHA256Mismatch'],
])

export interface BucketAnswer {
  /** The address of the bucket. */
  url: string
  status: number
  /** The beginning of the body. Source: Amazon S3 API Reference, Error responses. */
  body: string
  headers: NodeJS.Dict<string | string[]>
}

/** The error for a response with an error status. A missing object is not an error; see bucket.ts. */
export function answeredError({ url, status, body, headers }: BucketAnswer): BucketError {
  const code = errorCode(body)
  const found = `${status}${code === '' ? '' : ` ${code}`}`
  if (status === 507 || FULL.has(code)) return new BucketError('full', `room in ${url}`, found, 'make some')
  if (code === 'NoSuchBucket') {
    return new BucketError('refused', `the bucket ${url}`, 'none of this name', 'make it, or correct --files-bucket')
  }
  const region = String(headers['x-amz-bucket-region'] ?? elementOf('Region', body))
  if (status >= 300 && status < 500 && region !== '') {
    return new BucketError(
      'refused',
      `${url} in the region of AWS_REGION`,
      `it in ${region}`,
      `set AWS_REGION=${region}`,
    )
  }
  if (status >= 300 && status < 400) {
    return new BucketError(
      'refused',
      `an answer of ${url}`,
      `a redirect (${found}), which is not followed`,
      'name the address that it leads to as --files-bucket',
    )
  }
  if (code === 'RequestTimeTooSkewed') {
    return new BucketError('refused', `the time of ${url}`, 'another on this machine', 'set its clock')
  }
  if (status === 401 || status === 403) {
    return new BucketError(
      'refused',
      `credentials that may read, write and delete in ${url}`,
      `them refused (${found})`,
      'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the policy of the bucket',
    )
  }
  if (status >= 500 || status === 429 || status === 408 || PASSING.has(code)) {
    return new BucketError('passing', `${url} to do as it is asked`, found, 'try again soon')
  }
  return new BucketError('refused', `${url} to do as it is asked`, found, 'check that it is S3-compatible storage')
}

/** The code in the body of an error; empty if there is none. */
export const errorCode = (body: string): string => elementOf('Code', body)

/** The text of an XML element that contains a single word; empty if there is none. */
const elementOf = (name: string, xml: string): string =>
  new RegExp(`<${name}>\\s*([\\w-]{1,100})\\s*</${name}>`).exec(xml)?.[1] ?? ''
