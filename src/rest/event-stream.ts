/**
 * Responses as server-sent events (`text/event-stream`), which continue until the client disconnects. Nothing is
 * buffered for slow clients: events are read from the space when the client is ready for them.
 */
import { toErrorBody } from '../call/error-body.ts'
import type { FollowedAnswer, FollowedCall } from '../call/follow.ts'

export const EVENT_STREAM = 'text/event-stream'

/** Milliseconds after which a disconnected client reconnects. */
const RETRY_MS = 2_000

export interface EventStreamOptions {
  keepAliveSeconds: number
  /** Ends the stream, after which its client opens another. */
  signal: AbortSignal
  headers: Record<string, string>
  log(line: string): void
  /** Called once when the stream has ended, from either side. */
  onEnd(): void
}

/** @param first  the first response of the stream */
export function eventStream(following: FollowedCall, first: FollowedAnswer, options: EventStreamOptions): Response {
  const { keepAliveSeconds, signal, headers, log, onEnd } = options
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  let isEnded = false
  const end = async () => {
    if (isEnded) return
    isEnded = true
    signal.removeEventListener('abort', leave)
    leave()
    await following.close()
    onEnd()
  }
  let last = first
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Sends the position first, so that a client can resume even if it is cut off before the first event.
        controller.enqueue(utf8.encode(`retry: ${RETRY_MS}\n`))
        controller.enqueue(chunkOf(first))
      },
      async pull(controller) {
        try {
          // Catching up is counted page by page; live events are not.
          if (last.hasMore) await following.acquireInTime(leaving.signal)
          last = await following.next(keepAliveSeconds * 1000, leaving.signal)
          if (!leaving.signal.aborted) return controller.enqueue(chunkOf(last))
        } catch (error) {
          if (!leaving.signal.aborted) controller.enqueue(refusalOf(error, log))
        }
        const isLeft = isEnded
        await end()
        if (!isLeft) controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'Content-Type': EVENT_STREAM,
      'Cache-Control': 'no-store',
      // Asks proxies not to buffer the response.
      'X-Accel-Buffering': 'no',
      ...headers,
    },
  })
}

const utf8 = new TextEncoder()

/** The encoded events of a response, which several clients may receive. */
const chunks = new WeakMap<FollowedAnswer, Uint8Array>()

function chunkOf(answer: FollowedAnswer): Uint8Array {
  const known = chunks.get(answer)
  if (known !== undefined) return known
  const events = answer.events.map(
    ({ id, type, data }) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  )
  // An ID without data is not an event, but clients resume from it.
  const chunk = utf8.encode(events.length > 0 ? events.join('') : `id: ${answer.cursor}\n\n`)
  chunks.set(answer, chunk)
  return chunk
}

const refusalOf = (error: unknown, log: (line: string) => void): Uint8Array =>
  utf8.encode(`event: refused\ndata: ${JSON.stringify(toErrorBody(error, log))}\n\n`)
