/**
 * The issuer of one space: `oidc-provider`, configured as the 2026-07-28 specification's authorization chapter
 * requires.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { SignIns } from '../../../storage/sign-ins.ts'
import {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZATION_CODE_SECONDS,
  GRANT_SECONDS,
  INTERACTION_SECONDS,
  REFRESH_TOKEN_SECONDS,
  SESSION_SECONDS,
} from '../../base/limits.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { type Account, findAccount } from '../../space/participants/participants.ts'
import { LINK_CLAIM } from '../resource-server/access-token.ts'
import { SCOPES } from '../resource-server/scopes.ts'
import { createConsentStore, getGrantLinkId } from './consents.ts'
import { renderErrorPage } from './issuer-pages.ts'
import { createAdapter } from './oidc-adapter.ts'
import { fetchPublic, type PublicFetchOptions } from './public-fetch.ts'
import { parseRedirect, REDIRECT_REQUIREMENT } from './redirect-uris.ts'
import { respondWithSuccessors } from './refresh-rotation.ts'

export interface ProviderOptions {
  /** Its URL, which is also its name. */
  issuer: string
  space: OpenSpace
  signIns: SignIns
  /** True if tokens can be for this address. `defaultResource` applies if a host names none. */
  isResource(resource: string): boolean
  defaultResource: string
  metadataFetch?: PublicFetchOptions
  /** Receives internal errors. */
  report(sentence: string): void
}

export const SIGNING_ALGORITHM = 'ES256'

/** The key that signs tokens, as a private JWK. Created once per space. */
export async function getSigningKey(signIns: SignIns): Promise<Record<string, unknown> & { kid: string }> {
  const stored = await signIns.secret('signing key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const kid = randomBytes(12).toString('base64url')
    return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg: SIGNING_ALGORITHM, use: 'sig' })
  })
  return JSON.parse(stored)
}

/** The secret that signs cookies and forms. */
export const getFormSecret = (signIns: SignIns): Promise<string> =>
  signIns.secret('forms', () => randomBytes(32).toString('base64url'))

export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const provider = new Provider(options.issuer, await createConfiguration(options))
  // The server's options define its public address. Each request was rewritten accordingly.
  provider.proxy = true
  respondWithSuccessors(provider)
  const logError = (error: Error) =>
    options.report(`Expected an answer of ${options.issuer}, found this: ${error.stack}`)
  provider.on('server_error', (_ctx, error) => logError(error))
  // An event of Koa that its types omit. Without a listener, errors would be printed.
  ;(provider as EventEmitter).on('error', logError)
  return provider
}

async function createConfiguration({
  issuer,
  space,
  signIns,
  metadataFetch,
  ...resources
}: ProviderOptions): Promise<Configuration> {
  const path = new URL(issuer).pathname
  const getAccount = (id: string) => space.read(OPERATOR_LINK, (view) => findAccount(view, id))
  return {
    adapter: createAdapter(signIns, createConsentStore(space)),
    jwks: { keys: [await getSigningKey(signIns)] } as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: [await getFormSecret(signIns)],
      // Spaces of one server must not see each other's cookies.
      long: { httpOnly: true, sameSite: 'lax', path, signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    scopes: [...SCOPES, 'openid', 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    // Required of every program, whether it registers, has a metadata document, or was registered before.
    extraClientMetadata: {
      properties: ['redirect_uris'],
      validator: (_ctx, _name, uris) => {
        if (!Array.isArray(uris) || uris.every((uri) => parseRedirect(String(uri)) !== undefined)) return
        throw new errors.InvalidClientMetadata(REDIRECT_REQUIREMENT)
      },
    },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: SIGNING_ALGORITHM,
    },
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // No address of the space accepts tokens that are bound to a key.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) =>
          (Array.isArray(oneOf) ? oneOf[0] : undefined) ?? resources.defaultResource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (!resources.isResource(resource)) throw new errors.InvalidTarget()
          return {
            scope: SCOPES.join(' '),
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: SIGNING_ALGORITHM } },
          }
        },
      },
    },
    fetch: async (url, init) =>
      normalizeMetadataResponse(
        await fetchPublic(url instanceof Request ? url.url : String(url), metadataFetch, init?.signal ?? undefined),
      ),
    findAccount: async (_ctx, id) => {
      const account = await getAccount(id)
      return account && { accountId: account.id, claims: () => ({ sub: account.id }) }
    },
    extraTokenClaims: async (_ctx, token) => {
      const grantId = 'grantId' in token ? token.grantId : undefined
      const link = grantId && (await space.read(OPERATOR_LINK, (view) => getGrantLinkId(view, grantId)))
      return link === undefined ? undefined : { [LINK_CLAIM]: link }
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    interactions: { url: (_ctx, { uid }) => `${path}/interaction/${uid}`, policy: createPolicy(getAccount) },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html'
      ctx.body = renderErrorPage(`${description ?? error}`).toString()
    },
    ttl: {
      AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
      AccessToken: ACCESS_TOKEN_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Grant: GRANT_SECONDS,
      Session: SESSION_SECONDS,
      Interaction: INTERACTION_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
    },
  }
}

