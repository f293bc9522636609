/** Determines the client address of a request or client connection. Every per-address limit uses this module. */
import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * Decides whether a hop is a trusted proxy, whose entry in X-Forwarded-For is believed.
 *
 * @param hops  number of proxies between this server and the address: 0 for the direct peer
 */
export type TrustHop = (address: string, hops: number) => boolean

export interface ProxyTrust {
  /** True if the direct peer is a proxy that adds the address of its own peer. */
  trustsProxy: boolean
  /** The proxies, as addresses or networks (`10.0.0.0/8`). Only these are believed, also in a chain of proxies. */
  trustedProxies?: readonly string[]
}

/** @throws Error for an entry of `trustedProxies` that is neither an address nor a network */
export function createHopTrust({ trustsProxy, trustedProxies }: ProxyTrust): TrustHop {
  if (trustedProxies === undefined) return (_, hops) => trustsProxy && hops === 0
  return createAddressCheck(trustedProxies)
}

/**
 * Whether an address is one of these, or in one of these networks (`10.0.0.0/8`).
 *
 * @throws Error for an entry that is neither an address nor a network
 */
export function createAddressCheck(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const network = parseNetwork(entry)
    if (network === undefined) throw new Error(`Expected an IP address or a network, found ${entry}.`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => includesAddress(list, address)
}

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`; undefined for any other text. */
export function parseNetwork(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', length] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  if (version === 0 || prefix > bits) return undefined
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/**
 * The address that a request is counted under.
 *
 * Each proxy appends the address of its peer to the right end of X-Forwarded-For. Anything to the left of that may be
 * forged. So entries are read from the right for as long as the address that appended them is trusted.
 *
 * @param peer  the address of the socket; empty if it has none, such as a Unix domain socket
 * @param forwarded  X-Forwarded-For, if present
 */
export const clientAddress = (peer: string, forwarded: string | undefined, isTrusted: TrustHop): string =>
  forwardedAddress(peer, forwarded, isTrusted) ?? addressKey(peer)

/**
 * Like {@link clientAddress}, but only if a trusted proxy forwarded the address. Undefined if the direct peer counts.
 */
export function forwardedAddress(peer: string, forwarded: string | undefined, isTrusted: TrustHop): string | undefined {
  const { client, forwards } = followForwards(peer, forwarded, isTrusted)
  return forwards === 0 ? undefined : addressKey(client)
}

/** The whole address that a request came from, as the log shows it. The parameters are those of {@link clientAddress}. */
export const originAddress = (peer: string, forwarded: string | undefined, isTrusted: TrustHop): string =>
  followForwards(peer, forwarded, isTrusted).client

function followForwards(
  peer: string,
  forwarded: string | undefined,
  isTrusted: TrustHop,
): { client: string; forwards: number } {
  let client = normalizeAddress(peer) ?? peer
  let forwards = 0
  const entries = forwarded?.split(',') ?? []
  for (let hops = 0; hops < entries.length && isTrusted(client, hops); hops++) {
    const next = parseForwardedEntry(entries[entries.length - 1 - hops] ?? '')
    if (next === undefined) break
    client = next
    forwards++
  }
  return { client, forwards }
}

/**
 * The key that an address is counted under. An IPv4 address is its own key, also if it is written as IPv6. An IPv6
 * address is counted by its first 64 bits, since a client with one address of such a network has all of them. Other
 * text, including a key that this function returned, is its own key.
 */
export function addressKey(address: string): string {
  const plain = normalizeAddress(address)
  if (plain === undefined) return address
  if (isIPv4(plain)) return plain
  const network = parseGroups(plain).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

const loopbackAddresses = new BlockList()
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
loopbackAddresses.addAddress('::1', 'ipv6')

/** True if the address of a socket is a loopback address. */
export const isLoopbackAddress = (address: string): boolean => includesAddress(loopbackAddresses, address)

function includesAddress(list: BlockList, address: string): boolean {
  const plain = normalizeAddress(address)
  return plain !== undefined && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}

/** An entry of X-Forwarded-For without its port: `[::1]:80`, `192.0.2.1:80`. */
const parseForwardedEntry = (entry: string): string | undefined =>
  normalizeAddress(
    entry
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
      .replace(/^([\d.]+):\d{1,5}$/, '$1'),
  )

/** An IP address without its zone, with IPv4-mapped IPv6 converted to IPv4. Undefined for any other text. */
function normalizeAddress(text: string): string | undefined {
  const [address = ''] = text.split('%')
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  const groups = parseGroups(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return address
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

//   2001:db8::1         ::ffff:192.0.2.1
//           ^^ zeros           ^^^^^^^^^ two groups
function parseGroups(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) =>
    part
      .split(':')
      .filter((group) => group !== '')
      .flatMap((group) => {
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return group.includes('.') ? [a * 256 + b, c * 256 + d] : [Number.parseInt(group, 16)]
      }),
  )
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
