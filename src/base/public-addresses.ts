/**
 * Which addresses of the network may be connected to for others: someone who names an address must not have this machine
 * ask its own network for them.
 */
import { type LookupAddress, type LookupAllOptions, lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Whether an IP address may be connected to. */
export type AddressCheck = (address: string) => boolean

/** Resolves a name to all of its addresses. */
export type Resolver = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** What an error says was expected, where it does not say otherwise. */
const EXPECTED = 'an address of the public network'

/**
 * A lookup that gives addresses which may be connected to, or fails. A name is checked when it is resolved, and the
 * addresses that were checked are connected to: it may resolve to others the next time.
 *
 * @param expected  which addresses are allowed, in words
 * @param resolve  the resolver of the system if absent
 */
export const createCheckedLookup =
  (isAllowed: AddressCheck, expected = EXPECTED, resolve: Resolver = lookUp): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const wrong = addresses.find(({ address }) => !isAllowed(address))
      if (wrong !== undefined || addresses[0] === undefined)
        return callback(new AddressNotAllowed(hostname, expected), '')
      if (options.all === true) return callback(null, addresses)
      callback(null, addresses[0].address, addresses[0].family)
    })
  }

/** Checks a host that is an address already, which is not looked up. @throws AddressNotAllowed */
export function assertHostAllowed({ hostname }: URL, isAllowed: AddressCheck, expected = EXPECTED): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0 && !isAllowed(host)) throw new AddressNotAllowed(host, expected)
}

/**
 * Resolves only to addresses that may be connected to for others: public ones with https, and those of networks that were
 * explicitly allowed, which may be unencrypted.
 *
 * @throws AddressNotAllowed for a host that is such an address itself, which is not looked up
 */
export function allowedLookup(url: URL, isAllowed: AddressCheck = () => false, resolve?: Resolver): LookupFunction {
  const isHttps = url.protocol === 'https:'
  const mayConnect: AddressCheck = isHttps ? (address) => isPublicAddress(address) || isAllowed(address) : isAllowed
  const expected = isHttps ? EXPECTED_HTTPS : EXPECTED_HTTP
  assertHostAllowed(url, mayConnect, expected)
  return createCheckedLookup(mayConnect, expected, resolve)
}

const EXPECTED_HTTPS = 'an address of the public network, or of one that --webhook-allow names'
const EXPECTED_HTTP = 'an address with https, or in a network that --webhook-allow names'

/** An address, or a name that has one, to which no connection is made. */
export class AddressNotAllowed extends Error {
  constructor(host: string, expected: string) {
    super(`Expected ${expected}, found ${host}.`)
  }
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
