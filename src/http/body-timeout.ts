/** Reads the body of a request, and limits the time in which it must arrive. */
import type { HttpBindings } from '@hono/node-server'
import { MIN_BODY_BYTES_PER_SECOND } from '../base/limits.ts'
import { refusalResponse } from '../call/input/request-body.ts'
import { closeNow } from './graceful-close.ts'

/**
 * Runs work with a request whose body is still arriving. The body has {@link BODY_SECONDS} or `seconds`, and another
 * second per {@link MIN_BODY_BYTES_PER_SECOND} bytes that have arrived. The work itself has no limit after that.
 *
 * @returns undefined if the body took longer; the result of the work is then ignored
 */
export async function withBodyTimeout<T>(
  incoming: HttpBindings['incoming'],
  seconds: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (incoming.complete || !hasBody(incoming)) return work()
  const { socket } = incoming
  const bytesBefore = socket.bytesRead
  const startedAt = performance.now()
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout
  const check = () => {
    if (incoming.complete) return
    const allowed = (seconds + (socket.bytesRead - bytesBefore) / MIN_BODY_BYTES_PER_SECOND) * 1000
    const remaining = startedAt + allowed - performance.now()
    if (remaining > 0) timer = setTimeout(check, remaining)
    else {
      closeNow(incoming)
      // Node does not notify readers of a body whose request was answered already; they would wait forever.
      socket.once('close', () => incoming.destroy())
      resolve(undefined)
    }
  }
  timer = setTimeout(check, seconds * 1000)
  try {
    return await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a body in chunks. If the reader stops early, the connection stays open for the response. */
export const readBodyChunks = (incoming: HttpBindings['incoming']): AsyncIterable<Uint8Array> =>
  incoming.iterator({ destroyOnReturn: false })

const hasBody = ({ headers }: HttpBindings['incoming']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const bodyTooSlow = () =>
  refusalResponse(
    408,
    'VALIDATION_ERROR',
    'Expected the request body without long pauses, found that it takes too long to arrive; send the request again.',
  )
