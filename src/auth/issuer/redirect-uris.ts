/**
 * Redirect URIs: where the answer to a program goes. What is sent there grants access to its receiver, so an address is on
 * the web by https, on the user's own device, or of an application that the device knows by a scheme of its own.
 */
import { REDIRECT_LENGTH } from '../../base/limits.ts'
import { isLoopbackHost } from '../../base/loopback.ts'

export interface RedirectTarget {
  /** Where it is, in words for the person who consents. */
  target: string
  /** As a Content-Security-Policy names it: it has no character that means something there. */
  source: string
}

/** Names and addresses of hosts; URLs allow others such as `a;b` that would end a part of a policy. */
const HOST_PATTERN = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/
/** A domain name reversed, as RFC 8252 wants it in section 7.1: `com.example.app:`. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/
/**
 * Schemes of widely used hosts that are no domain names. Named one by one, so that no program can make up a scheme that
 * something else on the device answers to.
 */
const HOST_SCHEMES: readonly string[] = ['cursor:']

/**
 * What a redirect URI is; none for one that is not taken. Those are taken:
 *
 * - `https` anywhere;
 * - `http` at a loopback address: 127.0.0.0/8, `[::1]`, `localhost`;
 * - a private-use scheme that is a reversed domain name, or that of a known host.
 */
export function parseRedirect(uri: string): RedirectTarget | undefined {
  if (uri.length > REDIRECT_LENGTH || !URL.canParse(uri)) return undefined
  const { protocol, hostname, host, origin, username, password, hash } = new URL(uri)
  if (hash !== '' || username !== '' || password !== '') return undefined
  if (protocol !== 'https:' && protocol !== 'http:') {
    const isAppScheme = PRIVATE_SCHEME.test(protocol) || HOST_SCHEMES.includes(protocol)
    return isAppScheme ? { target: describeLocal(protocol), source: protocol } : undefined
  }
  const isLocal = isLoopbackHost(hostname)
  if (!HOST_PATTERN.test(hostname) || (protocol === 'http:' && !isLocal)) return undefined
  return { target: isLocal ? describeLocal(host) : host, source: origin }
}

const describeLocal = (where: string): string => `a program on your device (${where})`

/** The error for redirect URIs that are rejected. It begins as registration errors must. */
export const REDIRECT_REQUIREMENT =
  'redirect_uris must have https, or http at a loopback address, or a private-use scheme that is a reversed domain name (RFC 8252)'
