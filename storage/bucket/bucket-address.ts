/** The address of a bucket, `https://host/bucket/prefix`, and the credentials for it, from the environment. */
import { ScriptoriumError } from '../../src/base/errors.ts'
import { isLoopbackHost } from '../../src/base/loopback.ts'

export interface BucketAddress {
  /** URL of the bucket, without a slash at the end. */
  url: string
  /** Prefix of the names of all objects: empty, or with a slash at its end. */
  prefix: string
}

export interface BucketCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  /** If absent, it is derived from the host name. */
  region?: string
}

/** Only characters that are signed without escaping. */
const PATH = /^\/[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*\/?$/

/** @throws VALIDATION_ERROR for text that is not such an address, and for http to another machine */
export function parseBucketAddress(text: string): BucketAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalidAddress('another form')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidAddress('credentials in it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) throw invalidAddress('http to another machine')
  if (!PATH.test(url.pathname)) throw invalidAddress('no bucket, or characters besides A–Z, a–z, 0–9, ., _ and -')
  const [bucket = '', ...prefix] = url.pathname.split('/').filter((part) => part !== '')
  return { url: `${url.origin}/${bucket}`, prefix: prefix.map((part) => `${part}/`).join('') }
}

/** @throws VALIDATION_ERROR if a key is missing */
export function readBucketCredentials(env: NodeJS.ProcessEnv = process.env): BucketCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    const missing = AWS_ACCESS_KEY_ID ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'
    throw new ScriptoriumError(
      'VALIDATION_ERROR',
      `Expected the credentials of the bucket in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, found no ${missing}; set it.`,
    )
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    ...(AWS_REGION && { region: AWS_REGION }),
  }
}

const invalidAddress = (found: string): ScriptoriumError =>
  new ScriptoriumError(
    'VALIDATION_ERROR',
    `Expected the address of a bucket, such as https://s3.eu-west-1.amazonaws.com/bucket/prefix (http on this machine alone), found ${found}.`,
  )
