/** Responses without end, such as streams of changes. */
import { inBackground } from '../base/background.ts'
import { STREAM_BUFFER_BYTES } from '../base/limits.ts'

/**
 * Limits the buffered data of a response to {@link STREAM_BUFFER_BYTES}. If the client does not read, the stream is
 * ended, and the client can open another.
 *
 * @param onEnd  called once when the stream has ended, from either side
 */
export function longLivedStream(response: Response, onEnd: () => void): Response {
  const source = response.body?.getReader()
  if (source === undefined) {
    onEnd()
    return response
  }
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      for (;;) {
        const { done, value } = await source.read()
        if (done) break
        controller.enqueue(value)
        if ((controller.desiredSize ?? 0) < 0) await source.cancel()
      }
      controller.close()
    } catch {
      // The client has disconnected or the writer has failed, so there is no one to report to.
      await source.cancel().catch(() => {})
    } finally {
      onEnd()
    }
  }
  const readable = new ReadableStream<Uint8Array>(
    {
      start: (controller) => inBackground('end a stream', () => pump(controller)),
      cancel: (reason) => source.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: STREAM_BUFFER_BYTES }),
  )
  return new Response(readable, response)
}
