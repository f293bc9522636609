/**
 * Proposals: calls of a link that may only propose, which wait for the approval of a person.
 *
 * A proposal is seen by the connection that made it, and by those that do not propose themselves and reach all that this
 * one reached: its calls, its difference and the errors of its approval say what that connection sees.
 */
import { createHash } from 'node:crypto'
import { accessLinkById } from '../../../storage/access-links.ts'
import { proposalById, proposalsByIds, waitingProposals } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { notFound } from '../../base/errors.ts'
import { PROPOSAL_SECONDS } from '../../base/limits.ts'
import { callerKey } from '../model/caller-key.ts'
import type { GivenId } from '../model/ids.ts'
import type { AccessLink, Space } from '../model/space.ts'

/** A call as a proposal keeps it. */
export interface StoredStep {
  tool: string
  as?: string | undefined
  arguments: Record<string, unknown>
}

/** The time before which proposals that wait have ended. Milliseconds since 1970. */
export const endedBefore = (now: number): number => now - PROPOSAL_SECONDS * 1000

/** What a person agrees to: the same for the same change. */
export const fingerprintOf = ({ summary, diff }: { summary: string; diff: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([summary, diff]))
    .digest('hex')
    .slice(0, 16)

/** Whether a connection sees a proposal. Of documents that have left its reach since, it sees not even its own. */
export async function canSeeProposal(space: Space, row: ProposalRow): Promise<boolean> {
  const link = readReach(row, 'propose')
  const isOwn = callerKey(link) === callerKey(space.link) && (row.link !== null || space.link.access === 'propose')
  if (!isOwn && (space.link.access === 'propose' || !(await space.reachesAllOf(link)))) return false
  // Daily notes that it would make are within reach of all that reach daily notes.
  if (row.isSpaceWide === 1 && space.kind === 'selected') return false
  const documents = JSON.parse(row.documents) as number[]
  const reached = await space.reachableDocuments(documents)
  return documents.every((document) => reached.has(document))
}

/** The IDs that are those of proposals: of those that the connection sees, and of the others. */
export async function proposalsAmong(
  space: Space,
  ids: readonly number[],
): Promise<{ seen: number[]; hidden: number[] }> {
  const found: { seen: number[]; hidden: number[] } = { seen: [], hidden: [] }
  for (const row of await proposalsByIds(space.tx, ids)) {
    const list = (await canSeeProposal(space, row)) ? found.seen : found.hidden
    list.push(row.id)
  }
  return found
}

/** The proposals of the connection that made this one which wait and which `space` sees, oldest first. */
export async function waitingBeside(space: Space, row: ProposalRow): Promise<ProposalRow[]> {
  const waiting = await waitingOf(space, readReach(row, 'propose'))
  const seen: ProposalRow[] = []
  for (const one of waiting) if (await canSeeProposal(space, one)) seen.push(one)
  return seen
}

/** The proposals of a connection that wait, oldest first. */
export async function waitingOf(space: Space, link: AccessLink): Promise<ProposalRow[]> {
  const waiting: ProposalRow[] = []
  for (const row of await waitingProposals(space.tx, link.id ?? null)) {
    const isOfLink = callerKey(readReach(row, 'propose')) === callerKey(link)
    // One whose time is over has not been marked yet.
    if (isOfLink && (await stateOf(space, row)) === 'waiting') waiting.push(row)
  }
  return waiting
}

/** @throws NOT_FOUND_ERROR for a proposal that there is not, in the same words as for one that the connection does not see */
export async function getProposal(space: Space, id: GivenId): Promise<ProposalRow> {
  const row = await proposalById(space.tx, id.number)
  if (row !== undefined && (await canSeeProposal(space, row))) return row
  throw notFound(
    `Expected the ID of a proposal that this connection sees, found ${id}; read IDs with proposals_list and name one of those.`,
  )
}

/** The state of a proposal now. One that waits ends with its link, or when no one decided in time. */
export async function stateOf({ tx, now }: Space, row: ProposalRow): Promise<ProposalRow['state']> {
  if (row.state !== 'waiting') return row.state
  const isTooOld = row.createdAt <= endedBefore(now)
  return isTooOld || !(await isLinkActive({ tx, now }, row.link)) ? 'ended' : 'waiting'
}

async function isLinkActive({ tx, now }: Pick<Space, 'tx' | 'now'>, id: string | null): Promise<boolean> {
  if (id === null) return true
  const link = await accessLinkById(tx, id)
  return link !== undefined && link.revokedAt === null && !(link.expiresAt !== null && link.expiresAt <= now)
}

/** What of a link its proposals keep, to run its calls again. */
type StoredReach = Omit<AccessLink, 'documents' | 'historyFrom' | 'files'> & {
  documents: number[]
  historyFrom?: number | [number, number][]
}

export function writeReach({ files: _, documents, historyFrom, ...link }: AccessLink): string {
  const from = historyFrom === undefined || typeof historyFrom === 'number' ? historyFrom : [...historyFrom]
  const reach: StoredReach = { ...link, documents: [...documents], ...(from !== undefined && { historyFrom: from }) }
  return JSON.stringify(reach)
}

/**
 * The link of a proposal, to run its calls with.
 *
 * @param access  of the link that approves: nothing is done that it may not do
 */
export function readReach({ reach }: ProposalRow, access: AccessLink['access']): AccessLink {
  const { documents, historyFrom, ...link } = JSON.parse(reach) as StoredReach
  const from = Array.isArray(historyFrom) ? new Map(historyFrom) : historyFrom
  return { ...link, access, documents: new Set(documents), ...(from !== undefined && { historyFrom: from }) }
}
