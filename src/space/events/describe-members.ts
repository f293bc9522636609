/** The `data` of events about members: where, who is meant, and how much the author may do. */
import { accessLinksByIds } from '../../../storage/access-links.ts'
import { rowsByNumbers } from '../../../storage/history.ts'
import { membersByIds } from '../../../storage/members.ts'
import { MEMBERS_PER_ANSWER } from '../../base/limits.ts'
import type { FeedEntry } from '../feed/read-feed.ts'
import { knownMemberIds } from '../model/member-reach.ts'
import type { AccessLevel, Space } from '../model/space.ts'
import { type Described, describeBlocks, describeComments } from './describe-events.ts'

export async function describeAssigned(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
  const ids = found.flatMap(({ concerns }) => concerns?.members ?? [])
  const members = new Map(
    (await membersByIds(space.tx, ids.map(Number), space.now)).map((one) => [String(one.id), one]),
  )
  return describeRows(space, found, ([id = '']) => {
    const member = members.get(id)
    return member === undefined ? {} : { assignee: { id: space.spellId(member.id), name: member.name } }
  })
}

export async function describeMentions(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
  const all = found.flatMap(({ concerns }) => concerns?.members ?? [])
  // A mention in a comment makes no one known.
  const known = space.kind === 'full' ? undefined : await knownMemberIds(space, all.map(Number))
  return describeRows(space, found, (members) => {
    const seen = members.filter((id) => known?.has(Number(id)) !== false)
    const more = seen.length - MEMBERS_PER_ANSWER
    return {
      memberIds: seen.slice(0, MEMBERS_PER_ANSWER).map((id) => space.spellId(Number(id))),
      ...(more > 0 && { moreMembers: more }),
    }
  })
}

/** Where each is, its members, and the access of the link that wrote it. */
async function describeRows(
  space: Space,
  found: readonly Described[],
  say: (members: readonly string[]) => object,
): Promise<Map<number, object>> {
  const rowsIn = (table: string) =>
    found.flatMap(({ concerns }) => (concerns?.table === table ? { subject: concerns.row } : []))
  const places = {
    block: await describeBlocks(space, rowsIn('block')),
    comment: await describeComments(space, rowsIn('comment')),
  }
  const accessOf = await accessLevels(space, found)
  const confirmedBy = await confirmations(space, found)
  return new Map(
    found.flatMap(({ subject, entry, concerns }): [number, object][] => {
      const place = concerns && places[concerns.table].get(concerns.row)
      if (concerns === undefined || place === undefined) return []
      const about = { ...place, ...say(concerns.members) }
      const confirmed = concerns.table === 'comment' && confirmedBy(concerns.row, entry)
      return [[subject, { ...about, ...(confirmed || { authorAccess: accessOf(entry) }) }]]
    }),
  )
}

/**
 * Who wrote a comment, if the call only confirmed it. Its author only comments: all others wrote at once, or had their
 * proposals approved.
 */
async function confirmations({ tx }: Space, found: readonly Described[]) {
  const numbers = found.flatMap(({ concerns }) => (concerns?.table === 'comment' ? concerns.row : []))
  const authors = new Map((await rowsByNumbers(tx, 'comment', numbers)).map(({ n, author }) => [n, author]))
  return (comment: number, entry: FeedEntry | undefined) => {
    const [author, by] = [authors.get(comment), entry?.call?.row.author]
    if (by === undefined || author === by || !confirmsIn(entry, comment)) return undefined
    return { author, authorAccess: 'comment', confirmedBy: by }
  }
}

const confirmsIn = (entry: FeedEntry | undefined, comment: number): boolean =>
  entry?.call?.seen.changes.some(
    ({ table, row, before }) => table === 'comment' && row === comment && /"unconfirmed":1/.test(before ?? ''),
  ) ?? false

/** What the author of each may do now. Who writes without a link runs the program, and may do everything. */
async function accessLevels(
  { tx }: Space,
  found: readonly Described[],
): Promise<(entry: FeedEntry | undefined) => AccessLevel> {
  const ids = new Set(found.flatMap(({ entry }) => entry?.call?.row.link ?? []))
  const levels = new Map((await accessLinksByIds(tx, [...ids])).map(({ id, access }) => [id, access]))
  return (entry) => levels.get(entry?.call?.row.link ?? '') ?? 'full'
}
