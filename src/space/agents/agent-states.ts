/**
 * What agents are doing, as far as a connection may know: derived from their calls, proposals, comments and leases within
 * its reach, never claimed by themselves. A change from working to idle needs no write: it follows from the time.
 */
import { accessLinksByIds } from '../../../storage/access-links.ts'
import { latestAuditRows } from '../../../storage/audit-log.ts'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { openQuestions } from '../../../storage/comments.ts'
import { leaseEndsSince } from '../../../storage/events.ts'
import { reachedDocumentsOfCalls } from '../../../storage/history.ts'
import { membersByIds } from '../../../storage/members.ts'
import { latestProposals } from '../../../storage/proposals.ts'
import { GONE_SECONDS, QUESTIONS_READ } from '../../base/limits.ts'
import { isPersonAddress, parseAddress } from '../../markdown/addresses.ts'
import { findPlainAddresses } from '../../markdown/text-addresses.ts'
import type { LeaseEndDetail } from '../leases/ending/end-leases.ts'
import { ACTIVE_MS } from '../model/agent-activity.ts'
import { readSpelledId } from '../model/ids.ts'
import { PAGE_CLIENT, reachOf, type Space } from '../model/space.ts'
import { canSeeProposal, stateOf } from '../proposals/proposal.ts'

/**
 * - `stopped`: a person paused its link. Only connections that reach the whole space know.
 * - `working`: it read or wrote in the last minute.
 * - `waiting`: for a person, with a proposal or a question.
 * - `gone`: it let a lease end without releasing it, and has made no call since.
 * - `idle`: anything else.
 */
export const AGENT_STATES = ['stopped', 'working', 'waiting', 'gone', 'idle'] as const

export interface AgentState {
  state: (typeof AGENT_STATES)[number]
  /** Since when, or when it was seen last, in milliseconds since 1970. */
  at?: number
  /** The number of the document that it works on, or asks in. */
  document?: number
}

/** Calls and proposals that are looked at. */
const CALLS_READ = 100
const PROPOSALS_READ = 200

/** The states of links, by their IDs. */
export async function agentStates(space: Space, links: readonly string[]): Promise<ReadonlyMap<string, AgentState>> {
  if (links.length === 0) return new Map()
  const [working, waiting, gone] = [await readWork(space, links), await readWaiting(space), await readGone(space)]
  const paused = await readPaused(space, links)
  return new Map(
    links.map((link) => [link, paused.get(link) ?? working.get(link) ?? waiting.get(link) ?? gone.get(link) ?? IDLE]),
  )
}

const IDLE: AgentState = { state: 'idle' }

async function readPaused(space: Space, links: readonly string[]): Promise<Map<string, AgentState>> {
  if (space.kind !== 'full') return new Map()
  return new Map(
    (await accessLinksByIds(space.tx, links)).flatMap(({ id, pausedAt }) =>
      pausedAt === null ? [] : [[id, { state: 'stopped', at: pausedAt } satisfies AgentState]],
    ),
  )
}

/** The links that work, and the document within reach in which each was last. */
async function readWork(space: Space, links: readonly string[]): Promise<Map<string, AgentState>> {
  const { activity, now } = space
  const recent = links.map((link) => [link, activity.recentDocuments(link, now)] as const)
  const reached = await space.reachableDocuments(recent.flatMap(([, documents]) => documents.map(([n]) => n)))
  const working = await readWrites(space)
  for (const [link, documents] of recent) {
    const [found] = documents.filter(([document]) => reached.has(document))
    // That it called without reading in a document is known where nothing is out of reach.
    const calledAt = space.kind === 'full' ? activity.recentCall(link, now) : undefined
    const at = found?.[1] ?? calledAt
    if (at === undefined || at < (working.get(link)?.at ?? 0)) continue
    working.set(link, { state: 'working', at, ...(found && { document: found[0] }) })
  }
  return working
}

