/**
 * Calls that wait until there is something to return. A single read of the space serves all calls that wait in this
 * process, and calls of one link at the same position share a response.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ScriptoriumError } from '../base/errors.ts'
import type { Follow, StreamEvent } from '../endpoint.ts'
import type { Listening } from '../space/change-watcher.ts'
import type { AccessLink } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { Caller } from './caller.ts'
import type { Tool } from './catalog/tool-catalog.ts'
import { prepareCall } from './prepare-call.ts'
import { handleCall, type PreparedCall } from './prepared-call.ts'
import { type QuotaRequest, type Remaining, remainingAfterFailure } from './rate-limiter.ts'
import { beginRequest, type CallOptions } from './run.ts'

/** One response of a list that grows. */
export interface FollowedAnswer {
  object: object
  events: StreamEvent[]
  /** The position from which the next call continues. */
  cursor: string
  /** True if there was more to read already. */
  hasMore: boolean
  /** Milliseconds after which there may be more although nothing is written. */
  again?: number
  /** True if it is returned at once, although it may have no events. */
  isNews?: boolean
}

/** The result of one read of the space, shared by all calls that wait for it. */
interface SharedRead {
  answer: FollowedAnswer
  /** The call that continues after this one. */
  next: unknown
}

/** A call that is repeated: each response continues where the previous one ended. */
export class FollowedCall {
  /** Seconds that the call wants to wait for something to return. */
  readonly seconds: number
  readonly #followers: Followers
  readonly #caller: Caller
  readonly #call: PreparedCall
  readonly #follow: Follow
  /** Counts the first call. Undefined once it was counted. */
  #acquire: ((asks: QuotaRequest) => Promise<Remaining | undefined>) | undefined
  #ready: unknown

  constructor(
    followers: Followers,
    caller: Caller,
    follow: Follow,
    call: PreparedCall,
    acquire: ((asks: QuotaRequest) => Promise<Remaining | undefined>) | undefined,
  ) {
    this.#followers = followers
    this.#caller = caller
    this.#follow = follow
    this.#call = call
    this.#ready = call.prepared
    this.seconds = follow.seconds(call.prepared)
    this.#acquire = acquire
  }

  /**
   * Waits for the next response that is not empty. Returns an empty one on timeout or abort.
   * @param milliseconds  the timeout; 0 returns immediately
   * @throws INVALID_AUTH_HEADER once the link has ended; the errors of the call itself
   */
  async next(milliseconds: number, signal?: AbortSignal): Promise<FollowedAnswer> {
    const deadline = performance.now() + milliseconds
    for (;;) {
      const { generation } = this.#followers
      const { answer, next } = await this.#followers.read(this.#caller, this.#follow, {
        ...this.#call,
        prepared: this.#ready,
      })
      this.#ready = next
      const left = deadline - performance.now()
      if (answer.events.length > 0 || answer.isNews || left <= 0) return answer
      await this.#followers.changeAfter(generation, Math.min(left, answer.again ?? left), signal)
      if (signal?.aborted) return answer
    }
  }

  /**
   * Counts a call of the space. The caller's address was counted at the beginning, and only then.
   *
   * @throws RATE_LIMITED
   */
  async acquire(): Promise<Remaining | undefined> {
    const acquire = this.#acquire
    if (acquire === undefined) return this.#caller.rateLimiter?.acquire({})
    this.#acquire = undefined
    return acquire({})
  }

  /** The same, once the rate limit of the space allows it. @throws the reason of the signal once it is aborted */
  async acquireInTime(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.acquire()
        return
      } catch (error) {
        if (!(error instanceof ScriptoriumError) || error.retryAfter === undefined) throw error
        await delay(error.retryAfter * 1000, undefined, { signal })
      }
    }
  }

  /** Stops following. */
  close(): Promise<void> {
    return this.#followers.leave()
  }
}

/**
 * Starts a repeated call without reading a response yet: {@link FollowedCall.next} returns the first. The caller's
 * address is charged one request immediately; the space is not charged, see {@link FollowedCall.acquire}.
 * @param options.isCounted  true if the request was counted before; then only what catches up is
 * @throws ScriptoriumError for invalid arguments, as any call; this is charged as a request
 */
export async function followCall(
  tool: Tool,
  rawArguments: unknown,
  calledBy: Caller,
  options: CallOptions & { isCounted?: boolean } = {},
): Promise<FollowedCall> {
  const { idSpelling = 'short', overRest = false, isCounted = false } = options
  const caller = { ...calledBy, link: { ...calledBy.link, idSpelling, overRest } }
  const { follow, name } = tool.endpoint
  if (follow === undefined) throw new Error(`Expected an endpoint that can be followed, found ${name}.`)
  const acquire = isCounted ? undefined : await beginRequest(caller)
  const followers = followersOf(caller.space)
  try {
    const call = await prepareCall(tool, rawArguments, caller, options)
    const locate = () =>
      caller.space.read(caller.link, async (space) => {
        await space.resolveIds(call.ids)
        return follow.locate({ space }, call.prepared)
      })
    // Listening records what has come due, which a call with a cursor that is refused must not cause. A call without one
    // begins at what is there once it listens.
    const { [follow.cursorField]: cursor } = call.prepared as Record<string, unknown>
    const located = cursor === undefined ? undefined : await locate()
    await followers.enter()
    try {
      const prepared = located ?? (await locate())
      return new FollowedCall(followers, caller, follow, { ...call, prepared }, acquire)
    } catch (error) {
      await followers.leave()
      throw error
    }
  } catch (error) {
    const remaining = await acquire?.({})
    if (remaining !== undefined) remainingAfterFailure.set(error as object, remaining)
    throw error
  }
}

