/** Lists proposals: waiting ones, and decisions on earlier ones. */

import { type ListedProposal, latestProposals, type ProposalFilter } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { markUnseen } from '../../base/unseen-characters.ts'
import { joinDiffs, partOfDiff } from '../../difference/diff-parts.ts'
import type { DiffLimits } from '../../difference/read-diff.ts'
import { mustPropose } from '../model/access.ts'
import type { PartKind } from '../model/call-parts.ts'
import { createPagination, decodeCursor, invalidCursor, type Pagination, paginationText } from '../model/cursors.ts'
import type { GivenId } from '../model/ids.ts'
import type { MarkdownAnswer } from '../model/markdown-answer.ts'
import type { Space } from '../model/space.ts'
import { askedArguments } from './asked-arguments.ts'
import { neededProposals } from './decidable.ts'
import { acceptedText, isWaiting, readParts, type StoredPart } from './parts/part.ts'
import { canSeeProposal, fingerprintOf, getProposal, type StoredStep, stateOf } from './proposal.ts'
import { type ProposedFile, proposedFiles } from './proposed-files.ts'

export interface ProposalsInput {
  /** Shows one proposal, with its calls and its diff. */
  proposalId?: GivenId | undefined
  state?: ProposalRow['state'] | 'all' | undefined
  limit: number
  cursor?: string | undefined
}

export interface ProposalItem extends Partial<DiffLimits> {
  proposalId: string
  state: ProposalRow['state']
  at: string
  author: string
  client?: string
  linkId?: string
  tool: string
  /** A summary of what it would change. */
  summary: string
  decidedAt?: string
  decidedBy?: string
  /** How many of its parts are accepted, if some but not all are: `2 of 5`. */
  accepted?: string
  /** Its parts, if it has several. Only present when a single proposal is read, as are the following ones. */
  parts?: ListedPart[]
  /** The IDs of proposals that have to be decided first, since it refers to what they would create. */
  waitsFor?: string[]
  /** A message from the person who decided. */
  note?: string
  /** The call that ran it. */
  callId?: string
  /** What an approval agrees to. Only present when a single proposal is read. */
  fingerprint?: string
  steps?: StoredStep[]
  /** The files that it would add. */
  files?: Omit<ProposedFile, 'text'>[]
  diff?: string
}

/** A part of a proposal, without what it would change. */
export interface ListedPart {
  part: string
  kind: PartKind
  state: StoredPart['state']
  callId?: string
}

export interface ProposalsAnswer {
  items: ProposalItem[]
  pagination?: Pagination
}

/** @throws NOT_FOUND_ERROR; CURSOR_INVALID */
export async function listProposals(space: Space, input: ProposalsInput): Promise<ProposalsAnswer> {
  const { proposalId, state, limit, cursor } = input
  if (proposalId !== undefined) {
    return showProposal(space, await getProposal(space, proposalId), cursor)
  }
  const isProposing = mustPropose(space.link)
  const query = ['proposals_list', state]
  const wanted = state ?? (isProposing ? 'all' : 'waiting')
  const filter: ProposalFilter = isProposing ? { link: space.link.id ?? null } : {}
  // One that has ended may still be stored as waiting, but no decided one is.
  if (wanted !== 'all' && wanted !== 'ended') filter.state = wanted
  if (cursor !== undefined) filter.before = readCursor(space, query, cursor)
  const found: ListedProposal[] = []
  // Proposals that the connection does not see, or in other states, are skipped.
  for (let next = filter; found.length <= limit; ) {
    const page = await latestProposals(space.tx, next, limit + 1)
    for (const row of page) if (await isWanted(space, row, wanted)) found.push(row)
    const last = page.at(-1)
    if (page.length <= limit || last === undefined) break
    next = { ...next, before: last.n }
    await yieldToEventLoop()
  }
  const shown = found.slice(0, limit)
  const items: ProposalItem[] = []
  for (const row of shown) items.push(await describe(space, row))
  const last = shown.at(-1)
  if (found.length <= limit || last === undefined) return { items }
  return {
    items,
    pagination: createPagination(space.info.secret, 'proposals_list', query, 'proposal', String(last.n), 1, 1),
  }
}