/** What links wrote within reach in the last minute, over any process. */
async function readWrites(space: Space): Promise<Map<string, AgentState>> {
  const { tx, now } = space
  const rows = await latestAuditRows(tx, { reach: reachOf(space.link) }, CALLS_READ)
  const recent = rows.filter(({ at, client }) => Math.abs(now - at) < ACTIVE_MS && client !== PAGE_CLIENT)
  const places = await reachedDocumentsOfCalls(
    tx,
    recent.map(({ n }) => n),
    reachOf(space.link),
  )
  const working = new Map<string, AgentState>()
  for (const { n, at, link } of recent) {
    if (link === null || working.has(link)) continue
    const place = places.find(({ call, isMarked }) => call === n && isMarked === 1)
    working.set(link, { state: 'working', at, ...(place && { document: place.document }) })
  }
  return working
}

/** The links that wait for a person: with a proposal that waits, or a comment that names a person and is open. */
async function readWaiting(space: Space): Promise<Map<string, AgentState>> {
  const { tx, now } = space
  const waiting = new Map<string, AgentState>()
  for (const row of await latestProposals(tx, { state: 'waiting' }, PROPOSALS_READ)) {
    if (row.link === null || waiting.has(row.link)) continue
    if ((await stateOf(space, row)) !== 'waiting' || !(await canSeeProposal(space, row))) continue
    const [document] = JSON.parse(row.documents) as number[]
    waiting.set(row.link, { state: 'waiting', at: row.createdAt, ...(document !== undefined && { document }) })
  }
  const questions = await openQuestions(tx, reachOf(space.link), QUESTIONS_READ)
  const named = questions.map((question) => ({ question, ids: mentionedIn(question.content) }))
  const members = await membersByIds(tx, [...new Set(named.flatMap(({ ids }) => ids))], now)
  const asked = new Set(members.flatMap(({ id, kind, isActive }) => (kind !== 'agent' && isActive === 1 ? [id] : [])))
  for (const { question, ids } of named) {
    const { link, createdAt, document } = question
    if (!ids.some((id) => asked.has(id)) || createdAt <= (waiting.get(link)?.at ?? 0)) continue
    waiting.set(link, { state: 'waiting', at: createdAt, document })
  }
  return waiting
}

/** The IDs of the members whom a comment names. */
const mentionedIn = (content: string): number[] =>
  findPlainAddresses(content).flatMap(({ url }) => {
    const spelled = isPersonAddress(url) ? readSpelledId(parseAddress(url)?.ids[0] ?? '') : undefined
    return spelled?.kind === 'number' ? [spelled.number] : []
  })

/** The links that let a lease within reach end, and made no call since. */
async function readGone(space: Space): Promise<Map<string, AgentState>> {
  const { tx, now } = space
  const ends = (await leaseEndsSince(tx, now - GONE_SECONDS * 1_000, QUESTIONS_READ)).flatMap(({ at, detail }) => {
    const { reason, caller, block } = JSON.parse(detail ?? '{}') as Partial<LeaseEndDetail>
    return reason === 'expired' && caller !== undefined && block !== undefined ? [{ at, caller, block }] : []
  })
  const rows = await blocksByNumbers(tx, [...new Set(ends.map(({ block }) => block))])
  const documents = new Map(rows.map(({ n, document }) => [n, document]))
  const reached = await space.reachableDocuments([...documents.values()])
  const gone = new Map<string, AgentState>()
  for (const { at, caller, block } of ends) {
    const document = documents.get(block)
    if (document === undefined || !reached.has(document) || gone.has(caller)) continue
    if ((await lastCallAt(space, caller)) > at) continue
    gone.set(caller, { state: 'gone', at, document })
  }
  return gone
}

/** When a link made its last call, as far as the connection may know: of narrow ones, only what it wrote within reach. */
async function lastCallAt({ tx, link: reader, kind, activity }: Space, link: string): Promise<number> {
  const [last] = await latestAuditRows(tx, { link, reach: reachOf(reader) }, 1)
  return Math.max(last?.at ?? 0, kind === 'full' ? (activity.lastUse(link) ?? 0) : 0)
}
