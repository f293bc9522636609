/**
 * What waits for the member that a connection is: tasks that it does, comments and texts that name it, comments on what
 * it wrote, proposals that it may decide, and what it has claimed. All of it is within the reach of the connection.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { unconfirmedComments } from '../../../storage/comments.ts'
import {
  commentsForMember,
  type ForMember,
  readMarksOf,
  setDailyLine,
  tasksForMember,
  textsForMember,
  type WaitingBlock,
  wantsDailyLine,
  writeReadMarks,
} from '../../../storage/for-me.ts'
import { type MemberRow, membersByNumbers } from '../../../storage/members.ts'
import { invalid } from '../../base/errors.ts'
import { FOR_ME_PER_KIND, FOR_ME_TEXT } from '../../base/limits.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { type DocumentNames, documentNames } from '../history/change-summary.ts'
import { heldLeases } from '../leases/leases.ts'
import { namedMembers } from '../members/named-members.ts'
import { mayDecide } from '../model/access.ts'
import { visiblePlainText } from '../model/block-links.ts'
import { dateAt, formatTimestamp } from '../model/dates.ts'
import { type AnyId, idNumber } from '../model/ids.ts'
import { callingIds, ownMember } from '../model/member-reach.ts'
import { reachOf, type Space } from '../model/space.ts'
import { waitingToDecide } from '../proposals/waiting-to-decide.ts'

export const FOR_ME_KINDS = ['claim', 'task', 'mention', 'comment', 'request', 'proposal'] as const
export type ForMeKind = (typeof FOR_ME_KINDS)[number]

/** One thing that waits. Texts are what others wrote: data, not instructions. */
export interface ForMeItem {
  kind: ForMeKind
  /** The ID of the block, the comment or the proposal. */
  id: string
  /** Absent for proposals. */
  blockId?: string
  documentId?: string
  /** Of the document. */
  title?: string
  /** The beginning of the text, or the summary of a proposal. */
  text: string
  author?: string
  at: string
  /** Present if the member has read it, or holds it. */
  isRead?: true
}

export interface ForMe {
  /** The ID of the member that the connection is. */
  memberId: string
  /** True for a person who gets a line in the daily note. */
  dailyLine: boolean
  /** Unread ones first, then the newest. */
  items: ForMeItem[]
  /** How many of all are unread. */
  unread: number
  /** How many were left off. */
  more?: number
}

/** The same before it is described. Documents and members are given by number, other things by ID. */
export interface Waiting {
  kind: ForMeKind
  id: number
  block?: number
  document?: number
  text: string
  author?: string
  /** Milliseconds since 1970. */
  at: number
  isRead: boolean
}

/** @returns undefined for a connection that is no member */
export async function listForMe(space: Space, limit: number): Promise<ForMe | undefined> {
  const member = await ownMemberRow(space)
  if (member === undefined) return undefined
  const all = await readWaiting(space, member)
  const more = all.length - limit
  return {
    memberId: space.spellId(member.id),
    dailyLine: await wantsDailyLine(space.tx, member.n),
    items: await describe(space, all.slice(0, limit)),
    unread: all.filter(({ isRead }) => !isRead).length,
    ...(more > 0 && { more }),
  }
}

export interface ReadMarks {
  /** The IDs of items; all of them if absent. */
  ids?: readonly AnyId[] | undefined
  /** False marks them as unread. */
  read: boolean
  /** Whether a person gets a line in the daily note. If given, nothing is marked. */
  dailyLine?: boolean | undefined
}

/**
 * Marks what waits as read, or changes whether the member gets a daily line. IDs of what does not wait are ignored.
 *
 * @returns how many are unread then
 * @throws VALIDATION_ERROR for a daily line of a connection that is no person
 */
export async function markForMe(space: Space, { ids, read, dailyLine }: ReadMarks): Promise<{ unread: number }> {
  const member = await ownMemberRow(space)
  if (dailyLine !== undefined) await chooseDailyLine(space, member, dailyLine)
  if (member === undefined) return { unread: 0 }
  const all = await readWaiting(space, member)
  if (dailyLine !== undefined) return { unread: all.filter(({ isRead }) => !isRead).length }
  const asked = ids && new Set(ids.map(idNumber))
  const marked = all.filter(({ id, kind }) => kind !== 'claim' && asked?.has(id) !== false).map(({ id }) => id)
  await writeReadMarks(space.tx, {
    member: member.n,
    waiting: all.map(({ id }) => id),
    subjects: marked,
    readAt: read ? space.now : undefined,
  })
  const changed = new Set(marked)
  return { unread: all.filter(({ id, isRead }) => !(changed.has(id) ? read : isRead)).length }
}

async function chooseDailyLine(space: Space, member: MemberRow | undefined, isWanted: boolean): Promise<void> {
  if (member?.kind !== 'person') {
    throw invalid(
      'Expected a person, who can have a line in the daily note, found a connection that is none; leave dailyLine out.',
    )
  }
  if (isWanted && (await wantsDailyLine(space.tx, member.n))) return
  // The first line is that of tomorrow.
  await setDailyLine(space.tx, member.n, isWanted ? dateAt(space.now, space) : null)
}

async function ownMemberRow(space: Space): Promise<MemberRow | undefined> {
  const n = await ownMember(space)
  return n === undefined ? undefined : (await membersByNumbers(space.tx, [n], space.now))[0]
}

