/**
 * Loaded into a server process with `--import` and `--expose-gc`: reports its memory over the channel to its parent.
 */
import { isMainThread } from 'node:worker_threads'

export interface Memory {
  /** The resident memory of the process in bytes. */
  resident: number
  /** Bytes in use after garbage collection, of the heap and of buffers outside of it. */
  used: number
}

if (isMainThread) {
  process.on('message', () => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ resident: rss, used: heapUsed + external } satisfies Memory)
  })
  // The channel must not keep the server running.
  process.channel?.unref()
}
