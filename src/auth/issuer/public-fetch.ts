/**
 * Fetches the metadata of programs, from public addresses only: clients that are not signed in can choose the address,
 * and must not make this machine send requests to its own network.
 */
import { type RequestOptions, request } from 'node:https'
import { CLIENT_METADATA_BYTES, CLIENT_METADATA_SECONDS } from '../../base/limits.ts'
import {
  type AddressCheck,
  assertHostAllowed,
  createCheckedLookup,
  isPublicAddress,
} from '../../base/public-addresses.ts'
import { responseTo } from '../../base/response-to.ts'

export interface PublicFetchOptions {
  /** Trusted certificates, in addition to those of the system. */
  ca?: Buffer
  /** Decides which addresses may be requested; only public ones by default. */
  isPublic?: AddressCheck
}

/**
 * @throws Error for a scheme other than https, an address that is not public, and a response that is too long or too
 *   late
 */
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
    // A reused connection could lead to an address that was resolved differently.
    agent: false,
    ...(options.ca && { ca: options.ca }),
  })
}

async function sendRequest(url: string, options: RequestOptions): Promise<Response> {
  const outgoing = request(url, options)
  const answered = responseTo(outgoing)
  outgoing.end()
  const answer = await answered
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > CLIENT_METADATA_BYTES) {
      throw new Error(`Expected a document of at most ${CLIENT_METADATA_BYTES} bytes at ${url}, found more.`)
    }
    chunks.push(chunk)
  }
  const { statusCode: status = 500, headers } = answer
  const { 'cache-control': cacheControl } = headers
  const responseHeaders = {
    'content-type': 'application/json',
    ...(cacheControl && { 'cache-control': cacheControl }),
  }
  return new Response(status === 200 ? Buffer.concat(chunks) : null, { status, headers: responseHeaders })
}
