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
import { type StoredPart, type StoredParts, wholePart } from '../space/proposals/parts/part.ts'
import { disposeParts, type PreparedPart, PromisedIds } from '../space/proposals/parts/run-parts.ts'
import {
  onlyPart,
  type PlannedParts,
  planParts,
  preparePlanned,
  runPlanned,
  type SplitCall,
} from '../space/proposals/parts/split-proposal.ts'
import { canSeeProposal, readReach, stateOf, waitingOf } from '../space/proposals/proposal.ts'
import {
  describeRehearsal,
  type RecordedRehearsal,
  rehearse,
  resolvingThread,
  runProposal,
} from '../space/proposals/rehearse-proposal.ts'
import { prepareWaiting } from '../space/proposals/remaining-parts.ts'
import {
  assertProposalCapacity,
  assertReadable,
  ownWaiting,
  type ProposedCall,
  storedSteps,
  storeProposal,
} from '../space/proposals/store-proposal.ts'
import type { Caller } from './caller.ts'
import { createStep, prepareContext } from './prepare-call.ts'
import { type Answer, handleCall, type PreparedCall, writtenIdsOf } from './prepared-call.ts'

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
  const proposing: Proposing = { call, caller, replaced }
  const { answer, recorded, made, read, seenSchemas, calls } = await rehearseOnTop(proposing, steps)
  const rehearsal = await describeRehearsal(recorded)
  await space.read(link, (view) => assertReadable(view, asked, rehearsal))
  const parts = await splitProposal(proposing, calls, recorded)
  const { summary, diff } = rehearsal
  const difference = beginningOfDiff(diff)
  return space.write(link, async (view) => {
    if (call.isAllowedWhenFull) view.quota?.exempt()
    await endpoint.whenProposed?.({ space: view }, call.prepared)
    const { id } = await storeProposal(view, { ...asked, seenSchemas, parts }, rehearsal, caller.replaces)
    const proposal = { proposalId: view.spellId(id), summary, ...difference }
    const proposed = { answer, proposal, made, read }
    await store(view, proposed)
    return proposed
  })
}

/** A call that is being proposed. */
interface Proposing {
  call: PreparedCall
  caller: Caller
  /** The number of the proposal whose place it takes. */
  replaced: number | undefined
}

/** The result of a rehearsal. */
interface Rehearsed extends Omit<Proposed, 'proposal'> {
  recorded: RecordedRehearsal
  /** What the connection had seen of the schemas that the call changes. */
  seenSchemas: ReadonlyMap<number, SeenSchema>
  /** The calls that it consists of, and what each of them is split into. */
  calls: readonly SplitCall[]
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

/** Runs a call, and finds out after each of its steps what that is split into. */
async function runSplitting(call: PreparedCall, space: Space, steps: readonly PreparedStep[]) {
  const stored = storedSteps(steps)
  const calls: SplitCall[] = []
  const split = async (ids: readonly string[], answer: unknown): Promise<void> => {
    const index = calls.length
    const [step, prepared] = [stored[index], steps[index]]
    if (step === undefined || prepared === undefined) return
    const parts =
      prepared.file === undefined ? await prepared.splitter?.split(step.arguments, { space, answer }) : undefined
    calls.push({ step, ids, prepared, parts, ...(prepared.file !== undefined && { file: index }) })
  }
  space.afterStep = ({ ids, answer }) => split(ids, answer)
  const answer = await handleCall(call, space)
  if (call.tool.endpoint.steps === undefined)
    await split(writtenIdsOf(call, answer), 'object' in answer ? answer.object : {})
  return { answer, calls }
}

/** The parts of a proposal, which together change the same as the call. */
async function splitProposal(
  proposing: Proposing,
  calls: readonly SplitCall[],
  whole: RecordedRehearsal,
): Promise<StoredParts> {
  const unsplit = calls.map((one) => ({ ...one, parts: undefined }))
  const isSplit = calls.some(({ parts }) => parts !== undefined)
  for (const plan of [planParts(calls), ...(isSplit ? [planParts(unsplit)] : [])]) {
    const only = onlyPart(plan, calls, whole.ids)
    if (only !== undefined) return only
    const parts = await unlessRefused(verifyParts(proposing, plan, whole))
    if (parts !== undefined) return { parts, ...(plan.answers !== undefined && { answers: plan.answers }) }
  }
  return {
    parts: [
      wholePart(
        calls.map(({ step }) => step),
        whole.ids,
      ),
    ],
  }
}

/** Runs parts in place of the call. @returns undefined if they change something else */
async function verifyParts(
  proposing: Proposing,
  plan: PlannedParts,
  whole: RecordedRehearsal,
): Promise<readonly StoredPart[] | undefined> {
  const { call, caller } = proposing
  const { prepareStep } = prepareContext(call.tool, caller, {})
  const prepared = await preparePlanned(plan, prepareStep)
  try {
    return await onTopOfWaiting(proposing, async (view) => {
      const drawn = new PromisedIds(view.chance)
      drawn.begin(whole.ids, '')
      const inner = view.withLink(view.link, drawn.chance)
      const { name } = call.tool.endpoint
      const run = (space: Space) => resolvingThread(space, plan.answers, () => runPlanned(space, plan, prepared, drawn))
      const { result, rehearsal } = await rehearse(inner, name, run)
      return isSameChange(rehearsal, whole) && drawn.used === whole.ids.length ? result : undefined
    })
  } finally {
    for (const steps of prepared) await disposeSteps(steps)
  }
}

/** True if the same columns have changed, and documents read the same. */
const isSameChange = (one: RecordedRehearsal, other: RecordedRehearsal): boolean =>
  one.changed.digest === other.changed.digest && textsOf(one) === textsOf(other)

const textsOf = ({ changed }: RecordedRehearsal): string => JSON.stringify(changed.texts.map(({ after }) => after))

/**
 * Runs work on top of the pending proposals of the link, in a transaction that is rolled back. Proposals that can no
 * longer be carried out are skipped.
 */
async function onTopOfWaiting<T>({ call, caller, replaced }: Proposing, work: (view: Space) => Promise<T>): Promise<T> {
  const { space, link } = caller
  const context = prepareContext(call.tool, caller, {})
  const prepared: { row: ProposalRow; parts: PreparedPart[] }[] = []
  try {
    for (const row of await space.read(link, (view) => waitingOf(view, link))) {
      if (row.n === replaced) continue
      const parts = await unlessRefused(prepareWaiting(row, readReach(row, 'propose'), context))
      if (parts !== undefined) prepared.push({ row, parts })
    }
    return await space.writeAndRollBack(link, async (view) => {
      // Some may have been decided in the meantime.
      const waiting = new Map((await waitingOf(view, link)).map((row) => [row.n, row]))
      for (const { row, parts } of prepared) {
        if (waiting.get(row.n)?.parts !== row.parts) continue
        await unlessRefused(view.tx.attempt(() => runProposal(view, row, parts, 'propose')))
      }
      if (call.endsLeases) await endExpiredLeases(view)
      await endDeletedLeases(view, call.deletes)
      return work(view)
    })
  } finally {
    for (const { parts } of prepared) await disposeParts(parts)
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
