/**
 * How many connections one address has at once, and how long one may leave its answer unread.
 *
 * Over the connections of a proxy come the requests of many clients. So they are not counted for the proxy; the requests
 * that are under way over them are, each for the address that the proxy has passed on.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, createHopTrust, isLoopbackAddress, type ProxyTrust } from '../base/client-address.ts'
import { CONNECTIONS_PER_ADDRESS, PROXY_SECONDS } from '../base/limits.ts'

export interface ConnectionLimits {
  /** Connections of one address at once, and requests passed on from one address. */
  maxPerAddress: number
  /** Whether an address may have as many connections as the server has. */
  isExempt(address: string): boolean
  /**
   * Seconds that a connection beyond the limit has to show that it is a proxy's, since a proxy opens many at once; 0
   * where it is ended at once.
   */
  grace: number
}

/**
 * This machine itself and proxies that are named have no limit. Where any proxy is trusted it cannot be recognized by its
 * address: it shows itself by its first request, see {@link ConnectionLimiter.admit}.
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
  /** What ends the counting of each connection that is counted. A request knows its socket only by both ends of it. */
  readonly #counted = new Map<string, () => void>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get most(): number {
    return this.#limits.maxPerAddress
  }

  /**
   * Ends connections of an address beyond its limit before anything is read from them, so that no client takes the
   * connections of all others. One whose TLS handshake is not finished counts as well.
   */
  watch(server: Server): void {
    // After the listeners of Node: those for TLS do not expect a socket that is destroyed.
    server.on('connection', (socket: Socket) => {
      const { remoteAddress } = socket
      // Already gone, or a Unix domain socket.
      if (remoteAddress === undefined || this.#limits.isExempt(remoteAddress)) return
      const address = addressKey(remoteAddress)
      const { maxPerAddress: most, grace } = this.#limits
      const release = this.#connections.take(address, grace > 0 ? Infinity : most)
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
   * Count a request that a trusted proxy has passed on, until its answer is over. The connection is a proxy's then, and
   * counts no more by itself.
   *
   * @param client  the address that the proxy has passed on
   * @returns whether the client may have one more
   */
  admit(client: string, incoming: Pick<IncomingMessage, 'socket'>, outgoing: Pick<ServerResponse, 'once'>): boolean {
    this.#counted.get(endsOf(incoming.socket))?.()
    if (isLoopbackAddress(client)) return true
    const release = this.#requests.take(client, this.#limits.maxPerAddress)
    if (release === undefined) return false
    outgoing.once('close', release)
    return true
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`

/** How many of something each address has. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(address: string): number {
    return this.#counts.get(address) ?? 0
  }

  /** @returns gives one back, once; nothing where the address has `most` already */
  take(address: string, most: number): (() => void) | undefined {
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
 * Ends the connection of an answer of which nothing was read for the server's `timeout`, so that what was not read yet
 * is not kept in memory without end. An answer that is still being made may take as long as it takes.
 */
export function closeUnreadResponses(outgoing: ServerResponse): void {
  // With a listener Node leaves it to us to end the connection.
  outgoing.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