/** One proposal with its calls and a part of its diff. The last part has the fingerprint, since all was read by then. */
async function showProposal(space: Space, row: ProposalRow, cursor: string | undefined): Promise<ProposalsAnswer> {
  const { secret } = space.info
  const query = ['proposals_list', row.id]
  const index = cursor === undefined ? 0 : Number(decodeCursor(secret, ['proposals_list', query], cursor))
  const steps = JSON.parse(row.steps) as StoredStep[]
  const added = await proposedFiles(space, row)
  const asked = (await askedArguments(space, steps, row.diff, added)) ?? ''
  const part = partOfDiff(joinDiffs(row.diff, asked), index)
  if (part === undefined) throw invalidCursor()
  const { next, count, diff, isDiffComplete, ...limits } = part
  const { changes } = row
  // What an earlier version stored is not all that the proposal would change.
  const shown = { diff, isDiffComplete: isDiffComplete && changes !== null, ...limits }
  const fingerprint = shown.isDiffComplete && changes !== null ? fingerprintOf(row.steps, changes) : undefined
  const files = added.map(({ text: _, ...file }) => file)
  const item = {
    ...(await describe(space, row)),
    ...(await describeParts(space, row)),
    ...(fingerprint && { fingerprint }),
    steps,
    ...(files.length > 0 && { files }),
    ...shown,
  }
  if (next === undefined) return { items: [item] }
  return {
    items: [item],
    pagination: createPagination(secret, 'proposals_list', query, 'part of it', String(next), count - next),
  }
}

async function isWanted(space: Space, row: ListedProposal, state: ProposalRow['state'] | 'all'): Promise<boolean> {
  return (await canSeeProposal(space, row)) && (state === 'all' || (await stateOf(space, row)) === state)
}

function readCursor(space: Space, query: unknown, cursor: string): number {
  const n = Number(decodeCursor(space.info.secret, ['proposals_list', query], cursor))
  if (!Number.isSafeInteger(n)) throw invalidCursor()
  return n
}

async function describe(space: Space, row: ListedProposal): Promise<ProposalItem> {
  const { id, createdAt, author, client, link, tool, summary, decidedAt, decidedBy, note, call } = row
  return {
    proposalId: space.spellId(id),
    state: await stateOf(space, row),
    at: new Date(createdAt).toISOString(),
    author,
    ...(client !== null && { client }),
    ...(link !== null && space.kind === 'full' && { linkId: link }),
    tool,
    summary,
    ...(decidedAt !== null && { decidedAt: new Date(decidedAt).toISOString() }),
    ...(decidedBy !== null && { decidedBy }),
    ...(isPartial(row) && { accepted: acceptedText(row) }),
    ...(note !== null && { note }),
    ...(call !== null && { callId: space.spellId(call) }),
  }
}

/** What is left to decide, part by part. */
async function describeParts(space: Space, row: ProposalRow): Promise<Pick<ProposalItem, 'parts' | 'waitsFor'>> {
  const { parts } = readParts(row)
  const waiting = parts.filter(isWaiting).flatMap(({ steps }) => steps)
  const needed = row.state === 'waiting' ? await neededProposals(space, row, waiting) : []
  return {
    ...(parts.length > 1 && { parts: parts.map((part) => listedPart(space, part)) }),
    ...(needed.length > 0 && { waitsFor: needed.map((one) => space.spellId(one.row.id)) }),
  }
}

const listedPart = (space: Space, { key, kind, state, call }: StoredPart): ListedPart => ({
  ...{ part: key, kind, state },
  ...(call !== undefined && { callId: space.spellId(call) }),
})

const isPartial = ({ acceptedCount, partCount }: ListedProposal): boolean =>
  acceptedCount > 0 && acceptedCount < partCount

/** Formats the answer as lines: what waits, who decided, and the diff if it is a single proposal. */
export async function proposalsToMarkdown({ items, pagination }: ProposalsAnswer): Promise<MarkdownAnswer> {
  const lines = items.map(proposalLine)
  const [first] = items
  const body = lines.length === 0 ? 'No proposals.' : [...lines, ...(first?.diff ? [first.diff] : [])].join('\n')
  const rest = paginationText(pagination)
  return { body: markUnseen(body), ...(rest !== undefined && { note: rest, rest }) }
}

/** Formats a proposal as one line. */
export function proposalLine(item: ProposalItem): string {
  const { at, author, client, tool, summary, proposalId, state, accepted, decidedBy, note } = item
  const who = client === undefined ? author : `${author} (${client})`
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  const some = accepted === undefined ? '' : `, accepted: ${accepted}`
  const reason = note === undefined ? '' : `: ${JSON.stringify(note)}`
  return `${at.slice(0, 19)}Z ${who} ${tool} ${summary} (proposal ${proposalId}, ${state}${by}${some}${reason})`
}