/**
 * Each sign-in asks for consent again, since local programs cannot be distinguished from others that listen on the same
 * machine. A browser that signed in with a password that was changed since, or by a participant who left, must sign in
 * again.
 */
function createPolicy(getAccount: (id: string) => Promise<Account | undefined>) {
  const { Check, base } = interactionPolicy
  const policy = base()
  const { REQUEST_PROMPT, NO_NEED_TO_PROMPT } = Check
  const accountChanged = async ({ oidc }: KoaContextWithOIDC) => {
    const { accountId, loginTs = 0 } = oidc.session ?? {}
    if (accountId === undefined || oidc.result?.login !== undefined) return NO_NEED_TO_PROMPT
    const account = await getAccount(accountId)
    const stands = account !== undefined && loginTs * 1000 >= account.changedAt - 1000
    return stands ? NO_NEED_TO_PROMPT : REQUEST_PROMPT
  }
  policy.get('login')?.checks.add(new Check('account_changed', 'the password was changed', accountChanged))
  const needsConsent = ({ oidc }: KoaContextWithOIDC) =>
    oidc.result?.consent === undefined ? REQUEST_PROMPT : NO_NEED_TO_PROMPT
  policy.get('consent')?.checks.add(new Check('consent_again', 'each sign-in is consented to', needsConsent))
  return policy
}

async function normalizeMetadataResponse(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer
  return new Response(normalizeClientMetadata(await answer.text()), answer)
}

/** Redirect URIs that make a program a native one. For these hosts, the provider accepts any port. */
const isNativeRedirect = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' ? ['localhost', '127.0.0.1', '[::1]'].includes(hostname) : protocol !== 'https:'

/**
 * Normalizes the metadata of a program:
 *
 * - A missing application type is derived from the redirect URIs. Programs from before 2026 use an address on the
 *   user's
 *   machine, which is only valid for the type `native`.
 * - Redirect URIs that are not allowed are removed if others remain: programs register all that they might ever use.
 * - Initial scopes are removed: the program may need more later, and the user decides what it gets.
 *
 * @param json  its metadata; text that is not a JSON object is returned unchanged and refused later
 */
export function normalizeClientMetadata(json: string): string {
  try {
    const metadata: unknown = JSON.parse(json)
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return json
    const { scope: _, ...rest } = metadata as { scope?: unknown; redirect_uris?: unknown }
    const redirectUris: unknown[] = Array.isArray(rest.redirect_uris) ? rest.redirect_uris : []
    const accepted = redirectUris.filter((uri) => typeof uri === 'string' && parseRedirect(uri) !== undefined)
    const isNative = accepted.some((uri) => isNativeRedirect(new URL(String(uri))))
    return JSON.stringify({
      ...(isNative && { application_type: 'native' }),
      ...rest,
      ...(accepted.length > 0 && { redirect_uris: accepted }),
    })
  } catch {
    return json
  }
}
