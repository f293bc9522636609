/** What a server over HTTP is made of. */
import type { IssuerClient } from '../auth/browser-sessions/issuer-login.ts'
import type { EmbeddedIssuer } from '../auth/issuer/embedded-issuer.ts'
import type { ResourceServerOptions } from '../auth/resource-server/resource-server.ts'
import type { ProxyTrust } from '../base/client-address.ts'
import type { Logger } from '../base/logger.ts'
import type { AddressLimiter } from '../call/rate-limiter.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import type { Endpoint, Prompt, Resource, Skill } from '../endpoint.ts'
import type { McpOptions } from '../mcp/mcp-server.ts'
import type { Pages } from '../page/pages.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { ServerNames } from './guard.ts'
import type { Metrics } from './metrics.ts'

/** How people sign in. */
export interface SignInOptions extends ResourceServerOptions {
  /** The issuer too, where it is this server's own: it is served as well. */
  embedded?: EmbeddedIssuer
  /** What this server is called at an issuer elsewhere, where people sign in there to see the pages. */
  client?: IssuerClient
}

/** The pages for people, and whether the person who runs the program may enter. */
export interface PageOptions {
  /** Loads them when the first is asked for. */
  load(): Promise<Pages>
  /** Milliseconds since 1970 at which this server started; absent where the operator has no pages here. */
  operatorSince?: number
  /** Counts their requests, apart from those of agents. */
  addressLimiter: AddressLimiter
}

export interface HttpOptions extends ServerNames, ProxyTrust {
  endpoints: readonly Endpoint[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  skills: readonly Skill[]
  /** Instructions for agents, sent when they connect. */
  instructions: McpOptions['instructions']
  version: string
  spaces: SpaceRegistry
  addressLimiter: AddressLimiter
  /** 0 for any free one. */
  port: number
  /** File descriptor of a socket that listens at this host and port already. */
  socket?: number
  /** Certificate and key, as PEM. */
  tls?: { cert: Buffer; key: Buffer }
  /** Bytes of one file at most, where another limit than the standard is wanted. */
  fileLimit?: number
  /** How people sign in; without it no one can. */
  signIn?: SignInOptions
  metrics?: Metrics
  /** What `/health` says besides. */
  healthDetails?: Readonly<Record<string, string>>
  /** The pages for people; without them there are none. */
  pages?: PageOptions
  logger: Logger
  /** Seconds that headers, bodies, partings and the reading of answers may take, where others than those of the limits are wanted. */
  timeouts?: { headers?: number; body?: number; linger?: number; writeStall?: number }
  /** Connections of one address at once and who is exempt, where others than those of the limits are wanted. */
  connectionLimits?: Partial<ConnectionLimits>
}
