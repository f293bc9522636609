/** Streams that end with the token they were opened with. */

/** Milliseconds that a timer can wait. */
const LONGEST = 2 ** 31 - 1

/** An answer that ends when it has lasted so many milliseconds: its client opens another, with a token that stands. */
export function endingAfter(answer: Response, milliseconds: number): Response {
  if (answer.body === null) return answer
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), Math.min(Math.max(milliseconds, 0), LONGEST)).unref()
  void answer.body
    .pipeTo(writable, { signal: ending.signal, preventAbort: true })
    // At the end of its time it is closed as if all had been said; whoever has gone is told nothing.
    .catch(() => writable.close().catch(() => {}))
    .finally(() => clearTimeout(timer))
  return new Response(readable, answer)
}
