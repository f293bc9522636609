/** Runs a prepared call in one transaction: a read, a write, a dry run, or a proposal. */
import { assertWritableTime } from '../../storage/clock-fault.ts'
import { CommitUnknown, StorageFault } from '../../storage/storage-fault.ts'
import { linkPaused } from '../base/errors.ts'
import type { Comparer } from '../difference/comparer.ts'
import { beginningOfDiff } from '../difference/diff-parts.ts'
import { type DiffLimits, limitsOfDiff } from '../difference/read-diff.ts'
import { callsSinceSeen } from '../space/history/calls-since-seen.ts'
import { endDeletedLeases, endExpiredLeases } from '../space/leases/ending/end-leases.ts'
import { logCall } from '../space/model/audit-log.ts'
import { shortIds } from '../space/model/ids.ts'
import type { Space } from '../space/model/space.ts'
import type { AwaitedProposal } from '../space/proposals/awaited-proposal.ts'
import type { Caller } from './caller.ts'
import { findReplay, type IdempotentCall, storeResponse } from './idempotency.ts'
import { type Answer, finishCall, handleCall, type PreparedCall, writtenIdsOf } from './prepared-call.ts'
import type { ProposalOutcome } from './propose.ts'

/** What every dry run says. */
export const DRY_RUN_NOTE = 'Dry run: nothing was written.'

/** The result of a call that was not committed: a field of its response. */
export type Outcome = { dryRun: RehearsedCall } | { proposal: ProposalOutcome }

/** What a call would change. */
export interface RehearsedCall extends DiffLimits {
  summary: string
  diff: string
}

/** The response of a call, and what it is charged for. */
export interface Transacted {
  answer: Answer
  /** The result of a call that was not committed. */
  outcome?: Outcome
  /** The proposal that the call became, if its caller waits for the decision. */
  awaited?: AwaitedProposal
  note?: string
  /** What the caller should know about what it wrote, besides. */
  notes: ReadonlySet<string>
  notices?: Record<string, object[]>
  /** Blocks that it created, and blocks that its steps read. */
  made: number
  read: number
  isRepeated: boolean
  /** When it ran, in milliseconds since 1970, and the numbers of the documents in which it did. */
  at: number
  documents: ReadonlySet<number>
  /** The ID of a call that was carried out now, in the spelling of its caller. */
  callId?: string
}

/** Runs a call. If its COMMIT was not confirmed, the idempotency key determines whether it was carried out. */
export async function transact(call: PreparedCall, caller: Caller, context: CallContext): Promise<Transacted> {
  const { idempotent } = context
  try {
    return await transactOnce(call, caller, context)
  } catch (error) {
    if (!(error instanceof CommitUnknown) || idempotent === undefined) throw error
    return retryUnconfirmed(call, caller, { ...context, idempotent })
  }
}

/** What a call runs with besides its arguments. */
export interface CallContext {
  idempotent: IdempotentCall | undefined
  comparer: Comparer
  wholeDiff: boolean
  /** True if the caller waits for the decision on what the call proposes. */
  isAwaited: boolean
}

/** Returns the stored response of a call if it was committed; otherwise runs the call. */
async function retryUnconfirmed(
  call: PreparedCall,
  caller: Caller,
  context: CallContext & { idempotent: IdempotentCall },
): Promise<Transacted> {
  try {
    // This empty write waits for the unconfirmed one to end, so that later reads see its result.
    await caller.space.write(caller.link, async () => {})
    // The call is charged for, although its response was stored before.
    return { ...(await transactOnce(call, caller, context)), isRepeated: false }
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error
    throw new StorageFault('CONFLICT', unconfirmed(context.idempotent.key), error)
  }
}

const unconfirmed = (key: string): string =>
  `Expected the database to confirm the write, found the connection lost before it did and no way to find out since; send the call again with the idempotency key "${key}", under which it is carried out once.`

async function transactOnce(
  call: PreparedCall,
  caller: Caller,
  { idempotent, comparer, wholeDiff, isAwaited }: CallContext,
): Promise<Transacted> {
  const { space, link } = caller
  switch (call.mode) {
    case 'read':
    case 'rollBack': {
      const work = async (view: Space) => withNotices(view, await handleCall(call, view), caller)
      const found = await (call.mode === 'read' ? space.read(link, work) : space.writeAndRollBack(link, work))
      return { ...found, answer: await finishCall(call, found.answer, comparer) }
    }
    case 'write':
      return space.write(link, (view) => write(call, view, caller, idempotent))
    case 'dryRun':
      return runDry(call, caller, comparer, wholeDiff)
    case 'propose':
      return runProposed(call, caller, idempotent, isAwaited)
  }
}

/** Stores a call as a proposal. A retry with the same key is proposed once. */
async function runProposed(
  call: PreparedCall,
  caller: Caller,
  idempotent: IdempotentCall | undefined,
  isAwaited: boolean,
): Promise<Transacted> {
  const { space, link } = caller
  const waiting = (answer: Answer, proposal: ProposalOutcome, more: Partial<Transacted> = {}, awaits = isAwaited) =>
    space.read(link, async (view) => {
      const awaited = awaits ? await awaitedOf(view, proposal) : undefined
      return withNotices(view, answer, caller, { ...more, ...waitsAs(proposal), ...(awaited && { awaited }) })
    })
  const replay = idempotent && (await space.read(link, (view) => findReplay(view, idempotent)))
  if (replay !== undefined) {
    const { proposal, ...object } = replay as { proposal: ProposalOutcome }
    return waiting({ object }, proposal, { isRepeated: true })
  }
  const { propose } = await import('./propose.ts')
  const proposed = await propose(call, caller, {
    isAwaited,
    async store(view, { answer, proposal }) {
      const object = 'object' in answer ? answer.object : {}
      if (idempotent !== undefined) await storeResponse(view, idempotent, { ...object, proposal })
    },
  })
  const { answer, proposal, made, read } = proposed
  return { ...(await waiting(answer, proposal, {}, proposed.isAwaited)), made, read }
}

