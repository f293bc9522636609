/**
 * Runs one call, independent of its transport: prepares it, acquires quota, runs it in one transaction, and charges for
 * the blocks that it read or wrote.
 */
import { ScriptoriumError } from '../base/errors.ts'
import { forOwner } from '../base/fair-queue.ts'
import { isObject } from '../base/is-object.ts'
import { Comparer } from '../difference/comparer.ts'
import type { IdSpelling } from '../space/model/ids.ts'
import type { PrepareContext } from '../space/model/prepare-context.ts'
import type { AwaitedProposal } from '../space/proposals/awaited-proposal.ts'
import { type Caller, workOwner } from './caller.ts'
import type { Tool } from './catalog/tool-catalog.ts'
import { createIdempotentCall, hasReplay, type IdempotentCall } from './idempotency.ts'
import { noteWithoutMissingTools, withoutMissingTools } from './missing-tools.ts'
import { type AnswerDefaults, prepareCall } from './prepare-call.ts'
import { type Answer, countBlocksRead, disposePrepared, type PreparedCall, renderAnswer } from './prepared-call.ts'
import { type QuotaRequest, type Remaining, remainingAfterFailure } from './rate-limiter.ts'
import { type Outcome, type Transacted, transact } from './transact.ts'

export type { Caller } from './caller.ts'

/** The result of a call: an object or text, pending notices, and what is left of the space's rate limits. */
export type CallResult = Answer & {
  /** A warning about the content that was written. */
  note?: string
  /** By keys of `_meta` of MCP responses. */
  notices?: Record<string, object[]>
  remaining?: Remaining
  /** Blocks that were read or written. */
  blocks?: number
  /** The ID of the call in the history, if it wrote something now. */
  callId?: string
  /** The proposal that the call became, if its caller waits for the decision. */
  awaited?: AwaitedProposal
}

/** Options of a call that are not arguments. */
export interface CallOptions {
  /** The idempotency key. If the same call is repeated with it, the first response is returned. */
  idempotencyKey?: string
  /** The body of a request with a file, not yet read. */
  body?: NonNullable<PrepareContext['body']>
  /** Which defaults omitted inputs get in place of those of the contract; none if absent. */
  defaults?: AnswerDefaults
  /** True if the call should only report what it would change. Calls that read run as usual. */
  dryRun?: boolean
  /** The spelling of IDs in the response; short if absent. */
  idSpelling?: IdSpelling
  /** True if the call came over REST. */
  overRest?: boolean
  /** True if the history is to name what calls changed, as it does over REST. Agents get counts, which are short. */
  namesChanges?: boolean
  /** Compares texts. Calls that answer one request share it, since its limit is that of a request. */
  comparer?: Comparer
  /** True if the caller waits for the decision on what the call proposes. */
  isAwaited?: boolean
  /** True if a dry run returns all of its difference, and not only the beginning. */
  wholeDiff?: boolean
}

/** @throws ScriptoriumError for errors that the caller can correct; any other error is a bug of this program */
export function runCall(
  tool: Tool,
  rawArguments: unknown,
  caller: Caller,
  options: CallOptions = {},
): Promise<CallResult> {
  return forOwner(workOwner(caller), () =>
    runOwned(tool, rawArguments, caller, options).catch((cause: object) => {
      const error = withoutMissingTools(cause, tool.catalog, caller)
      const remaining = remainingAfterFailure.get(cause)
      if (error !== cause && remaining !== undefined) remainingAfterFailure.set(error, remaining)
      throw error
    }),
  )
}

