/**
 * Handles calls of links that may only propose. The call runs in a transaction that is rolled back, on top of the
 * link's pending proposals, and is stored until a person decides.
 */
import { proposalsPromising } from '../../storage/proposals.ts'
import type { ProposalRow } from '../../storage/schema.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { beginningOfDiff } from '../difference/diff-parts.ts'
import type { DiffLimits } from '../difference/read-diff.ts'
import { endDeletedLeases, endExpiredLeases } from '../space/leases/ending/end-leases.ts'
import type { SeenSchema } from '../space/model/seen-schemas.ts'
import type { Space } from '../space/model/space.ts'
import { disposeSteps, type PreparedStep } from '../space/model/steps.ts'
import { canSeeProposal, readReach, stateOf, waitingOf } from '../space/proposals/proposal.ts'
import {
  describeRehearsal,
  type RecordedRehearsal,
  rehearse,
  runEarlierProposal,
} from '../space/proposals/rehearse-proposal.ts'
import {
  assertProposalCapacity,
  assertReadable,
  ownWaiting,
  type ProposedCall,
  prepareProposal,
  storeProposal,
} from '../space/proposals/store-proposal.ts'
import type { Caller } from './caller.ts'
import { createStep, prepareContext } from './prepare-call.ts'
import { type Answer, handleCall, type PreparedCall } from './prepared-call.ts'

/** A proposal as the caller sees it. */
export interface ProposalOutcome extends DiffLimits {
  proposalId: string
  summary: string
  diff: string
}

export interface Proposed {
  /** The response that the call would have after approval. */
  answer: Answer
  proposal: ProposalOutcome
  /** Blocks that the call would create, and blocks that its steps read. */
  made: number
  read: number
}

/**
 * @param store  runs in the transaction that stores the proposal
 * @throws the errors of the call; CONFLICT if the link would have too many pending proposals
 */
export async function propose(
  call: PreparedCall,
  caller: Caller,
  store: (view: Space, proposed: Proposed) => Promise<void>,
): Promise<Proposed> {
  const { space, link } = caller
  const { endpoint } = call.tool
  const steps = endpoint.steps?.(call.prepared) ?? [createStep(call, { path: '', as: undefined })]
  const asked: ProposedCall = { tool: endpoint.name, steps, blocks: call.blocks ?? 0 }
  const replaced = await space.read(link, async (view) => {
    const before = await ownWaiting(view, caller.replaces)
    await assertProposalCapacity(view, asked, { replaced: before?.n })
    return before?.n
  })
  const { answer, recorded, made, read, seenSchemas } = await rehearseOnTop(call, caller, replaced)
  const rehearsal = await describeRehearsal(recorded)
  await space.read(link, (view) => assertReadable(view, asked, rehearsal))
  const { summary, diff } = rehearsal
  const difference = beginningOfDiff(diff)
  return space.write(link, async (view) => {
    if (call.isAllowedWhenFull) view.quota?.exempt()
    await endpoint.whenProposed?.({ space: view }, call.prepared)
    const { id } = await storeProposal(view, { ...asked, seenSchemas }, rehearsal, caller.replaces)
    const proposal = { proposalId: view.spellId(id), summary, ...difference }
    const proposed = { answer, proposal, made, read }
    await store(view, proposed)
    return proposed
  })
}

/** The result of a rehearsal. */
interface Rehearsed extends Omit<Proposed, 'proposal'> {
  recorded: RecordedRehearsal
  /** What the connection had seen of the schemas that the call changes. */
  seenSchemas: ReadonlyMap<number, SeenSchema>
}

/**
 * Runs the call on top of the pending proposals of its link. Proposals that can no longer be carried out are skipped.
 *
 * @param replaced  the number of the proposal whose place it takes
 */
async function rehearseOnTop(call: PreparedCall, caller: Caller, replaced: number | undefined): Promise<Rehearsed> {
  const { space, link } = caller
  const context = prepareContext(call.tool, caller, {})
  const prepared: { row: ProposalRow; steps: PreparedStep[] }[] = []
  try {
    for (const row of await space.read(link, (view) => waitingOf(view, link))) {
      if (row.n === replaced) continue
      const steps = await unlessRefused(prepareProposal(row, readReach(row, 'propose'), context))
      if (steps !== undefined) prepared.push({ row, steps })
    }
    return await space.writeAndRollBack(link, async (view) => {
      // Some may have been decided in the meantime.
      const waiting = new Set((await waitingOf(view, link)).map(({ n }) => n))
      for (const { row, steps } of prepared) {
        if (waiting.has(row.n)) await unlessRefused(view.tx.attempt(() => runEarlierProposal(view, row, steps)))
      }
      if (call.endsLeases) await endExpiredLeases(view)
      await endDeletedLeases(view, call.deletes)
      const { result, rehearsal } = await rehearse(view, call.tool.endpoint.name, (inner) => handleCall(call, inner))
      const seenSchemas = view.seenSchemas.asked
      return { answer: result, recorded: rehearsal, made: view.blocksCreated, read: view.blocksRead, seenSchemas }
    })
  } finally {
    for (const { steps } of prepared) await disposeSteps(steps)
  }
}

/** Returns undefined if the call is refused. @throws errors that are bugs of this program */
const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  })

/**
 * Explains a missing ID that was promised to the caller: names the proposal that would create it.
 * @param error  the error that the call was refused with
 */
export async function explainPromised(
  error: ScriptoriumError,
  { ids }: PreparedCall,
  { space, link }: Caller,
): Promise<ScriptoriumError> {
  const named = ids.filter((id) => error.message.includes(String(id)))
  if (named.length === 0) return error
  return space.read(link, async (view) => {
    await view.resolveIds(named)
    for (const id of named) {
      for (const row of await proposalsPromising(view.tx, [id.number])) {
        if (!(await canSeeProposal(view, row)) || (await stateOf(view, row)) !== 'waiting') continue
        return new ScriptoriumError(
          'NOT_FOUND_ERROR',
          `Expected something that is there, found ${id}, which waits in proposal ${view.spellId(row.id)}; it can be read once a person has approved that.`,
          error.details,
        )
      }
    }
    return error
  })
}
