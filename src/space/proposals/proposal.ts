/**
 * Proposals: calls of a link that may only propose. They wait for the approval of a person.
 *
 * A proposal is visible to the connection that made it, and to connections that do not propose themselves and reach
 * everything that this one reached. This is because its calls, its diff and the errors of its approval show what that
 * connection sees.
 */

import { createHash } from 'node:crypto'
import { accessLinkById } from '../../../storage/access-links.ts'
import { type ListedProposal, proposalById, proposalsByIds, waitingProposals } from '../../../storage/proposals.ts'
import type { AccessLinkRow, ProposalRow } from '../../../storage/schema.ts'
import { notFound } from '../../base/errors.ts'
import { PROPOSAL_SECONDS } from '../../base/limits.ts'
import { mustPropose } from '../model/access.ts'
import { callerKey } from '../model/caller-key.ts'
import type { GivenId } from '../model/ids.ts'
import type { SeenSchema } from '../model/seen-schemas.ts'
import type { AccessLink, Space } from '../model/space.ts'

/** A call in the form in which a proposal stores it. */
export interface StoredStep {
  tool: string
  as?: string | undefined
  arguments: Record<string, unknown>
}

/** How long a proposal waits, and how long it is listed once it is decided, in milliseconds. */
export const PROPOSAL_MS = PROPOSAL_SECONDS * 1000

/**
 * A fingerprint of what a person agrees to: the calls, and every column that they change. What is around it, such as
 * the lines beside a changed one, does not count, so that others can continue to write there.
 *
 * @param steps  the calls, as JSON. They say where something is put, whatever else is there by then
 * @param changes  a hash of the columns
 */
export const fingerprintOf = (steps: string, changes: string): string =>
  createHash('sha256')
    .update(JSON.stringify([steps, changes]))
    .digest('hex')
    .slice(0, 16)

/**
 * True if a connection sees a proposal. If documents have left its reach since, it does not even see its own proposals
 * for them.
 */
export async function canSeeProposal(space: Space, row: ListedProposal): Promise<boolean> {
  const link = readReach(row, 'propose')
  const isOwn = callerKey(link) === callerKey(space.link) && (row.link !== null || mustPropose(space.link))
  if (!isOwn && (mustPropose(space.link) || !(await space.reachesAllOf(link)))) return false
  // All connections that reach daily notes also reach the daily notes that the proposal would create.
  if (row.isSpaceWide === 1 && space.kind === 'selected') return false
  const documents = JSON.parse(row.documents) as number[]
  const reached = await space.reachableDocuments(documents)
  return documents.every((document) => reached.has(document))
}

/**
 * Splits the given IDs of proposals into those that the connection sees and those that it does not. Other IDs are
 * ignored.
 */
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

/** The waiting proposals of the connection that made this one, as far as `space` sees them, oldest first. */
export async function waitingFromSameConnection(space: Space, row: ProposalRow): Promise<ProposalRow[]> {
  const waiting = await waitingOf(space, readReach(row, 'propose'))
  const seen: ProposalRow[] = []
  for (const one of waiting) if (await canSeeProposal(space, one)) seen.push(one)
  return seen
}

/** The waiting proposals of a connection, oldest first. */
export async function waitingOf(space: Space, link: AccessLink): Promise<ProposalRow[]> {
  const waiting: ProposalRow[] = []
  for (const row of await waitingProposals(space.tx, link.id ?? null)) {
    const isOfLink = callerKey(readReach(row, 'propose')) === callerKey(link)
    // Its state may still be stored as waiting although its time is over.
    if (isOfLink && (await stateOf(space, row)) === 'waiting') waiting.push(row)
  }
  return waiting
}

/**
 * @throws NOT_FOUND_ERROR with the same message for proposals that do not exist and those that the connection does not
 *   see
 */
export async function getProposal(space: Space, id: GivenId): Promise<ProposalRow> {
  const row = await proposalById(space.tx, id.number)
  if (row !== undefined && (await canSeeProposal(space, row))) return row
  throw notFound(
    `Expected the ID of a proposal that this connection sees, found ${id}; read IDs with proposals_list and name one of those.`,
  )
}

/** The current state of a proposal. A waiting one ends with its link, or if no one decides in time. */
export async function stateOf({ tx, now }: Space, row: ListedProposal): Promise<ProposalRow['state']> {
  if (row.state !== 'waiting') return row.state
  return isOverdue(row, now) || !(await isLinkActive({ tx, now }, row.link)) ? 'ended' : 'waiting'
}

/** True if no one has decided in time. */
export const isOverdue = ({ createdAt }: Pick<ListedProposal, 'createdAt'>, now: number): boolean =>
  createdAt <= now - PROPOSAL_MS

async function isLinkActive({ tx, now }: Pick<Space, 'tx' | 'now'>, id: string | null): Promise<boolean> {
  if (id === null) return true
  const link = await accessLinkById(tx, id)
  return link !== undefined && isUsable(link, now)
}

/** True if a link was neither revoked nor has expired. */
export const isUsable = ({ revokedAt, expiresAt }: AccessLinkRow, now: number): boolean =>
  revokedAt === null && !(expiresAt !== null && expiresAt <= now)

/** The part of a link that its proposals store, to run their calls later. */
type StoredReach = Omit<AccessLink, 'documents' | 'historyFrom' | 'files' | 'seenSchemas'> & {
  documents: number[]
  historyFrom?: number | [number, number][]
  seenSchemas?: [collection: number, properties: number[], options: number[]][]
}

export function serializeReach(
  { files: _, seenSchemas: __, documents, historyFrom, ...link }: AccessLink,
  seen: ReadonlyMap<number, SeenSchema>,
): string {
  const from = historyFrom === undefined || typeof historyFrom === 'number' ? historyFrom : [...historyFrom]
  const reach: StoredReach = { ...link, documents: [...documents], ...(from !== undefined && { historyFrom: from }) }
  if (seen.size > 0)
    reach.seenSchemas = [...seen].map(([collection, { properties, options }]) => {
      return [collection, [...properties], [...options]]
    })
  return JSON.stringify(reach)
}

/**
 * Returns the link with which to run the calls of a proposal.
 *
 * @param access  of the link that approves: the calls may not do anything that it may not do
 */
export function readReach({ reach }: Pick<ProposalRow, 'reach'>, access: AccessLink['access']): AccessLink {
  const { documents, historyFrom, seenSchemas = [], ...link } = JSON.parse(reach) as StoredReach
  const from = Array.isArray(historyFrom) ? new Map(historyFrom) : historyFrom
  const seen = new Map(
    seenSchemas.map(([collection, properties, options]) => {
      return [collection, { properties: new Set(properties), options: new Set(options) }]
    }),
  )
  return {
    ...{ ...link, access, documents: new Set(documents), seenSchemas: seen },
    ...(from !== undefined && { historyFrom: from }),
  }
}