async function runOwned(
  tool: Tool,
  rawArguments: unknown,
  calledBy: Caller,
  options: CallOptions,
): Promise<CallResult> {
  const { idSpelling = 'short', overRest = false, comparer = new Comparer() } = options
  const { wholeDiff = false, isAwaited = false } = options
  const namesChanges = options.namesChanges ?? overRest
  const caller = { ...calledBy, link: { ...calledBy.link, idSpelling, overRest, namesChanges } }
  const { link } = caller
  const acquire = await beginRequest(caller)
  // A body is stored on disk before the arguments are read, so it needs quota first.
  const acquiredEarly = options.body === undefined ? undefined : { left: await acquire({ blocks: BODY_BLOCKS }) }
  const prepare = async () => prepareCall(tool, rawArguments, caller, await withinRoom(options, caller))
  const call = await prepare().catch(async (error) => {
    // A call that cannot be parsed counts as a request, too.
    const remaining = acquiredEarly
      ? await caller.rateLimiter?.charge(-BODY_BLOCKS, acquiredEarly.left ?? {})
      : await acquire({})
    if (remaining !== undefined) remainingAfterFailure.set(error, remaining)
    throw error
  })
  try {
    const idempotent = await idempotentCall(call, caller, options.idempotencyKey)
    if (acquiredEarly !== undefined) call.blocks = BODY_BLOCKS
    // A replayed call writes nothing, so it need not wait for quota of blocks.
    else if (idempotent?.isReplay) delete call.blocks
    const remaining = acquiredEarly ? acquiredEarly.left : await acquire(quotaRequestOf(call))
    // A read that is to be complete needs room for all of it.
    const left = overRest && !isBounded(call) ? caller.rateLimiter?.blocksLeft(remaining ?? {}) : undefined
    const within = left === undefined ? caller : { ...caller, link: { ...caller.link, blocksLeft: left } }
    const transacted = await transact(call, within, { idempotent, comparer, wholeDiff, isAwaited }).catch(
      async (cause) => {
        const error = await explainError(cause, call, caller)
        // Blocks that were not written are refunded.
        const afterRefund = await caller.rateLimiter?.charge(-(call.blocks ?? 0), remaining ?? {})
        if (afterRefund !== undefined) remainingAfterFailure.set(error, afterRefund)
        throw error
      },
    )
    const { answer, outcome, notices, at, documents, awaited } = transacted
    if (link.id !== undefined && !link.isPerson) caller.space.activity.note(link.id, at, documents)
    const note = [transacted.note ?? call.note, ...transacted.notes]
      .flatMap((one) => (one === undefined ? [] : noteWithoutMissingTools(one, tool.catalog, caller)))
      .join(' ')
    if (left !== undefined) await caller.rateLimiter?.assertHasLeft(countBlocksRead(call, answer) ?? 0, remaining ?? {})
    const charged = await chargeBlocks(call, transacted, caller, remaining)
    return {
      ...withOutcome(await renderAnswer(call, answer), outcome),
      ...(note !== '' && { note }),
      ...(notices !== undefined && { notices }),
      ...(transacted.callId !== undefined && { callId: transacted.callId }),
      ...(awaited !== undefined && { awaited }),
      ...charged,
    }
  } finally {
    await disposePrepared(call.prepared)
  }
}

/**
 * Bounds a body by the room that is left: by its announced size before it is read, and by its bytes as they arrive.
 *
 * @throws QUOTA_EXCEEDED; so does the stream
 */
async function withinRoom(options: CallOptions, { space, link }: Caller): Promise<CallOptions> {
  const { body, idempotencyKey: key } = options
  const room = body && (await space.roomFor(link))
  if (body === undefined || room === undefined) return options
  // A retry adds nothing.
  if (key !== undefined && (await space.read(link, (view) => hasReplay(view, { key })))) return options
  room.assertHas(Math.max(body.size ?? 0, 1))
  async function* bounded(stream: AsyncIterable<Uint8Array>) {
    let size = 0
    for await (const chunk of stream) {
      size += chunk.byteLength
      room?.assertHas(size)
      yield chunk
    }
  }
  return { ...options, body: { ...body, stream: bounded(body.stream) } }
}

/** Blocks that a body becomes. */
const BODY_BLOCKS = 1

/**
 * Counts a request of the caller's address immediately, and then of the space. If the space refuses, the address is not
 * charged either. Further requests are counted once the prepared call says how many it counts as.
 *
 * @throws RATE_LIMITED; the returned function rejects with it too
 */
