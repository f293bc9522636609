/** Streams that end with the token they were opened with, or with their space. */

/** Maximum timer duration in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1
export const boundedTimeout = (milliseconds: number): number => Math.min(Math.max(milliseconds, 0), MAX_TIMER_MS)

/**
 * Ends a response after this many milliseconds, or on abort. Its client then opens another, with a valid token, or of
 * the space that is open then.
 */
export function endStreamAfter(response: Response, milliseconds: number | undefined, signal: AbortSignal): Response {
  if (response.body === null) return response
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = milliseconds === undefined ? undefined : setTimeout(end, boundedTimeout(milliseconds)).unref()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  response.body
    .pipeTo(writable, { signal: ending.signal, preventAbort: true })
    // After its time, the stream closes as if it were complete.
    .catch(() => writable.close())
    .finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    })
    // The client has disconnected.
    .catch(() => {})
  return new Response(readable, response)
}
