/** Stores the proposals of a link, up to a limit. */

import { accessLinkById } from '../../../storage/access-links.ts'
import { expiryTime } from '../../../storage/expiry.ts'
import { decideProposal, endProposals, insertProposal, replaceProposal } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { invalid, linkPaused, ScriptoriumError } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import {
  PROPOSAL_LENGTH,
  WAITING_BLOCKS,
  WAITING_FILE_BYTES,
  WAITING_LENGTH,
  WAITING_PROPOSALS,
} from '../../base/limits.ts'
import type { GivenId } from '../model/ids.ts'
import type { SeenSchema } from '../model/seen-schemas.ts'
import type { Space } from '../model/space.ts'
import type { PreparedStep } from '../model/steps.ts'
import { askedArguments } from './asked-arguments.ts'
import { isWaiting, readParts, type StoredParts } from './parts/part.ts'
import { PROPOSAL_MS, type StoredStep, serializeReach, waitingOf } from './proposal.ts'
import type { Rehearsal } from './rehearse-proposal.ts'

/** Waiting proposals of a connection whose place another one takes. */
export interface ReplacedProposals {
  ids: readonly GivenId[]
  /** Names what is proposed now. */
  version?: string
  /** The names of what was proposed before, as far as the page that proposes has seen it. */
  seen: readonly string[]
}

/** Calls that are proposed together. */
export interface ProposedCall {
  tool: string
  steps: readonly PreparedStep[]
  /** Blocks that they write. */
  blocks: number
  /** What the connection had seen of the schemas that they change, by collection. */
  seenSchemas?: ReadonlyMap<number, SeenSchema>
  /** What a person decides on one by one. */
  parts?: StoredParts
}

/**
 * @param length  characters of what the proposal would change, once it is known
 * @param replaced  the numbers of proposals that make way for it
 * @throws CONFLICT if the link would have too many waiting proposals
 */
export async function assertProposalCapacity(
  space: Space,
  { steps, blocks }: ProposedCall,
  { length = 0, replaced = [] }: { length?: number; replaced?: readonly number[] } = {},
): Promise<void> {
  const waiting = (await waitingOf(space, space.link)).filter(({ n }) => !replaced.includes(n))
  const sum = (count: (row: ProposalRow) => number) => waiting.reduce((total, row) => total + count(row), 0)
  const bytes = fileBytes(steps)
  if (waiting.length >= WAITING_PROPOSALS) throw tooMuch(`${WAITING_PROPOSALS} proposals`, `${waiting.length} already`)
  if (sum((row) => row.blocks) + blocks > WAITING_BLOCKS)
    throw tooMuch(`${WAITING_BLOCKS} blocks in proposals`, `more with the ${blocks} of this call`)
  if (sum((row) => row.diff.length) + length > WAITING_LENGTH)
    throw tooMuch(`${WAITING_LENGTH} characters of changes in proposals`, 'more with those of this call')
  if (sum((row) => row.bytes) + bytes > WAITING_FILE_BYTES)
    throw tooMuch(`${WAITING_FILE_BYTES / 1024 / 1024} MiB of files in proposals`, 'more with those of this call')
}

const tooMuch = (expected: string, found: string): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    `Expected at most ${expected} of this connection to wait for approval, found ${found}; nothing was proposed, ask a person to decide on those that wait.`,
  )

/** @throws VALIDATION_ERROR if a person could not read all of the proposal */
export async function assertReadable(space: Space, { steps }: ProposedCall, { diff }: Rehearsal): Promise<void> {
  const isReadable =
    diff.length <= PROPOSAL_LENGTH && (await askedArguments(space, storedSteps(steps), diff)) !== undefined
  if (!isReadable) throw tooLong()
}

export const tooLong = (): ScriptoriumError =>
  invalid(
    `Expected a proposal of which a person can read everything, at most ${formatNumber(PROPOSAL_LENGTH)} characters, found a longer one; nothing was proposed, propose it in smaller parts.`,
  )

/** The calls as JSON has them, with texts for IDs. */
export const storedSteps = (steps: readonly PreparedStep[]): StoredStep[] =>
  steps.map(({ tool, as, arguments: given, file }) => ({
    ...{ tool, ...(as !== undefined && { as }) },
    arguments: JSON.parse(JSON.stringify(file?.arguments ?? given)),
  }))

