/** Requests over HTTP that wait or stream: limits their number, and ends them. */
import type { Caller } from '../call/caller.ts'
import { followCall } from '../call/follow.ts'
import type { SpaceLease, SpaceRegistry } from '../call/space-registry.ts'
import type { StreamLimit } from '../call/stream-limit.ts'
import { boundedTimeout } from '../mcp/stream-expiry.ts'
import type { FollowContext } from '../rest/rest-follow.ts'
import { type Metrics, measureCall } from './metrics.ts'

/** Shared by all waiting requests of a server. */
export interface FollowServer {
  spaces: SpaceRegistry
  metrics: Metrics | undefined
  streams: StreamLimit
  /** Aborted when the server shuts down. */
  ending: AbortSignal
}

export interface FollowRequest {
  caller: Caller
  lease: SpaceLease
  /** The key of the space. */
  key: string
  /** The key by which streams are counted. */
  holder: string
  /** Milliseconds after which a stream ends, if its sign-in expires. */
  lifetime?: number | undefined
  /** Calls the listener once when the response has been sent, or the client has disconnected. */
  onFinish(listener: () => void): void
  markLongLived(): void
}

export function followContext(
  { spaces, metrics, streams, ending }: FollowServer,
  { caller, lease, key, holder, lifetime, onFinish, markLongLived }: FollowRequest,
): FollowContext {
  const ends = [ending, lease.space.closing]
  return {
    call: (tool, args, idSpelling) =>
      measureCall(metrics, 'rest', tool, () => followCall(tool, args, caller, { idSpelling, overRest: true })),
    openWait: () => streams.open(holder),
    waitSignal() {
      const { signal, end } = endedBy(ends)
      onFinish(end)
      return signal
    },
    openStream: async () => {
      // A stream counts as finished for shutdown, so it needs its own lease to keep the space open.
      const own = await spaces.acquire(key)
      markLongLived()
      const { signal, end } = endedBy(ends, lifetime)
      return {
        signal,
        release() {
          end()
          own?.release()
        },
      }
    },
  }
}

/**
 * A signal that is aborted by any of these signals, after a timeout, and by `end`, which also removes the listeners.
 */
function endedBy(signals: readonly AbortSignal[], milliseconds?: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  const end = () => {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', end)
    controller.abort()
  }
  const timer = milliseconds === undefined ? undefined : setTimeout(end, boundedTimeout(milliseconds)).unref()
  for (const signal of signals) signal.addEventListener('abort', end)
  if (signals.some(({ aborted }) => aborted)) end()
  return { signal: controller.signal, end }
}
