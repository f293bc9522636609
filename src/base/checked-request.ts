/** Requests to addresses that others name, which must not lead this machine into its own network. */
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressCheck, allowedLookup, type Resolver } from './public-addresses.ts'

export interface RequestChecks {
  /** Decides which private addresses are allowed, also without encryption; none if absent. */
  isAllowed?: AddressCheck | undefined
  /** Trusted certificates, in addition to those of the system. */
  ca?: Buffer
  /** Resolves names of hosts; the resolver of the system if absent. */
  resolve?: Resolver
}

/**
 * Begins a request. The address that was checked is the one that is connected to.
 *
 * @throws AddressNotAllowed
 */
export function checkedRequest(
  url: URL,
  { isAllowed, ca, resolve }: RequestChecks,
  options: Pick<RequestOptions, 'method' | 'headers' | 'signal'>,
): ClientRequest {
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    ...options,
    lookup: allowedLookup(url, isAllowed, resolve),
    // A reused connection could lead to an address that was resolved differently.
    agent: false,
    ...(ca && { ca }),
  })
}
