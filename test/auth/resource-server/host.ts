/** A typical host: the official client with its OAuth flow, and the storage of the host. */
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as UnauthorizedOfV1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, onTestFinished } from 'vitest'

export const CALLBACK = 'http://127.0.0.1:1/callback'

/** The storage of a host, and the browser that it opens. */
export class Host implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata: OAuthClientMetadata = { client_name: 'Host', redirect_uris: [CALLBACK] }
  /** The address of its metadata document, if it has one. */
  readonly clientMetadataUrl?: string
  kept: OAuthTokens | undefined
  /** The addresses to which people were sent. */
  readonly sent: URL[] = []
  readonly #person: Person
  #information: OAuthClientInformationMixed | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  constructor(person: Person = asIs, clientMetadataUrl?: string) {
    this.#person = person
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  clientInformation() {
    return this.#information
  }
  saveClientInformation(information: OAuthClientInformationMixed) {
    this.#information = information
  }
  tokens() {
    return this.kept
  }
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens
  }
  /** Called for credentials that the issuer no longer accepts, such as those of a grant that has ended. */
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (scope === 'all' || scope === 'tokens') this.kept = undefined
    if (scope === 'all' || scope === 'client') this.#information = undefined
  }
  redirectToAuthorization(url: URL) {
    this.sent.push(url)
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state
  }
  discoveryState() {
    return this.#discovery
  }

  /** The code that the provider returns after a consent. */
  consent(): Promise<URLSearchParams> {
    return this.#person(this.sent.at(-1) ?? new URL('about:blank'))
  }
}

/** A browser that is redirected, and the response that the host gets. */
export type Person = (sentTo: URL) => Promise<URLSearchParams>

/** Follows the redirects of a provider that asks nothing. */
const asIs: Person = async (sentTo) => {
  const response = await fetch(sentTo, { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '').searchParams
}

export type ProtocolVersion = '2025' | '2026'

export function begin(mcp: string, host: Host, era: ProtocolVersion) {
  const mode = era === '2025' ? 'legacy' : ({ pin: '2026-07-28' } as const)
  const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(mcp), { authProvider: host })
  onTestFinished(() => client.close())
  return { client, transport }
}

/** Connects, signs in, and connects again. */
export async function signIn(mcp: string, host: Host, era: ProtocolVersion): Promise<Client> {
  const first = begin(mcp, host, era)
  await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError)
  await first.transport.finishAuth(await host.consent())
  const { client, transport } = begin(mcp, host, era)
  await client.connect(transport)
  return client
}

/** The same with the 1.x client. */
export async function signInOfV1(mcp: string, host: Host): Promise<ClientOfV1> {
  const begun = () => {
    const client = new ClientOfV1({ name: 'host', version: '1.0.0' })
    onTestFinished(() => client.close())
    const transport = new TransportOfV1(new URL(mcp), { authProvider: host as never })
    // Its types do not support exactOptionalPropertyTypes.
    return { transport, client, connect: () => client.connect(transport as Transport) }
  }
  const first = begun()
  await expect(first.connect()).rejects.toThrow(UnauthorizedOfV1)
  await first.transport.finishAuth((await host.consent()).get('code') ?? '')
  const { client, connect } = begun()
  await connect()
  return client
}