const fileBytes = (steps: readonly PreparedStep[]): number =>
  steps.reduce((total, { file }) => total + (file?.written.size ?? 0), 0)

/**
 * @param replaced  proposals of the same connection. The calls of those that wait make way for these
 * @throws CONFLICT if the link would have too many waiting proposals, or if one of those replaced is another by now
 */
export async function storeProposal(
  space: Space,
  proposed: ProposedCall,
  { summary, diff, changes, ids, documents, isSpaceWide }: Rehearsal,
  replaced?: ReplacedProposals,
): Promise<Pick<ProposalRow, 'id'>> {
  const { tx, now, link } = space
  space.quota?.noteAddition(link.id)
  await endProposals(tx, await expiryTime(tx, now, PROPOSAL_MS), now)
  const all = await ownWaiting(space, replaced)
  if (replaced !== undefined) assertSeen(all, replaced)
  await assertProposalCapacity(space, proposed, { length: diff.length, replaced: all.map(({ n }) => n) })
  const { tool, steps, blocks, seenSchemas = new Map(), parts } = proposed
  const files = []
  for (const [step, { file }] of steps.entries()) {
    if (file === undefined) continue
    const { hash, size } = file.written
    await space.keepFile(file.written)
    files.push({ step, hash, size, mediaType: file.mediaType })
  }
  const row = {
    ...{ id: await space.newId(), link: link.id ?? null, reach: serializeReach(link, seenSchemas) },
    ...{ author: link.author, client: link.client ?? null, createdAt: now, tool },
    ...{ steps: JSON.stringify(storedSteps(steps)), ids: JSON.stringify(ids), documents: JSON.stringify(documents) },
    ...{
      isSpaceWide: isSpaceWide ? 1 : 0,
      summary,
      diff,
      changes,
      blocks,
      bytes: fileBytes(steps),
      state: 'waiting' as const,
    },
    ...{
      parts: parts === undefined ? null : JSON.stringify(parts),
      partCount: parts?.parts.length ?? 1,
      acceptedCount: 0,
    },
  }
  await assertLinkRuns(space)
  const before = all.find((one) => readParts(one).parts.every(isWaiting))
  // One of which parts are decided keeps them. What is left of it makes way for the new one.
  for (const one of all) if (one !== before) await endRest(tx, one, now)
  if (before === undefined) return insertProposal(tx, row, { ids, files })
  await replaceProposal(tx, before.n, row, { ids, files })
  return before
}

function endRest(tx: Transaction, row: ProposalRow, now: number): Promise<void> {
  const call = readParts(row).parts.findLast((part) => part.call !== undefined)?.call
  const state = row.acceptedCount > 0 ? 'approved' : 'ended'
  return decideProposal(tx, row.n, { state, at: now, ...(call !== undefined && { call }) })
}

/** Proposals of this connection, without those that do not wait any more, and those of others. */
export async function ownWaiting(space: Space, { ids }: ReplacedProposals = NONE): Promise<ProposalRow[]> {
  if (ids.length === 0) return []
  const wanted = new Set(ids.map((id) => id.number))
  return (await waitingOf(space, space.link)).filter((one) => wanted.has(one.id))
}

const NONE: ReplacedProposals = { ids: [], seen: [] }

/** Several people may have the same link, and one person several pages open. */
function assertSeen(rows: readonly ProposalRow[], { seen }: ReplacedProposals): void {
  const changed = rows.find((row) => {
    const { version } = readParts(row)
    return version !== undefined && !seen.includes(version)
  })
  if (changed === undefined) return
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected proposal ${changed.id} as this page has read it, found that another page has changed it since; nothing was proposed, read it again.`,
  )
}

/** The link may have been paused since the call began. @throws LINK_PAUSED */
async function assertLinkRuns({ tx, link }: Space): Promise<void> {
  const row = link.id === undefined ? undefined : await accessLinkById(tx, link.id)
  if (row !== undefined && row.pausedAt !== null) throw linkPaused(row.pausedAt)
}
