/** Loaded into the process of a server with `--import` and `--expose-gc`: tells its memory over the channel to its parent. */
import { isMainThread } from 'node:worker_threads'

export interface Memory {
  /** Bytes that the process has of the machine. */
  resident: number
  /** Bytes that are used after a collection of garbage: of the heap, and of buffers outside it. */
  used: number
}

if (isMainThread) {
  process.on('message', () => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ resident: rss, used: heapUsed + external } satisfies Memory)
  })
  // The server ends as it would without a channel.
  process.channel?.unref()
}
