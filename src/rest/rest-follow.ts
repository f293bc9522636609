/**
 * Requests that follow a growing list: answered immediately, after waiting for new entries, or as a stream of events.
 */
import { rateLimited } from '../base/errors.ts'
import { STREAMS_PER_LINK } from '../base/limits.ts'
import type { Tool } from '../call/catalog/tool-catalog.ts'
import type { FollowedCall } from '../call/follow.ts'
import { type Remaining, remainingAfterFailure } from '../call/rate-limiter.ts'
import type { IdSpelling } from '../space/model/ids.ts'
import { EVENT_STREAM, eventStream } from './event-stream.ts'
import { prefersType } from './rest-accept.ts'

/** What following needs of the server. */
export interface FollowContext {
  /** Starts the call. */
  call(tool: Tool, args: unknown, idSpelling: IdSpelling): Promise<FollowedCall>
  /** Counts a waiting request. @returns a function that ends it; undefined if the link has reached its limit */
  openWait(): (() => void) | undefined
  /** Aborted when the client disconnects or the server shuts down. */
  waitSignal(): AbortSignal
  /** Turns the response into one without end, so that neither the space nor a shutdown waits for it. */
  openStream(): Promise<StreamLease>
}

export interface StreamLease {
  /** Aborted when the stream must end. */
  signal: AbortSignal
  release(): void
}

interface FollowRequest {
  method: string
  accept: string | null
  tool: Tool
  args: unknown
  idSpelling: IdSpelling
}

/** How the response of a request is built. */
interface FollowAnswering {
  log(line: string): void
  headersOf(remaining: Remaining | undefined): Record<string, string>
  json(object: object, headers: Record<string, string>): Response
}

/** @throws RATE_LIMITED if the link has too many waiting requests; the errors of the call */
export async function answerFollowed(
  { method, accept, tool, args, idSpelling }: FollowRequest,
  context: FollowContext,
  { log, headersOf, json }: FollowAnswering,
): Promise<Response> {
  const following = await context.call(tool, args, idSpelling)
  const isStream = method === 'GET' && prefersType(accept, EVENT_STREAM)
  const mayWait = isStream || following.seconds > 0
  let endWait: (() => void) | undefined
  let isOpen = false
  try {
    if (mayWait) {
      endWait = context.openWait()
      if (endWait === undefined) throw tooManyWaiting()
    }
    const answer = await following.next(isStream ? 0 : following.seconds * 1000, context.waitSignal())
    const headers = headersOf(await following.acquire())
    headers.Vary = 'Accept'
    if (!isStream) return json(answer.object, headers)
    const lease = await context.openStream()
    isOpen = true
    return eventStream(following, answer, {
      keepAliveSeconds: tool.endpoint.follow?.keepAliveSeconds ?? 0,
      signal: lease.signal,
      headers,
      log,
      onEnd() {
        lease.release()
        endWait?.()
      },
    })
  } catch (error) {
    // A refused call counts, too.
    const remaining = await following.acquire().catch(() => undefined)
    if (remaining !== undefined) remainingAfterFailure.set(error as object, remaining)
    throw error
  } finally {
    if (!isOpen) {
      endWait?.()
      await following.close()
    }
  }
}

const tooManyWaiting = () =>
  rateLimited(
    `Expected at most ${STREAMS_PER_LINK} requests of one link that wait and streams at once, found that many; end one first.`,
    1000,
  )
