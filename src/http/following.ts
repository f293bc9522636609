/** Requests over HTTP that wait or go on without end: how many there are, and what ends them. */
import type { Caller } from '../call/caller.ts'
import { followCall } from '../call/follow.ts'
import type { SpaceLease, SpaceRegistry } from '../call/space-registry.ts'
import type { StreamLimit } from '../call/stream-limit.ts'
import { boundedTimeout } from '../mcp/stream-expiry.ts'
import type { FollowContext } from '../rest/rest-follow.ts'
import { type Metrics, measureCall } from './metrics.ts'

/** What all that wait at one server share. */
export interface FollowServer {
  spaces: SpaceRegistry
  metrics: Metrics | undefined
  streams: StreamLimit
  /** Aborted when the server ends: nothing is waited for any more. */
  ending: AbortSignal
}

export interface FollowingRequest {
  caller: Caller
  lease: SpaceLease
  /** Of the space. */
  key: string
  /** By which streams are counted. */
  holder: string
  /** Milliseconds after which a stream ends, where its sign-in does. */
  lifetime?: number | undefined
  /** Calls it once when the answer is sent, or the client has gone. */
  onFinish(listener: () => void): void
  markLongLived(): void
}

export function followContext(
  { spaces, metrics, streams, ending }: FollowServer,
  { caller, lease, key, holder, lifetime, onFinish, markLongLived }: FollowingRequest,
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
      // The request is over for all that wait for it, so that the stream keeps the space open by itself.
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

/** A signal that is aborted by any of these, after so many milliseconds, and by `end`, which lets go of them. */
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
