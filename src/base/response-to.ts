/** The response to an outgoing HTTP request, as a promise. */
import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * Resolves with the response as soon as its headers are there. Await it and do everything else afterwards: an error
 * that is thrown in an event handler ends the process, one that is thrown in an async function rejects its promise.
 *
 * @param outgoing  a request whose body may still have to be sent
 * @throws Error if the connection fails, or ends without a response
 */
export function responseTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    // Not only once: an error that nothing handles ends the process, and a request may report several.
    outgoing.on('error', reject)
    // A connection may end without an error, for example after a response with status 101.
    outgoing.once('close', () => reject(new Error('Expected a response, found the connection closed.')))
  })
}
