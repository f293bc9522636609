/**
 * Sign-in to the pages with an identity provider. This server is a public client there, and redirects the browser
 * (authorization code flow with PKCE: RFC 6749, 7636, 8707, 9207).
 */
import { createHash, randomBytes } from 'node:crypto'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import type { RemoteIssuer } from '../resource-server/remote-issuer.ts'
import { scopesForAccess } from '../resource-server/scopes.ts'

/** State in the browser while it is at the issuer. */
export interface PendingLogin {
  /** The key of the space, and the page to show afterwards. */
  key: string
  page: string
  state: string
  verifier: string
}

export interface IssuerClient {
  issuer: RemoteIssuer
  /** The client ID of this server at the issuer. */
  clientId: string
  /** Sent to issuers that do not accept URLs as audiences. */
  audience?: string
}

/** The resource that tokens are for, and the redirect URI. */
export interface LoginPlace {
  resource: string
  redirect: string
}

const secret = (): string => randomBytes(32).toString('base64url')

/** @returns the address to redirect the browser to. @throws IssuerUnavailable */
export async function beginLogin(
  { issuer, clientId, audience }: IssuerClient,
  { key, page }: Pick<PendingLogin, 'key' | 'page'>,
  { resource, redirect }: LoginPlace,
): Promise<{ location: string; pending: PendingLogin }> {
  const { authorization } = await issuer.signInEndpoints()
  const pending = { key, page, state: secret(), verifier: secret() }
  const location = new URL(authorization)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: scopesForAccess('full').join(' '),
    resource,
    ...(audience !== undefined && { audience }),
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
  return { location: location.href, pending }
}

/**
 * @param answer  the query of the redirect from the issuer
 * @returns the access token
 * @throws VALIDATION_ERROR for a response that this browser did not request, and for a refusal; IssuerUnavailable
 */
export async function finishLogin(
  { issuer, clientId }: IssuerClient,
  answer: URLSearchParams,
  { state, verifier }: PendingLogin,
  { resource, redirect }: LoginPlace,
): Promise<string> {
  if (answer.get('state') !== state) throw refused('another sign-in was begun in this browser')
  const { namesItself } = await issuer.signInEndpoints()
  const named = answer.get('iss')
  if (named === null ? namesItself : named !== issuer.name) throw refused('the answer is of another issuer')
  const code = answer.get('code')
  if (code === null)
    throw refused(`the issuer says ${JSON.stringify((answer.get('error') ?? 'nothing').slice(0, 100))}`)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    client_id: clientId,
    code_verifier: verifier,
    resource,
  }
  return issuer.exchangeCode(new URLSearchParams(form)).catch((error: unknown) => {
    const isRefusal = error instanceof ScriptoriumError && error.code === 'VALIDATION_ERROR'
    throw isRefusal ? refused(`the issuer says ${JSON.stringify(error.message)}`) : error
  })
}

const refused = (why: string): ScriptoriumError => invalid(`The sign-in did not work: ${why}. Begin it again.`)

/** `{key}.{state}.{verifier}.{page}` */
export const sealPending = ({ key, state, verifier, page }: PendingLogin): string =>
  [key, state, verifier, Buffer.from(page).toString('base64url')].join('.')

export function openPending(value: string): PendingLogin | undefined {
  const found = /^([a-z0-9]{1,40})\.([\w-]{43})\.([\w-]{43})\.([\w-]{0,400})$/.exec(value)
  if (found === null) return undefined
  const [, key = '', state = '', verifier = '', page = ''] = found
  return { key, state, verifier, page: Buffer.from(page, 'base64url').toString() }
}
