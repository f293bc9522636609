/** Determines the origin of requests, and the address of this server as clients see it. */
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { ServerAddress } from '../auth/resource-server/token-issuer.ts'
import { clientAddress, createHopTrust, type TrustHop } from '../base/client-address.ts'
import { ScriptoriumError } from '../base/errors.ts'
import type { HttpOptions } from './http-options.ts'
import type { Env } from './request-lifecycle.ts'

export class RequestSource {
  readonly #options: HttpOptions
  readonly #isTrusted: TrustHop

  constructor(options: HttpOptions) {
    this.#options = options
    this.#isTrusted = createHopTrust(options)
  }

  /** The client address for rate limits. */
  clientAddress(context: Context<Env>): string {
    const peer = getConnInfo(context).remote.address ?? ''
    return clientAddress(peer, context.req.header('x-forwarded-for'), this.#isTrusted)
  }

  serverAddress({ incoming }: Env['Bindings']): ServerAddress {
    const { host, port, tls, publicUrl } = this.#options
    const listening = incoming.socket.localPort ?? port
    return { host, port: listening, isSecure: tls !== undefined, ...(publicUrl !== undefined && { publicUrl }) }
  }

  /** The origin of the server as callers see it. */
  publicOrigin(url: string): string {
    return this.#options.publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin
  }

  /**
   * Runs work that needs a secret. Failed attempts are rate limited.
   *
   * @param failed  notes in a space that a secret opened nothing there
   */
  async countFailures<T>(remoteAddress: string, open: () => Promise<T>, failed?: () => void): Promise<T> {
    try {
      return await open()
    } catch (error) {
      if (error instanceof ScriptoriumError && error.isRefusal) failed?.()
      await this.#options.addressLimiter.acquire(remoteAddress)
      throw error
    }
  }
}
