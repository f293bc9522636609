/** Options of the HTTP server. */
import type { IssuerClient } from '../auth/browser-sessions/issuer-login.ts'
import type { EmbeddedIssuer } from '../auth/issuer/embedded-issuer.ts'
import type { ResourceServerOptions } from '../auth/resource-server/resource-server.ts'
import type { ProxyTrust } from '../base/client-address.ts'
import type { Logger } from '../base/logger.ts'
import type { AddressCheck } from '../base/public-addresses.ts'
import type { EventSubscriptions } from '../call/event-subscriptions.ts'
import type { AddressLimiter } from '../call/rate-limiter.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import type { Endpoint } from '../endpoint.ts'
import type { McpOptions } from '../mcp/mcp-server.ts'
import type { ShownBackups } from '../page/page-call.ts'
import type { Pages } from '../page/pages.ts'
import type { Prompt, Resource, Skill } from '../server-catalog.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { ServerNames } from './guard.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

/** How people sign in. */
export interface SignInOptions extends ResourceServerOptions {
  /** The embedded issuer, if this server is the issuer. */
  embedded?: EmbeddedIssuer
  /** The client ID of this server at a remote issuer, where people sign in to see the pages. */
  client?: IssuerClient
}

/** The pages for people, and access for the person who runs the program. */
export interface PageOptions {
  /** Loads the pages on the first request. */
  load(): Promise<Pages>
  /** Start time of this server in milliseconds since 1970; absent if the operator has no access to the pages. */
  operatorSince?: number
  /** Counts requests of the pages, separately from those of agents. */
  addressLimiter: AddressLimiter
  /** Private addresses from which calendars of others may be fetched. */
  isAllowed?: AddressCheck
  /** The backups that this server makes of a space by its file; absent if it makes none. */
  backupsOf?(file: string): ShownBackups | undefined
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
  /** Sends events to addresses that clients name; absent if this server sends none. */
  subscriptions?: EventSubscriptions
  /** 0 for any free port. */
  port: number
  /** File descriptor of a socket that already listens at this host and port. */
  socket?: number
  /** Certificate and key in PEM format. */
  tls?: { cert: Buffer; key: Buffer }
  /** Maximum size of a file in bytes, if it differs from the default. */
  fileLimit?: number
  /** Sign-in; absent to disable it. */
  signIn?: SignInOptions
  metrics?: Metrics
  /** What `/ready` answers; always that it is, if absent. */
  readiness?: Readiness
  /** Additional fields of `/health`. */
  healthDetails?: Readonly<Record<string, string>>
  /** The pages for people; absent to disable them. */
  pages?: PageOptions
  logger: Logger
  /**
   * Timeouts in seconds for headers, bodies, graceful close and reading responses, if they differ from the defaults.
   */
  timeouts?: { headers?: number; body?: number; linger?: number; writeStall?: number }
  /** Limits of connections per address and exemptions, if they differ from the defaults. */
  connectionLimits?: Partial<ConnectionLimits>
}
