/** Rejects requests for other hosts and from foreign web pages, before anything else. */
import { isIP } from 'node:net'
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { HTTP_STATUS } from '../base/errors.ts'
import { refusalResponse } from '../call/input/request-body.ts'

export interface ServerNames {
  /** The host name or address that the server listens on. */
  host: string
  /** The public address of the server. */
  publicUrl?: string
}

/**
 * Rejects requests from foreign web pages, and requests with a foreign Host header: an attacker's page could resolve
 * its own host name to this machine (DNS rebinding). Numeric addresses cannot be redirected like that.
 */
export function rejectForeignRequest(request: Request, { host, publicUrl }: ServerNames): Response | undefined {
  const publicNames = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const requestHost = request.headers.get('host') ?? ''
  const names = [...localhostAllowedHostnames(), host, ...publicNames]
  if (!validateHostHeader(requestHost, names).ok && isIP(hostnameOf(requestHost)) === 0) {
    const found = `Expected one of this server's names as Host, found ${truncate(requestHost)}`
    return refusalResponse(
      HTTP_STATUS.FORBIDDEN,
      'FORBIDDEN',
      `${found}; ask by its address, or start it with --public-url.`,
    )
  }
  const origin = request.headers.get('origin')
  if (!validateOriginHeader(origin, [...localhostAllowedOrigins(), host, ...publicNames]).ok) {
    const found = `Expected a program or a page of this server, found a page of ${truncate(origin ?? '')}`
    return refusalResponse(HTTP_STATUS.FORBIDDEN, 'FORBIDDEN', `${found}; web pages elsewhere are not answered.`)
  }
  return undefined
}

const truncate = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : ''
