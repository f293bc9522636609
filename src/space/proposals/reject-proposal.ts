/** Rejects proposals, whole or in parts. */
import { decideParts, decideProposal } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { GivenId } from '../model/ids.ts'
import type { PrepareContext } from '../model/prepare-context.ts'
import type { Space } from '../model/space.ts'
import { getDecidable, getWithdrawable } from './decidable.ts'
import { acceptedText, assertPartsWait, isWaiting, readParts, type StoredPart, withDependent } from './parts/part.ts'
import type { Rehearsal } from './rehearse-proposal.ts'
import { acceptedThere, countAccepted, type PartDecision, rehearseRest, remainingProposal } from './remaining-parts.ts'

export interface RejectInput {
  proposalId: GivenId
  /** The keys of the parts that are rejected, together with those that need them; all if absent. */
  parts?: readonly string[] | undefined
  /** A message to the agent. */
  note?: string | undefined
  /** True if the connection takes back what it has proposed itself. No tool does: agents propose something else. */
  isWithdrawn?: true
}

/** A rejection, with what the rest of the proposal would change. */
export interface PreparedRejection extends RejectInput {
  before?: { row: ProposalRow; rest: Rehearsal | undefined }
}

/** Finds out what the parts that wait on would change without those that are rejected. */
export async function prepareRejection(input: RejectInput, context: PrepareContext): Promise<PreparedRejection> {
  if (input.parts === undefined) return input
  try {
    const { decision, access } = await context.read(async (space) => {
      await space.resolveIds([input.proposalId])
      return { decision: await readRejection(space, input), access: space.link.access }
    })
    const rest = decision.rest.length === 0 ? undefined : await rehearseRest(decision, access, context)
    return { ...input, before: { row: decision.row, rest } }
  } catch (error) {
    // It is thrown again when the call runs, which may repeat one with the same idempotency key.
    if (error instanceof ScriptoriumError) return input
    throw error
  }
}

export interface RejectAnswer {
  proposalId: string
  /** How many parts of the proposal are accepted: `2 of 5`. Absent if it has one part. */
  accepted?: string
  /** The keys of the parts that this call has rejected, with those that need them. */
  parts?: string[]
  /** How many parts wait on. */
  remaining?: number
}

/** @throws NOT_FOUND_ERROR; CONFLICT for a proposal that was decided; FORBIDDEN for one's own */
export async function rejectProposal(space: Space, rejection: PreparedRejection): Promise<RejectAnswer> {
  const { note, before, isWithdrawn } = rejection
  const { row, stored, rejected, rest } = await readRejection(space, rejection)
  const now = new Set(rejected)
  const parts = stored.parts.map((part): StoredPart => (now.has(part) ? { ...part, state: 'rejected' } : part))
  const acceptedCount = countAccepted(parts)
  if (rest.length === 0) {
    const texts = row.parts === null ? {} : { parts: JSON.stringify({ ...stored, parts }) }
    const call = parts.findLast((part) => part.call !== undefined)?.call
    await decideProposal(space.tx, row.n, {
      ...{ state: acceptedCount > 0 ? 'approved' : isWithdrawn ? 'ended' : 'rejected', at: space.now, note },
      ...(!isWithdrawn && { by: space.link.author }),
      ...{ acceptedCount, ...texts, ...(call !== undefined && { call }) },
    })
  } else {
    const isSame = before?.row.parts === row.parts && before?.row.steps === row.steps
    const remaining = await remainingProposal(space, row, { ...stored, parts }, isSame ? before?.rest : undefined)
    const released = rejected.flatMap(({ ids }) => ids)
    await decideParts(space.tx, row.n, { ...remaining, note, at: space.now }, released)
  }
  const proposalId = space.spellId(row.id)
  if (row.partCount === 1) return { proposalId }
  const accepted = acceptedText({ ...row, acceptedCount })
  return { proposalId, accepted, parts: rejected.map(({ key }) => key), remaining: rest.length }
}

async function readRejection(
  space: Space,
  { proposalId, parts: keys, isWithdrawn }: RejectInput,
): Promise<PartDecision & { rejected: readonly StoredPart[] }> {
  const row = await (isWithdrawn ? getWithdrawable : getDecidable)(space, proposalId)
  const stored = readParts(row)
  const waiting = stored.parts.filter(isWaiting)
  if (keys !== undefined) assertPartsWait(stored.parts, keys, row.id)
  const rejected = keys === undefined ? waiting : withDependent(stored.parts, keys)
  const rest = waiting.filter((part) => !rejected.includes(part))
  return { row, stored, accepted: [], rejected, rest, there: await acceptedThere(space, stored.parts) }
}
