/**
 * Handles calls of links that may only propose. The call runs in a transaction that is rolled back, on top of the
 * link's pending proposals, and is stored until a person decides.
 */
import { proposalsPromising } from '../../storage/proposals.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { TASK_RESPONSE_LENGTH } from '../base/limits.ts'
import { beginningOfDiff } from '../difference/diff-parts.ts'
import type { DiffLimits } from '../difference/read-diff.ts'
import type { SeenSchema } from '../space/model/seen-schemas.ts'
import type { Space } from '../space/model/space.ts'
import type { PreparedStep } from '../space/model/steps.ts'
import type { SplitCall } from '../space/proposals/parts/split-proposal.ts'
import { canSeeProposal, stateOf } from '../space/proposals/proposal.ts'
import { describeRehearsal, type RecordedRehearsal, rehearse } from '../space/proposals/rehearse-proposal.ts'
import {
  assertProposalCapacity,
  assertReadable,
  ownWaiting,
  type ProposedCall,
  storeProposal,
} from '../space/proposals/store-proposal.ts'
import type { Caller } from './caller.ts'
import { createStep } from './prepare-call.ts'
import { type Answer, type PreparedCall, renderAnswer } from './prepared-call.ts'
import { onTopOfWaiting, type Proposing, runSplitting, splitProposal } from './split-call.ts'

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
  /** True if the response is kept for the connection, which waits for the decision. */
  isAwaited: boolean
  /** Blocks that the call would create, and blocks that its steps read. */
  made: number
  read: number
}

export interface ProposeOptions {
  /** True if the connection waits for the decision. A response that is too long to be kept is given at once. */
  isAwaited: boolean
  /** Runs in the transaction that stores the proposal. */
  store(view: Space, proposed: Proposed): Promise<void>
}

/**
 * @throws the errors of the call; CONFLICT if the link would have too many pending proposals
 */
export async function propose(
  call: PreparedCall,
  caller: Caller,
  { isAwaited, store }: ProposeOptions,
): Promise<Proposed> {
  const { space, link } = caller
  const { endpoint } = call.tool
  const steps = endpoint.steps?.(call.prepared) ?? [createStep(call, { path: '', as: undefined })]
  const asked: ProposedCall = { tool: endpoint.name, steps, blocks: call.blocks ?? 0 }
  const replaced = await space.read(link, async (view) => {
    const before = (await ownWaiting(view, caller.replaces)).map(({ n }) => n)
    await assertProposalCapacity(view, asked, { replaced: before })
    return before
  })
  const proposing: Proposing = { call, caller, replaced }
  const { answer, recorded, made, read, seenSchemas, calls } = await rehearseOnTop(proposing, steps)
  const rehearsal = await describeRehearsal(recorded)
  await space.read(link, (view) => assertReadable(view, asked, rehearsal))
  const { parts, changes } = await splitProposal(proposing, calls, recorded)
  const { summary, diff } = rehearsal
  const difference = beginningOfDiff(diff)
  const version = caller.replaces?.version
  const response = isAwaited ? await keptResponse(call, answer) : undefined
  return space.write(link, async (view) => {
    if (call.isAllowedWhenFull) view.quota?.exempt()
    await endpoint.whenProposed?.({ space: view }, call.prepared)
    const { id } = await storeProposal(
      view,
      { ...asked, seenSchemas, parts: { ...parts, ...(response && { response }), ...(version && { version }) } },
      { ...rehearsal, changes },
      caller.replaces,
    )
    const proposal = { proposalId: view.spellId(id), summary, ...difference }
    const proposed = { answer, proposal, isAwaited: response !== undefined, made, read }
    await store(view, proposed)
    return proposed
  })
}

/** The result of a rehearsal. */
interface Rehearsed extends Omit<Proposed, 'proposal' | 'isAwaited'> {
  recorded: RecordedRehearsal
  /** What the connection had seen of the schemas that the call changes. */
  seenSchemas: ReadonlyMap<number, SeenSchema>
  /** The calls that it consists of, and what each of them is split into. */
  calls: readonly SplitCall[]
}

/** The response in the form that the caller asked for; undefined if it is too long to be kept. */
async function keptResponse(call: PreparedCall, answer: Answer): Promise<object | undefined> {
  const rendered = await renderAnswer(call, answer)
  const response = 'object' in rendered ? rendered.object : undefined
  return JSON.stringify(response ?? {}).length > TASK_RESPONSE_LENGTH ? undefined : response
}

/** Runs the call on top of the pending proposals of its link. */
function rehearseOnTop(proposing: Proposing, steps: readonly PreparedStep[]): Promise<Rehearsed> {
  const { call } = proposing
  return onTopOfWaiting(proposing, async (view) => {
    const { name } = call.tool.endpoint
    const { result, rehearsal } = await rehearse(view, name, (inner) => runSplitting(call, inner, steps))
    const seenSchemas = view.seenSchemas.asked
    return { ...result, recorded: rehearsal, made: view.blocksCreated, read: view.blocksRead, seenSchemas }
  })
}

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
