/** Files in and out over HTTP, by addresses with secrets of their own, each of which ends with its link. */
import type { Endpoint } from '../endpoint.ts'
import { type Link, OWN_LINK } from '../space/space.ts'
import { answerAsset, type CutOff } from './assets.ts'
import { openUpload } from './links.ts'
import { tableOf } from './mcp.ts'
import { limitHeaders } from './rest.ts'
import { fileBody } from './rest-body.ts'
import type { Answer, Caller, Envelope } from './run.ts'
import type { Held } from './spaces.ts'
import type { Tool } from './table.ts'

export interface Transfer {
  request: Request
  held: Held
  /** The part of the address that has the secret. */
  token: string
  /** The body of the request. */
  bytes(): AsyncIterable<Uint8Array>
  cutOff: CutOff
}

/** The file that an address of its own leads to. @throws as {@link answerAsset} does */
export const sendFile = ({ request, held, token, cutOff }: Transfer): Promise<Response> =>
  answerAsset(request, token, held.space, cutOff)

/**
 * The one file that an address waits for, put where the call that asked for the address wanted it.
 *
 * @param callerOf  whoever was given the address
 * @param call  runs a tool
 * @throws NOT_FOUND_ERROR for an address that has taken its file or has expired, and as the endpoint does
 */
export async function takeFile(
  { request, held, token, bytes }: Transfer,
  endpoints: readonly Endpoint[],
  callerOf: (link: Link) => Caller,
  call: (tool: Tool, args: object, caller: Caller, envelope: Envelope) => Promise<Answer>,
): Promise<Response> {
  const { link, asked } = await held.space.read(OWN_LINK, (space) => openUpload(space, token))
  const name = endpoints.find(({ rawBody }) => rawBody === true)?.name ?? ''
  const tool = tableOf(endpoints, link.kind).get(name)
  const answer = await call(tool, { ...asked, ticket: token }, callerOf(link), { body: fileBody(request, bytes) })
  return Response.json('object' in answer ? answer.object : {}, { headers: limitHeaders(answer.left) })
}
