/** Downloads and uploads by addresses with their own secrets. Each address ends with its link. */

import { resolveFileAddress, resolveUploadAddress } from '../auth/access-links/access-links.ts'
import type { Tool } from '../call/catalog/tool-catalog.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { rateLimitHeaders } from '../call/rate-limit-headers.ts'
import type { Caller, CallOptions, CallResult } from '../call/run.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import type { Endpoint } from '../endpoint.ts'
import { openFileBody } from '../rest/rest-body.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import { type CutOff, createFileResponse } from './file-response.ts'

export interface FileTransfer {
  request: Request
  lease: SpaceLease
  /** The part of the address that contains the secret. */
  token: string
  /** Reads the body of the request. */
  readBytes(): AsyncIterable<Uint8Array>
  cutOff: CutOff
}

/**
 * Sends the file of an address.
 *
 * @throws NOT_FOUND_ERROR for a wrong token, and for a link that has ended or does not reach the file; further errors
 *   as {@link createFileResponse}
 */
export const sendFile = ({ request, lease, token, cutOff }: FileTransfer): Promise<Response> =>
  createFileResponse(request, (view) => resolveFileAddress(view, token), lease.space, cutOff)

/**
 * Receives the file that an upload address waits for, at the position given by the call that created the address.
 *
 * @param callerOf  the caller that received the address
 * @param call  runs a tool
 * @throws NOT_FOUND_ERROR for an address that was used or has expired; further errors of the endpoint
 */
export async function receiveFile(
  { request, lease, token, readBytes }: FileTransfer,
  endpoints: readonly Endpoint[],
  callerOf: (link: AccessLink) => Caller,
  call: (tool: Tool, args: object, caller: Caller, envelope: CallOptions) => Promise<CallResult>,
): Promise<Response> {
  const { link, input } = await lease.space.read(OPERATOR_LINK, (space) => resolveUploadAddress(space, token))
  const name = endpoints.find(({ rawBody }) => rawBody === true)?.name ?? ''
  const tool = toolCatalogFor(endpoints, link.kind).get(name)
  const answer = await call(tool, { ...input, ticket: token }, callerOf(link), {
    body: openFileBody(request, readBytes),
  })
  return Response.json('object' in answer ? answer.object : {}, { headers: rateLimitHeaders(answer.remaining) })
}
