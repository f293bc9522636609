/** Runs proposed calls on top of what waits already, and splits them into parts. */
import type { ProposalRow } from '../../storage/schema.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { endDeletedLeases, endExpiredLeases } from '../space/leases/ending/end-leases.ts'
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
import { readReach, waitingOf } from '../space/proposals/proposal.ts'
import { type RecordedRehearsal, rehearse, resolvingThread, runProposal } from '../space/proposals/rehearse-proposal.ts'
import { prepareWaiting } from '../space/proposals/remaining-parts.ts'
import { storedSteps } from '../space/proposals/store-proposal.ts'
import type { Caller } from './caller.ts'
import { prepareContext } from './prepare-call.ts'
import { type Answer, handleCall, type PreparedCall, writtenIdsOf } from './prepared-call.ts'

/** A call that is being proposed. */
export interface Proposing {
  call: PreparedCall
  caller: Caller
  /** The numbers of the proposals whose place it takes. */
  replaced: readonly number[]
}

/** Runs a call, and finds out around each of its steps what that is split into. */
export async function runSplitting(
  call: PreparedCall,
  space: Space,
  steps: readonly PreparedStep[],
): Promise<{ answer: Answer; calls: SplitCall[] }> {
  const observer = new CallObserver(space, steps)
  if (call.tool.endpoint.steps !== undefined) {
    space.aroundStep = observer
    return { answer: await handleCall(call, space), calls: observer.calls }
  }
  await observer.before()
  const answer = await handleCall(call, space)
  await observer.after({ ids: writtenIdsOf(call, answer), answer: 'object' in answer ? answer.object : {} })
  return { answer, calls: observer.calls }
}

class CallObserver {
  readonly calls: SplitCall[] = []
  readonly #space: Space
  readonly #steps: readonly PreparedStep[]
  readonly #stored: ReturnType<typeof storedSteps>
  #before: unknown

  constructor(space: Space, steps: readonly PreparedStep[]) {
    this.#space = space
    this.#steps = steps
    this.#stored = storedSteps(steps)
  }

  async before(): Promise<void> {
    const index = this.calls.length
    const given = this.#stored[index]?.arguments ?? {}
    this.#before = await this.#steps[index]?.splitter?.readBefore?.(this.#space, given)
  }

  async after({ ids, answer }: { ids: string[]; answer: unknown }): Promise<void> {
    const index = this.calls.length
    const [step, prepared] = [this.#stored[index], this.#steps[index]]
    if (step === undefined || prepared === undefined) throw new Error(`Expected step ${index} of the call.`)
    const file = prepared.file === undefined ? {} : { file: index }
    const finished = { space: this.#space, answer, before: this.#before }
    const parts = prepared.file === undefined ? await prepared.splitter?.split(step.arguments, finished) : undefined
    this.calls.push({ step, ids, prepared, parts, ...file })
  }
}

/** The parts of a proposal, which together change the same as the call, and a hash of all that they change. */
export async function splitProposal(
  proposing: Proposing,
  calls: readonly SplitCall[],
  whole: RecordedRehearsal,
): Promise<{ parts: StoredParts; changes: string }> {
  const unsplit = calls.map((one) => ({ ...one, parts: undefined }))
  const isSplit = calls.some(({ parts }) => parts !== undefined)
  for (const plan of [planParts(calls), ...(isSplit ? [planParts(unsplit)] : [])]) {
    const only = onlyPart(plan, calls, whole)
    if (only !== undefined) return { parts: only, changes: whole.changed.digest }
    const verified = await unlessRefused(verifyParts(proposing, plan, whole))
    if (verified === undefined) continue
    const { parts, changes } = verified
    return { parts: { parts, ...(plan.answers !== undefined && { answers: plan.answers }) }, changes }
  }
  const steps = calls.map(({ step }) => step)
  return { parts: { parts: [wholePart(steps, whole.ids, whole.places)] }, changes: whole.changed.digest }
}

/** Runs parts in place of the call. @returns undefined if they change something else */
async function verifyParts(
  proposing: Proposing,
  plan: PlannedParts,
  whole: RecordedRehearsal,
): Promise<{ parts: readonly StoredPart[]; changes: string } | undefined> {
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
      const { result: parts, rehearsal } = await rehearse(inner, name, run)
      const isSame = isSameChange(rehearsal, whole) && drawn.used === whole.ids.length
      return isSame ? { parts, changes: rehearsal.changed.digest } : undefined
    })
  } finally {
    for (const steps of prepared) await disposeSteps(steps)
  }
}

/** True if the same columns have changed, and documents read the same. */
const isSameChange = (one: RecordedRehearsal, other: RecordedRehearsal): boolean =>
  one.changed.unorderedDigest === other.changed.unorderedDigest && textsOf(one) === textsOf(other)

const textsOf = ({ changed }: RecordedRehearsal): string => JSON.stringify(changed.texts.map(({ after }) => after))

/**
 * Runs work on top of the pending proposals of the link, in a transaction that is rolled back. Proposals that can no
 * longer be carried out are skipped.
 */
export async function onTopOfWaiting<T>(
  { call, caller, replaced }: Proposing,
  work: (view: Space) => Promise<T>,
): Promise<T> {
  const { space, link } = caller
  const context = prepareContext(call.tool, caller, {})
  const prepared: { row: ProposalRow; parts: PreparedPart[] }[] = []
  try {
    for (const row of await space.read(link, (view) => waitingOf(view, link))) {
      if (replaced.includes(row.n)) continue
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