/** Reads of a space that run at the same time for all followers, so that other calls find free connections too. */
const READS_AT_ONCE = 2

const followersBySpace = new WeakMap<OpenSpace, Followers>()

function followersOf(space: OpenSpace): Followers {
  const followers = followersBySpace.get(space) ?? new Followers(space)
  followersBySpace.set(space, followers)
  return followers
}

/** All followers of one space. */
class Followers {
  /** Incremented whenever there may be something new. */
  generation = 0
  readonly #space: OpenSpace
  readonly #reads = new Map<string, Promise<SharedRead>>()
  readonly #links = new Map<string, Promise<AccessLink | undefined>>()
  #listening: Listening | undefined
  readonly #lanes: Promise<unknown>[] = Array.from({ length: READS_AT_ONCE }, () => Promise.resolve())
  #turn = 0
  #members = 0
  readonly #waiting = new Set<() => void>()

  constructor(space: OpenSpace) {
    this.#space = space
  }

  /** Resolves once every later change wakes the followers. */
  async enter(): Promise<void> {
    this.#members++
    this.#listening ??= this.#space.watch(({ feedMoved }) => this.#wake(feedMoved), { includesFeed: true })
    await this.#listening.ready
  }

  async leave(): Promise<void> {
    if (--this.#members > 0) return
    const listening = this.#listening
    this.#listening = undefined
    await listening?.stop()
  }

  #wake(feedMoved: boolean): void {
    if (!feedMoved) return
    this.generation++
    // Reads that began earlier may miss the change that woke the followers.
    this.#reads.clear()
    this.#links.clear()
    for (const resume of [...this.#waiting]) resume()
  }

  /** Resolves at the first change after this generation, on timeout, or on abort. */
  changeAfter(generation: number, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (generation !== this.generation || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', resume)
        this.#waiting.delete(resume)
        resolve()
      }
      const timer = setTimeout(resume, milliseconds).unref()
      signal?.addEventListener('abort', resume)
      this.#waiting.add(resume)
    })
  }

  /** Shares one read of the space among all calls of a link that ask for the same at the same time. */
  async read(caller: Caller, follow: Follow, call: PreparedCall): Promise<SharedRead> {
    const link = await this.#currentLink(caller)
    const key = JSON.stringify([call.tool.endpoint.name, keyOf(caller), link.idSpelling, call.prepared])
    return shared(this.#reads, key, () => this.#inTurn(() => this.#readOnce(link, follow, call)))
  }

  #readOnce(link: AccessLink, follow: Follow, call: PreparedCall): Promise<SharedRead> {
    return this.#space.read(link, async (space) => {
      const answer = await handleCall(call, space)
      const object = 'object' in answer ? answer.object : {}
      const next = await follow.locate({ space }, follow.after(call.prepared, object))
      return { answer: { object, ...follow.read(object) }, next }
    })
  }

  /** Queues work behind earlier work of the same lane. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const lane = this.#turn++ % READS_AT_ONCE
    const result = (this.#lanes[lane] ?? Promise.resolve()).then(work)
    this.#lanes[lane] = result.catch(() => {})
    return result
  }

  async #currentLink(caller: Caller): Promise<AccessLink> {
    const { link, currentLink } = caller
    const current = await shared(this.#links, keyOf(caller), async () =>
      currentLink === undefined ? link : this.#inTurn(currentLink),
    )
    if (current === undefined) {
      throw new ScriptoriumError(
        'INVALID_AUTH_HEADER',
        'Expected a link that stands, found that it was revoked or has expired meanwhile; ask the person who made the link for another.',
      )
    }
    const { idSpelling, overRest, files } = link
    return {
      ...current,
      ...(idSpelling && { idSpelling }),
      ...(overRest !== undefined && { overRest }),
      ...(files && { files }),
    }
  }
}

/** Callers without a stored link, such as those over stdio, are identified by their reach and their names. */
const keyOf = ({ link: { id, kind, access, documents, author, client } }: Caller): string =>
  id ?? JSON.stringify([kind, access, [...documents], author, client])

/** Returns the running work with this key, or starts it. */
function shared<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const found = running.get(key)
  if (found !== undefined) return found
  const promise = work().finally(() => {
    if (running.get(key) === promise) running.delete(key)
  })
  running.set(key, promise)
  return promise
}
