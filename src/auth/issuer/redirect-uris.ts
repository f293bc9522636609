/**
 * Redirect URIs: where the response for a program is sent. The receiver gets access, so only https addresses, addresses
 * on the person's own device, and private schemes of installed applications are allowed.
 */
import { REDIRECT_LENGTH } from '../../base/limits.ts'
import { isLoopbackHost } from '../../base/loopback.ts'

export interface RedirectTarget {
  /** A description for the person who consents. */
  target: string
  /** The source for a Content-Security-Policy, without characters that have a meaning there. */
  source: string
}

/** Valid host names and addresses. URLs allow others, such as `a;b`, which would end a directive of the policy. */
const HOST_PATTERN = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/
/** A reversed domain name, as section 7.1 of RFC 8252 requires: `com.example.app:`. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/
/**
 * Schemes of widely used hosts that are not domain names. They are listed individually, so that no program can claim a
 * scheme that another application on the device handles.
 */
const HOST_SCHEMES: readonly string[] = ['cursor:']

/**
 * Parses a redirect URI. Returns undefined unless it is one of these:
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

/** The error for redirect URIs that are rejected. Registration errors must start like this. */
export const REDIRECT_REQUIREMENT =
  'redirect_uris must have https, or http at a loopback address, or a private-use scheme that is a reversed domain name (RFC 8252)'
