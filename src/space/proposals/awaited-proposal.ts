/** A proposal as the connection that made it follows it: what became of it, and the response that it was promised. */
import { proposalById } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { isOwnProposal } from './decidable.ts'
import { acceptedText, readParts } from './parts/part.ts'
import { canSeeProposal, isOverdue, PROPOSAL_MS, stateOf } from './proposal.ts'
import { rejectProposal } from './reject-proposal.ts'

export interface AwaitedProposal {
  proposalId: string
  state: ProposalRow['state']
  summary: string
  /** Milliseconds since 1970: when it was proposed, last decided on, and until when it is listed. */
  createdAt: number
  changedAt: number
  listedUntil: number
  /** True if no one decided in time. */
  isOverdue: boolean
  acceptedCount: number
  /** How much of it is accepted: `2 of 5`. Absent if it has one part. */
  accepted?: string
  /** The keys of the parts that were not accepted, if others were and nothing waits any longer. */
  unwritten: readonly string[]
  decidedBy?: string
  /** A message from the person who decided. */
  note?: string
  /** The call that carried it out. */
  callId?: string
  /** The response of the call; absent if none was kept, and if a person has approved other calls in its place. */
  response?: object
}

/** @returns undefined for proposals that do not exist, those of others, and those that the connection does not see */
export async function readAwaited(space: Space, id: number): Promise<AwaitedProposal | undefined> {
  const row = await proposalById(space.tx, id)
  if (row === undefined || !isOwnProposal(space, row) || !(await canSeeProposal(space, row))) return undefined
  const state = await stateOf(space, row)
  const { createdAt, decidedAt, decidedBy, note, call, partCount, acceptedCount, summary } = row
  const end = createdAt + PROPOSAL_MS
  const changedAt = decidedAt ?? (state === 'waiting' ? createdAt : Math.min(end, space.now))
  const { parts, response } = readParts(row)
  const isPartial = state !== 'waiting' && acceptedCount > 0
  const unwritten = isPartial ? parts.filter((part) => part.state !== 'accepted') : []
  return {
    ...{ proposalId: String(id), state, summary, createdAt, changedAt, acceptedCount },
    listedUntil: decidedAt === null ? end : decidedAt + PROPOSAL_MS,
    isOverdue: state === 'ended' && isOverdue(row, changedAt),
    unwritten: unwritten.map(({ key }) => key),
    ...(partCount > 1 && { accepted: acceptedText(row) }),
    ...(decidedBy !== null && { decidedBy }),
    ...(note !== null && { note }),
    ...(call !== null && { callId: String(call) }),
    ...(response !== undefined && { response }),
  }
}

/** Takes back what waits of a proposal. One of which parts were accepted counts as approved. */
export async function withdrawAwaited(space: Space, { proposalId }: AwaitedProposal): Promise<void> {
  await rejectProposal(space, { proposalId: new GivenId(proposalId), isWithdrawn: true })
}