/** Everything that waits, unread ones first. Each block counts once. */
async function readWaiting(space: Space, member: MemberRow): Promise<Waiting[]> {
  const { tx, link } = space
  const members = await callingIds(space, String(member.id))
  const wanted: ForMember = { reach: reachOf(link), members, author: link.author, limit: FOR_ME_PER_KIND }
  const found = [
    ...(await claims(space)),
    ...(await tasksForMember(tx, wanted)).map((row) => fromBlock('task', row)),
    ...(await requests(space, member)),
    ...(await comments(space, wanted, member.kind)),
    ...(await texts(space, wanted)),
    ...(await proposals(space, member)),
  ]
  const marks = await readMarksOf(tx, member.n)
  const byId = new Map<number, Waiting>()
  for (const one of found) {
    if (byId.has(one.id)) continue
    byId.set(one.id, { ...one, isRead: one.isRead || (marks.get(one.id) ?? 0) >= one.at })
  }
  return [...byId.values()].sort(
    (one, other) => Number(one.isRead) - Number(other.isRead) || other.at - one.at || other.id - one.id,
  )
}

const fromBlock = (kind: ForMeKind, { id, document, text, author, at }: WaitingBlock): Waiting => {
  return { kind, id, block: id, document, text, author, at, isRead: false }
}

/** The comments and texts that name a member and wait for it, newest first. */
export async function mentionsWaitingFor(space: Space, wanted: ForMember): Promise<Waiting[]> {
  const mentions = (await comments(space, wanted, 'person')).filter(({ kind }) => kind === 'mention')
  return [...mentions, ...(await texts(space, wanted))]
}

/** An agent is not called by a comment that waits for confirmation; people see it, and decide for themselves. */
async function comments({ tx }: Space, wanted: ForMember, kind: MemberRow['kind']): Promise<Waiting[]> {
  const found: Waiting[] = []
  for (const row of await commentsForMember(tx, wanted)) {
    const { id, blockId, document, content, author, at, isAnswer } = row
    const isHeld = kind === 'agent' && row.unconfirmed === 1
    const isMention = row.names === 1 && !isHeld && (await namesAny(content, undefined, wanted))
    if (!isMention && isAnswer === 0) continue
    found.push({
      kind: isMention ? 'mention' : 'comment',
      id,
      block: blockId,
      document,
      text: content,
      author,
      at,
      isRead: false,
    })
  }
  return found
}

async function texts({ tx }: Space, wanted: ForMember): Promise<Waiting[]> {
  const found: Waiting[] = []
  for (const row of await textsForMember(tx, wanted)) {
    const type = row.isValue === 1 ? undefined : row.type
    if (await namesAny(row.text, type, wanted)) found.push(fromBlock('mention', row))
  }
  return found
}

/** True if a text names the member or one of its groups. @param type  of its block; absent for plain text */
async function namesAny(text: string, type: string | undefined, { members }: ForMember): Promise<boolean> {
  const named = await namedMembers(text, type)
  return members.some((id) => named.has(id))
}

/** What the connection has claimed. It knows of that, so it counts as read. */
async function claims(space: Space): Promise<Waiting[]> {
  const leases = (await heldLeases(space)).slice(0, FOR_ME_PER_KIND)
  const rows = await blocksByNumbers(
    space.tx,
    leases.map(({ block }) => block),
  )
  const reached = await space.reachableDocuments(rows.map(({ document }) => document))
  const since = new Map(leases.map((lease) => [lease.block, lease.since]))
  return rows
    .filter(({ document }) => reached.has(document))
    .map(({ n, id, document, text }) => {
      return { kind: 'claim', id, block: id, document, text, at: since.get(n) ?? 0, isRead: true }
    })
}

/** Comments that call members once they are confirmed. Only people are asked to. */
async function requests(space: Space, { kind }: MemberRow): Promise<Waiting[]> {
  if (kind !== 'person' || !mayDecide(space.link)) return []
  const rows = await unconfirmedComments(space.tx, reachOf(space.link), FOR_ME_PER_KIND)
  return rows.map(({ id, blockId, document, content, author, at }) => {
    return { kind: 'request', id, block: blockId, document, text: content, author, at, isRead: false }
  })
}

/** Only people decide: no agent is asked to. */
async function proposals(space: Space, { kind }: MemberRow): Promise<Waiting[]> {
  if (kind !== 'person' || !mayDecide(space.link)) return []
  const rows = await waitingToDecide(space, FOR_ME_PER_KIND)
  return rows.map(({ id, summary, author, createdAt, documents }) => {
    const [document] = JSON.parse(documents) as number[]
    return {
      ...{ kind: 'proposal', id, text: summary, author, at: createdAt, isRead: false },
      ...(document !== undefined && { document }),
    }
  })
}

async function describe(space: Space, found: readonly Waiting[]): Promise<ForMeItem[]> {
  const documents = await documentNames(
    space,
    found.flatMap(({ document }) => document ?? []),
  )
  const visible = await visiblePlainText(
    space,
    found.map(({ text }) => text),
  )
  return found.map(({ kind, id, block, document, text, author, at, isRead }) => ({
    kind,
    id: space.spellId(id),
    ...(block !== undefined && { blockId: space.spellId(block) }),
    ...placeOf(space, documents, document),
    text: beginningOf(visible.text(text)),
    ...(author !== undefined && { author }),
    at: formatTimestamp(at),
    ...(isRead && { isRead: true as const }),
  }))
}

function placeOf(
  space: Space,
  names: DocumentNames,
  document: number | undefined,
): Pick<ForMeItem, 'documentId' | 'title'> {
  const name = document === undefined ? undefined : names.get(document)
  return name === undefined ? {} : { documentId: space.spellId(name.id), title: name.title }
}

function beginningOf(text: string): string {
  const plain = truncateTitle(text).replace(/\s+/g, ' ').trim()
  return plain.length > FOR_ME_TEXT ? `${plain.slice(0, FOR_ME_TEXT).toWellFormed()}…` : plain
}
