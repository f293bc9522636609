/**
 * Fetches the metadata of programs, only from addresses of the public network: clients that are not signed in yet may
 * name an address, and must not have this machine ask its own network for them.
 */
import { lookup as lookUp } from 'node:dns'
import { type RequestOptions, request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { CLIENT_METADATA_BYTES, CLIENT_METADATA_SECONDS } from '../../base/limits.ts'

export interface PublicFetchOptions {
  /** Certificates that are trusted besides those of the system. */
  ca?: Buffer
  /** Of which addresses may be asked; those of the public network when absent. */
  isPublic?(address: string): boolean
}

/** @throws Error for another scheme than https, an address that is not public, and an answer that is too long or late */
export async function fetchPublic(
  url: string,
  options: PublicFetchOptions = {},
  signal = AbortSignal.timeout(CLIENT_METADATA_SECONDS * 1000),
): Promise<Response> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') throw new Error(`Expected an address with https, found ${url}.`)
  const isPublic = options.isPublic ?? isPublicAddress
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0 && !isPublic(host)) throw notPublicError(host)
  return sendRequest(url, {
    lookup: createLookup(isPublic),
    signal,
    headers: { accept: 'application/json' },
    // A connection that is kept could be to an address that was looked up otherwise.
    agent: false,
    ...(options.ca && { ca: options.ca }),
  })
}

/** Addresses are checked when they are resolved: the same name may resolve differently the next time. */
const createLookup =
  (isPublic: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const wrong = addresses.find(({ address }) => !isPublic(address))
      if (wrong !== undefined || addresses[0] === undefined) return callback(notPublicError(hostname), '')
      if (options.all === true) return callback(null, addresses)
      callback(null, addresses[0].address, addresses[0].family)
    })
  }

const notPublicError = (host: string) => new Error(`Expected an address of the public network, found ${host}.`)

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

const NON_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  NON_PUBLIC.addSubnet(network, prefix, 'ipv4')
}
const GLOBAL_UNICAST = new BlockList()
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6')
// Addresses in these stand for others: tunnels, documentation, benchmarks.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NON_PUBLIC.addSubnet(network, prefix, 'ipv6')
}

/** Source: IANA's registries of special-purpose addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NON_PUBLIC.check(address, 'ipv4')
  return GLOBAL_UNICAST.check(address, 'ipv6') && !NON_PUBLIC.check(address, 'ipv6')
}