export async function beginRequest({
  acquireAddress,
  rateLimiter,
  link,
  onCounted,
}: Caller): Promise<(asks: QuotaRequest) => Promise<Remaining | undefined>> {
  const refuse = (error: unknown): never => {
    onCounted?.(remainingAfterFailure.get(error as object) ?? {}, error)
    throw error
  }
  const releases = [await acquire(acquireAddress).catch(refuse)]
  if (link.id !== undefined) rateLimiter?.noteUse(link.id)
  return async (request) => {
    try {
      const { requests = 1 } = request
      if (requests > 1) releases.push(await acquireAddress?.(requests - 1))
      const remaining = await rateLimiter?.acquire(request)
      onCounted?.(remaining ?? {})
      return remaining
    } catch (error) {
      for (const release of releases) await release?.()
      return refuse(error)
    }
  }
}

/** Counts a request without a call. @throws RATE_LIMITED */
export const countRequest = async (caller: Caller): Promise<Remaining | undefined> => (await beginRequest(caller))({})

/** As a promise, whether the limit of addresses refuses at once or later. */
const acquire = async (acquireAddress: Caller['acquireAddress']) => acquireAddress?.()

/** A call with an idempotency key, which may be a retry. */
async function idempotentCall(
  { tool: { endpoint }, input, prepared, mode }: PreparedCall,
  { space, link }: Caller,
  key: string | undefined,
): Promise<(IdempotentCall & { isReplay: boolean }) | undefined> {
  // Answers that hold a secret are stored nowhere.
  if (key === undefined || endpoint.decidesAccess || (mode !== 'write' && mode !== 'propose')) return undefined
  const payload = endpoint.payloadIdentity?.(prepared)
  const idempotent = await createIdempotentCall(key, endpoint.name, endpoint.payloadIdentity ? [input, payload] : input)
  return { ...idempotent, isReplay: await space.read(link, (view) => hasReplay(view, idempotent)) }
}

/** Adds to an error what the caller can do about it. */
async function explainError(error: object, call: PreparedCall, caller: Caller): Promise<object> {
  if (!(error instanceof ScriptoriumError)) return error
  // A change that would have deleted something is refused while the call runs.
  if (error.code === 'FORBIDDEN' && caller.scopeError !== undefined) return caller.scopeError('delete', error.message)
  if (error.code !== 'NOT_FOUND_ERROR') return error
  const { explainPromised } = await import('./propose.ts')
  return explainPromised(error, call, caller)
}

/** True if the caller says how much it wants to read, and so expects a part. */
const isBounded = ({ input }: PreparedCall): boolean =>
  isObject(input) && ['limit', 'maxBlocks', 'cursor'].some((key) => input[key] !== undefined)

function quotaRequestOf({ tool: { endpoint }, blocks, requests }: PreparedCall): QuotaRequest {
  const isRead = endpoint.blocks !== undefined && 'read' in endpoint.blocks
  return { requests, ...(isRead ? { blocks: 'read' as const } : blocks !== undefined && { blocks }) }
}

/** Adds the outcome of a call before its response. */
const withOutcome = (answer: Answer, outcome: Outcome | undefined): Answer =>
  outcome === undefined ? answer : { object: { ...outcome, ...('object' in answer && answer.object) } }

/** The remaining quota after charging for blocks that were read, or created beyond the estimate. */
async function chargeBlocks(
  call: PreparedCall,
  { answer, made, read, isRepeated }: Transacted,
  { rateLimiter }: Caller,
  acquired: Remaining | undefined,
): Promise<Pick<CallResult, 'blocks' | 'remaining'>> {
  const { mode, blocks: requested = 0 } = call
  const written = mode === 'read' || isRepeated ? 0 : Math.max(requested, made)
  const blocks = countBlocksRead(call, answer) ?? written + read
  const remaining = await rateLimiter?.charge(blocks - requested, acquired ?? {})
  return { ...(blocks > 0 && { blocks }), ...(remaining !== undefined && { remaining }) }
}
