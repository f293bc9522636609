/** How many connections one address has at once, and how long one may leave its answer unread. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { countedAddress, isLoopbackAddress, type ProxyTrust, trustedHops } from './client-address.ts'

export interface ConnectionLimits {
  /** Connections of one address at once. */
  most: number
  /** Whether an address may have as many as the server has. */
  isExempt(address: string): boolean
}

/** This machine itself and trusted proxies, since over them come the connections of many clients. */
export function exemptBy(trust: ProxyTrust): ConnectionLimits['isExempt'] {
  const isTrusted = trustedHops(trust)
  return (address) => isLoopbackAddress(address) || isTrusted(address, 0)
}

/**
 * Ends connections of an address beyond its limit before anything is read from them, so that no client takes the
 * connections of all others. One whose TLS handshake is not finished counts as well.
 */
export function limitConnections(server: Server, { most, isExempt }: ConnectionLimits): void {
  const open = new Map<string, number>()
  // After the listeners of Node: those for TLS do not expect a socket that is destroyed.
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // Already gone, or a Unix domain socket.
    if (remoteAddress === undefined || isExempt(remoteAddress)) return
    const address = countedAddress(remoteAddress)
    const count = (open.get(address) ?? 0) + 1
    if (count > most) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}

/**
 * Ends the connection of an answer of which nothing was read for the server's `timeout`, so that what was not read yet
 * is not kept in memory without end. An answer that is still being made may take as long as it takes.
 */
export function endUnread(outgoing: ServerResponse): void {
  // With a listener Node leaves it to us to end the connection.
  outgoing.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
