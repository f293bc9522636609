/** A server whose space accepts sign-ins at a provider of the test. */

import { spaceKey } from '../../../src/auth/access-links/access-links.ts'
import { RemoteIssuer, type RemoteIssuerOptions } from '../../../src/auth/resource-server/remote-issuer.ts'
import type { SignInOptions } from '../../../src/http/http-options.ts'
import { type AccessLevel, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { buildSpace } from '../../build.ts'
import { type HttpResult, type Serving, type ServingOptions, serveBuilt } from '../../http/serving.ts'
import { type IdentityProvider, identityProvider, type TokenOptions } from './identity-provider.ts'

export interface SigningIn extends Serving {
  provider: IdentityProvider
  key: string
  /** The audience of tokens. */
  mcp: string
  rest: string
  /** Returns a token for the space, with all scopes. */
  token(options?: TokenOptions): Promise<string>
  /** Sends a REST request as the subject of the token. */
  askAs(token: string | undefined, line: string, body?: unknown): Promise<HttpResult>
}

interface Options extends ServingOptions {
  audience?: string
  first?: AccessLevel
  issuerPatience?: NonNullable<RemoteIssuerOptions['timeouts']>
  provider?: IdentityProvider
  /** The client ID of the server at the provider, for its pages. */
  clientId?: string
}

/** Anna and Bob are participants in addition to the owner, with the subjects `anna` and `bob`. */
export async function serveSigningIn({
  audience,
  first,
  issuerPatience: patience,
  provider: given,
  clientId,
  ...other
}: Options = {}): Promise<SigningIn> {
  const to = other.to ?? (await buildSpace())
  const { space, clock } = to
  const now = () => clock.now
  const provider = given ?? (await identityProvider(now))
  const noted: string[] = []
  const report = (line: string) => void noted.push(line)
  const issuer = new RemoteIssuer({
    issuer: provider.issuer,
    clock: now,
    report,
    ...(patience && { timeouts: patience }),
  })
  const signIn: SignInOptions = {
    issuer,
    ...(first && { initialAccess: first }),
    ...(audience !== undefined && { audience }),
    ...(clientId !== undefined && { client: { issuer, clientId, ...(audience !== undefined && { audience }) } }),
  }
  const serving = await serveBuilt({ to, signIn, ...other })
  for (const subject of ['anna', 'bob']) {
    const name = subject.replace(/^./, (letter) => letter.toUpperCase())
    await space.write(OPERATOR_LINK, (view) =>
      addParticipant(view, name, { identity: { issuer: provider.issuer, subject } }),
    )
  }
  const key = spaceKey(space.info.id)
  const base = `${serving.server.origin.replace(/:\d+$/, '')}:${serving.port}/spaces/${key}`
  const mcp = `${base}/mcp`
  const rest = `${base}/api/v1`
  return {
    ...serving,
    noted,
    provider,
    key,
    mcp,
    rest,
    token: ({ claims, ...input } = {}) =>
      provider.token({
        claims: { aud: mcp, client_id: 'the-host', scope: 'space:read space:write space:delete', ...claims },
        ...input,
      }),
    askAs: (token, line, body) =>
      serving.ask(
        line.replace(' ', ` /spaces/${key}/api/v1`),
        body,
        token === undefined ? {} : { authorization: `Bearer ${token}` },
      ),
  }
}
