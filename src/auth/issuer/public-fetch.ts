/**
 * Fetches the metadata of programs, only from addresses of the public network: clients that are not signed in yet may
 * name an address, and must not have this machine ask its own network for them.
 */
import { type RequestOptions, request } from 'node:https'
import { CLIENT_METADATA_BYTES, CLIENT_METADATA_SECONDS } from '../../base/limits.ts'
import {
  type AddressCheck,
  assertHostAllowed,
  createCheckedLookup,
  isPublicAddress,
} from '../../base/public-addresses.ts'

export interface PublicFetchOptions {
  /** Certificates that are trusted besides those of the system. */
  ca?: Buffer
  /** Of which addresses may be asked; those of the public network when absent. */
  isPublic?: AddressCheck
}

/** @throws Error for another scheme than https, an address that is not public, and an answer that is too long or late */
export async function fetchPublic(
  url: string,
  options: PublicFetchOptions = {},
  signal = AbortSignal.timeout(CLIENT_METADATA_SECONDS * 1000),
): Promise<Response> {
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:') throw new Error(`Expected an address with https, found ${url}.`)
  const isPublic = options.isPublic ?? isPublicAddress
  assertHostAllowed(parsed, isPublic)
  return sendRequest(url, {
    lookup: createCheckedLookup(isPublic),
    signal,
    headers: { accept: 'application/json' },
    // A connection that is kept could be to an address that was looked up otherwise.
    agent: false,
    ...(options.ca && { ca: options.ca }),
  })
}

function sendRequest(url: string, options: RequestOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (answer) => {
      const chunks: Buffer[] = []
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        chunks.push(chunk)
        if (length > CLIENT_METADATA_BYTES) {
          outgoing.destroy(
            new Error(`Expected a document of at most ${CLIENT_METADATA_BYTES} bytes at ${url}, found more.`),
          )
        }
      })
      answer.once('error', reject)
      answer.once('end', () => {
        const { statusCode: status = 500, headers } = answer
        const { 'cache-control': cacheControl } = headers
        const responseHeaders = {
          'content-type': 'application/json',
          ...(cacheControl && { 'cache-control': cacheControl }),
        }
        resolve(new Response(status === 200 ? Buffer.concat(chunks) : null, { status, headers: responseHeaders }))
      })
    })
    outgoing.once('error', reject).end()
  })
}
