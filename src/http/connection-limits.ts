/**
 * Limits the number of concurrent connections per address, and the time for which a response can stay unread.
 *
 * A proxy's connections carry requests of many clients. They do not count for the proxy; instead, active requests count
 * for the addresses that the proxy forwards.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, createHopTrust, isLoopbackAddress, type ProxyTrust } from '../base/client-address.ts'
import { CONNECTIONS_PER_ADDRESS, PROXY_SECONDS } from '../base/limits.ts'

export interface ConnectionLimits {
  /** Concurrent connections of one address, or concurrent requests forwarded for one address. */
  maxPerAddress: number
  /** True if an address may have as many connections as the server allows. */
  isExempt(address: string): boolean
  /**
   * Seconds in which a connection over the limit must prove to be a proxy's, since a proxy opens many at once; 0 to
   * close it immediately.
   */
  grace: number
}

/**
 * This machine and configured proxies have no limit. If any proxy is trusted, it cannot be recognized by its address,
 * only by its first request: see {@link ConnectionLimiter.admit}.
 */
export function limitsBy({ trustsProxy, trustedProxies }: ProxyTrust): ConnectionLimits {
  const isTrusted = createHopTrust({ trustsProxy: false, ...(trustedProxies && { trustedProxies }) })
  return {
    maxPerAddress: CONNECTIONS_PER_ADDRESS,
    isExempt: (address) => isLoopbackAddress(address) || isTrusted(address, 0),
    grace: trustsProxy && trustedProxies === undefined ? PROXY_SECONDS : 0,
  }
}

export class ConnectionLimiter {
  readonly #limits: ConnectionLimits
  readonly #connections = new Counts()
  readonly #requests = new Counts()
  /**
   * For each counted connection, the function that stops counting it. Keyed by both addresses, since a request only
   * knows these of its socket.
   */
  readonly #counted = new Map<string, () => void>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get most(): number {
    return this.#limits.maxPerAddress
  }

  /**
   * Closes connections over the limit of an address before anything is read from them, so that no client can use up all
   * connections. Connections without a finished TLS handshake count as well.
   */
  watch(server: Server): void {
    // Runs after Node's own listeners, since the one for TLS does not expect a destroyed socket.
    server.on('connection', (socket: Socket) => {
      const { remoteAddress } = socket
      // Already closed, or a Unix domain socket.
      if (remoteAddress === undefined || this.#limits.isExempt(remoteAddress)) return
      const address = addressKey(remoteAddress)
      const { maxPerAddress: most, grace } = this.#limits
      const release = this.#connections.acquire(address, grace > 0 ? Infinity : most)
      if (release === undefined) {
        socket.destroy()
        return
      }
      const isBeyond = () => this.#connections.of(address) > most
      const late = isBeyond() ? setTimeout(() => isBeyond() && socket.destroy(), grace * 1000).unref() : undefined
      const key = endsOf(socket)
      const end = () => {
        clearTimeout(late)
        if (this.#counted.get(key) === end) this.#counted.delete(key)
        release()
      }
      this.#counted.set(key, end)
      socket.once('close', end)
    })
  }

  /**
   * Counts a request that a trusted proxy has forwarded, until its response has ended. From then on, the connection is
   * a proxy's, and no longer counts itself.
   *
   * @param client  the address that the proxy has forwarded
   * @returns false if the client has reached its limit
   */
  admit(client: string, incoming: Pick<IncomingMessage, 'socket'>, outgoing: Pick<ServerResponse, 'once'>): boolean {
    this.#counted.get(endsOf(incoming.socket))?.()
    if (isLoopbackAddress(client)) return true
    const release = this.#requests.acquire(client, this.#limits.maxPerAddress)
    if (release === undefined) return false
    outgoing.once('close', release)
    return true
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`

/** Counts per address. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(address: string): number {
    return this.#counts.get(address) ?? 0
  }

  /** @returns a function that gives one back, once; undefined if the address already has `most` */
  acquire(address: string, most: number): (() => void) | undefined {
    const count = this.of(address)
    if (count >= most) return undefined
    this.#counts.set(address, count + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = this.of(address) - 1
      if (left === 0) this.#counts.delete(address)
      else this.#counts.set(address, left)
    }
  }
}

/**
 * Closes the connection if the client reads nothing of a response for the server's `timeout`, so that unread data does
 * not stay in memory. A response that is still being built has no limit.
 */
export function closeUnreadResponses(outgoing: ServerResponse): void {
  // If there is a listener, Node does not close the connection itself.
  outgoing.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
