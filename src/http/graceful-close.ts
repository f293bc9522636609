/** How connections end that are not to go on, while a request still comes over them. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { Socket } from 'node:net'

const lingeringSockets = new WeakSet<Socket>()

/**
 * Answers requests so that connections end in stages, as RFC 9112 asks in section 9.6. Closed at once while a body still
 * comes, the system resets the connection, and the sender loses the answer that says why: so the rest is
 * read and discarded until it is complete. No answer that ends a connection may leave a reader of the body behind, but for
 * {@link closeNow}.
 *
 * @param seconds  at most
 */
export function lingeringClose(handle: RequestListener, seconds: number): RequestListener {
  return (incoming, outgoing) => {
    const { socket } = incoming
    // What comes behind it is no request any more.
    if (lingeringSockets.has(socket)) return
    // What Node calls when the last answer of a connection is on its way.
    socket.destroySoon = () => {
      if (incoming.complete) destroySoon(socket)
      else if (!lingeringSockets.has(socket)) drain(incoming, seconds)
    }
    handle(incoming, outgoing)
  }
}

/**
 * Ends a connection at once when its answer is sent, and with it the reader of a body that was given up: what comes whole
 * after all is not to be done, since its sender was answered to send it again.
 */
export function closeNow({ socket }: IncomingMessage): void {
  socket.destroySoon = () => destroySoon(socket)
}

function drain(incoming: IncomingMessage, seconds: number): void {
  const { socket } = incoming
  lingeringSockets.add(socket)
  const timer = setTimeout(() => socket.destroy(), seconds * 1000)
  socket.once('close', () => clearTimeout(timer)).end()
  const end = () => destroySoon(socket)
  incoming.once('end', end).resume()
}

const destroySoon = (socket: Socket): void => Socket.prototype.destroySoon.call(socket)