/** A proposal whose response is kept. */
async function awaitedOf(view: Space, { proposalId }: ProposalOutcome): Promise<AwaitedProposal | undefined> {
  const { readAwaited } = await import('../space/proposals/awaited-proposal.ts')
  const awaited = await readAwaited(view, (await view.readId(proposalId)).number)
  return awaited?.response === undefined ? undefined : awaited
}

const waitsAs = (proposal: ProposalOutcome): Pick<Transacted, 'outcome' | 'note'> => ({
  outcome: { proposal },
  note: `Nothing was written yet: this waits for approval as proposal ${proposal.proposalId}.`,
})

async function withNotices(
  view: Space,
  answer: Answer,
  { notices }: Caller,
  more: Partial<Transacted> = {},
): Promise<Transacted> {
  const newNotices = await notices?.readNew(view)
  return {
    ...{ answer, isRepeated: false, notes: view.notes, ...more },
    ...(newNotices !== undefined && { notices: newNotices }),
    ...{ made: view.blocksCreated, read: view.blocksRead, at: view.now, documents: view.documentsUsed },
  }
}

async function write(
  call: PreparedCall,
  view: Space,
  caller: Caller,
  idempotent: IdempotentCall | undefined,
): Promise<Transacted> {
  const replay = idempotent && (await findReplay(view, idempotent))
  if (replay !== undefined) {
    if (call.tool.endpoint.isPersonal) await view.getOwnParticipant()
    await call.tool.endpoint.assertStillValid?.({ space: view }, replay, call.prepared)
    return withNotices(view, { object: replay }, caller, { isRepeated: true })
  }
  if (call.endsLeases) await endExpiredLeases(view)
  await endDeletedLeases(view, call.deletes)
  if (call.isAllowedWhenFull) view.quota?.exempt()
  const answer = await handleCall(call, view)
  const hasWritten = !('object' in answer) || call.tool.endpoint.hasWritten?.(answer.object) !== false
  const logged = view.loggedCall === undefined && hasWritten ? await logWrite(call, view, answer) : undefined
  const number = view.loggedCall ?? logged?.n
  if (idempotent !== undefined) await storeResponse(view, idempotent, 'object' in answer ? answer.object : {}, number)
  return withNotices(view, answer, caller, logged && { callId: view.spellId(logged.id) })
}

/**
 * Logs a call, and tells its caller what of others it has replaced.
 *
 * @returns its number and ID
 * @throws LINK_PAUSED
 */
async function logWrite(call: PreparedCall, view: Space, answer: Answer): Promise<{ n: number; id: number }> {
  const { name, effect, administers } = call.tool.endpoint
  const written = shortIds(writtenIdsOf(call, answer))
  const ids = written.map(Number)
  const since = effect === 'add' || view.undoneCalls !== undefined ? undefined : callsSinceSeen(view, ids)
  const { n, id, hasOthers, linkPausedAt } = await logCall(view, name, written, {
    ...(since && { since }),
    about: administers?.(call.prepared),
  })
  // A person may have paused the link since the call began.
  if (linkPausedAt !== undefined) throw linkPaused(linkPausedAt)
  if (since !== undefined && hasOthers) {
    const { noteReplaced } = await import('../space/history/replaced-changes.ts')
    await noteReplaced(view, n, since)
  }
  const isShown = call.form === 'full' && call.tool.endpoint.shorten !== undefined && view.link.hasSession === true
  view.seenRows.write(ids, n, isShown)
  return { n, id }
}

/** Runs a call in a transaction that is rolled back, and describes what it changed. */
async function runDry(call: PreparedCall, caller: Caller, comparer: Comparer, wholeDiff: boolean): Promise<Transacted> {
  const { describeCall, recordCall } = await import('../space/history/describe-call.ts')
  const { result, recorded } = await caller.space.writeAndRollBack(caller.link, async (view) => {
    assertWritableTime(view.now)
    if (call.endsLeases) await endExpiredLeases(view)
    await endDeletedLeases(view, call.deletes)
    if (call.isAllowedWhenFull) view.quota?.exempt()
    const answer = await handleCall(call, view)
    const number = view.loggedCall ?? (await logWrite(call, view, answer)).n
    await view.quota?.isExceeded(view.tx)
    const result = await withNotices(view, answer, caller, { note: DRY_RUN_NOTE })
    return { result, recorded: await recordCall(view, number) }
  })
  const { summary, diff } = await describeCall(recorded, comparer)
  // A person decides by all of it.
  const isWhole = wholeDiff || call.tool.endpoint.effect === 'decide'
  const shown = isWhole ? { diff, ...limitsOfDiff(diff) } : beginningOfDiff(diff)
  return { ...result, outcome: { dryRun: { summary, ...shown } } }
}
