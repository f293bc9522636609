/** Closes connections gracefully while a request is still arriving. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { Socket } from 'node:net'

const lingeringSockets = new WeakSet<Socket>()

/**
 * Handles requests so that connections close in stages, as section 9.6 of RFC 9112 requires. If a connection were
 * closed while a body is arriving, the system would reset it, and the client would lose the response with the reason.
 * So the rest of the body is read and discarded. Except with {@link closeNow}, a response that closes the connection
 * must not leave a reader of the body behind.
 *
 * @param seconds  maximum time
 */
export function lingeringClose(handle: RequestListener, seconds: number): RequestListener {
  return (incoming, outgoing) => {
    const { socket } = incoming
    // Data after the body does not count as another request.
    if (lingeringSockets.has(socket)) return
    // Node calls this after sending the last response of a connection.
    socket.destroySoon = () => {
      if (incoming.complete) destroySoon(socket)
      else if (!lingeringSockets.has(socket)) drain(incoming, seconds)
    }
    handle(incoming, outgoing)
  }
}

/**
 * Closes a connection as soon as its response was sent, together with the reader of a body that was given up. If the
 * body does arrive completely, it must not be processed, since the response asked the client to send it again.
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
