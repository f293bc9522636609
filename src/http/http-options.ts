/** What a server over HTTP is made of. */
import type { EmbeddedIssuer } from '../auth/issuer/embedded-issuer.ts'
import type { ResourceServerOptions } from '../auth/resource-server/resource-server.ts'
import type { ProxyTrust } from '../base/client-address.ts'
import type { Logger } from '../base/logger.ts'
import type { AddressRateLimiter } from '../call/rate-limiter.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import type { Endpoint, Prompt, Resource } from '../endpoint.ts'
import type { McpOptions } from '../mcp/mcp-server.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { ServerNames } from './guard.ts'
import type { Metrics } from './metrics.ts'

/** How people sign in. */
export interface SignInOptions extends ResourceServerOptions {
  /** The issuer too, where it is this server's own: it is served as well. */
  embedded?: EmbeddedIssuer
}

export interface HttpOptions extends ServerNames, ProxyTrust {
  endpoints: readonly Endpoint[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  /** Instructions for agents, sent when they connect. */
  instructions: McpOptions['instructions']
  version: string
  spaces: SpaceRegistry
  addressLimiter: AddressRateLimiter
  /** 0 for any free one. */
  port: number
  /** Certificate and key, as PEM. */
  tls?: { cert: Buffer; key: Buffer }
  /** Bytes of one file at most, where another limit than the standard is wanted. */
  fileLimit?: number
  /** How people sign in; without it no one can. */
  signIn?: SignInOptions
  metrics?: Metrics
  logger: Logger
  /** Seconds that headers, bodies, partings and the reading of answers may take, where others than those of the limits are wanted. */
  timeouts?: { headers?: number; body?: number; linger?: number; writeStall?: number }
  /** Connections of one address at once and who is exempt, where others than those of the limits are wanted. */
  connectionLimits?: Partial<ConnectionLimits>
}
