/** Where requests come from, and where this server is as their senders see it. */
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { ServerAddress } from '../auth/resource-server/token-issuer.ts'
import { clientAddress, createHopTrust, type TrustHop } from '../base/client-address.ts'
import type { HttpOptions } from './http-options.ts'
import type { Env } from './request-lifecycle.ts'

export class RequestSource {
  readonly #options: HttpOptions
  readonly #isTrusted: TrustHop

  constructor(options: HttpOptions) {
    this.#options = options
    this.#isTrusted = createHopTrust(options)
  }

  /** The address that limits count. */
  clientAddress(context: Context<Env>): string {
    const peer = getConnInfo(context).remote.address ?? ''
    return clientAddress(peer, context.req.header('x-forwarded-for'), this.#isTrusted)
  }

  serverAddress({ incoming }: Env['Bindings']): ServerAddress {
    const { host, port, tls, publicUrl } = this.#options
    const listening = incoming.socket.localPort ?? port
    return { host, port: listening, isSecure: tls !== undefined, ...(publicUrl !== undefined && { publicUrl }) }
  }

  /** Where the server is, as the callers see it. */
  publicOrigin(url: string): string {
    return this.#options.publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin
  }

  /** Does what needs a secret. Who tries secrets is counted as well. */
  async countFailures<T>(remoteAddress: string, open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      await this.#options.addressLimiter.acquire(remoteAddress)
      throw error
    }
  }
}
