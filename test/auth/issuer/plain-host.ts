/** A minimal client that wants access to a space. Each of its requests can be made invalid. */
import { createHash, randomBytes } from 'node:crypto'

export const CALLBACK = 'http://127.0.0.1:1/callback'

export interface PlainHost {
  clientId: string
  /** The authorization address. */
  authorization(other?: Record<string, string>): URL
  /** Sends a request to the token endpoint, by default with the returned code. */
  token(code: string, other?: Record<string, string>): Promise<Tokens>
  refresh(token: string): Promise<Tokens>
  endpoints: Record<string, string>
}

export interface Tokens {
  status: number
  access_token?: string
  refresh_token?: string
  error?: string
}

/**
 * @param mcp  the MCP address that the client was given
 * @param about  the metadata of the client
 * @throws Error with the response to its registration
 */
export async function plainHost(mcp: string, about: object = {}): Promise<PlainHost> {
  const address = new URL(mcp)
  const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>
  const resource = await read(`${address.origin}/.well-known/oauth-protected-resource${address.pathname}`)
  const issuer = new URL((resource.authorization_servers as string[])[0] ?? '')
  const metadata = await read(`${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`)
  const endpoints = metadata as Record<string, string>
  const sent = { client_name: 'Host', redirect_uris: [CALLBACK], ...about }
  const registered = await fetch(endpoints.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  })
  const response = (await registered.json()) as { client_id?: string }
  if (response.client_id === undefined) throw new Error(JSON.stringify(response))
  const { client_id: clientId } = response
  const redirect = sent.redirect_uris[0] ?? ''
  const verifier = randomBytes(32).toString('base64url')
  const ask = async (params: Record<string, string>): Promise<Tokens> => {
    const given = Object.entries({ client_id: clientId, ...params }).filter(([, value]) => value !== '')
    const body = new URLSearchParams(given)
    const answer = await fetch(endpoints.token_endpoint ?? '', { method: 'POST', body })
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  return {
    clientId,
    endpoints,
    authorization(other = {}) {
      const url = new URL(endpoints.authorization_endpoint ?? '')
      const params = {
        client_id: clientId,
        redirect_uri: redirect,
        response_type: 'code',
        scope: 'space:read space:write',
        resource: mcp,
        state: 'state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...other,
      }
      for (const [name, value] of Object.entries(params)) if (value !== '') url.searchParams.set(name, value)
      return url
    },
    token: (code, other) =>
      ask({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
        resource: mcp,
        ...other,
      }),
    refresh: (token) => ask({ grant_type: 'refresh_token', refresh_token: token }),
  }
}
