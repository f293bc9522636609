/**
 * Finds what concerns a member: tasks that a call gave to somebody, and texts in which it began to name one. A comment of
 * an author who may not write names its members with the call that confirms it. Who was
 * named before the call, and still is, makes no event.
 */
import { type HistoryRow, rowsByNumbers } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import { iterateCooperatively, readInChunks } from '../../base/scheduling.ts'
import { ROWS_PER_BATCH, readBlockRows } from '../blocks/block-rows.ts'
import type { FeedEntry } from '../feed/read-feed.ts'
import type { CountedChange } from '../history/counted-changes.ts'
import { type RowHistory, readRowHistories } from '../history/row-history.ts'
import { mayNameMember, namedMembers } from '../members/named-members.ts'
import { assigneeOf } from '../model/assignees.ts'
import { callingIds } from '../model/member-reach.ts'
import type { Space } from '../model/space.ts'
import type { FoundEvent } from './describe-events.ts'
import { stateAt } from './item-states.ts'

/** The digits of the ID of the member whom a subscriber wants to know of; anyone if absent. */
export interface MemberNarrowing {
  member?: string
}

/** A block or a comment that a call changed, by number. */
interface ChangedRow {
  entry: FeedEntry
  table: 'block' | 'comment'
  row: number
  document: number | null
}

/** Tasks that got somebody who does them, or somebody else. */
export async function findAssignedTasks(
  space: Space,
  entries: readonly FeedEntry[],
  { member }: MemberNarrowing,
): Promise<FoundEvent[]> {
  const changed = changedRows(entries, ({ table, verb, before }) => {
    return table === 'block' && (verb === 'added' || (before ?? '').includes('"attributes"'))
  })
  const given = await stillAssigned(space, changed)
  const stateOf = await readStates(space, given, ['block'])
  const isWanted = await wantedMembers(space, member)
  return given.flatMap((one): FoundEvent[] => {
    const [before, after] = [stateOf(one, 'before'), stateOf(one, 'after')].map((rows) => assigneeIn(rows))
    const isGiven = after !== undefined && after !== before && isWanted(after)
    return isGiven ? [toFound(one, [after])] : []
  })
}

/** Those that somebody does now. What was taken back makes no event. */
async function stillAssigned(space: Space, changed: readonly ChangedRow[]): Promise<ChangedRow[]> {
  const rows = await readBlockRows(space, [...new Set(changed.map(({ row }) => row))])
  const assigned = new Set(rows.flatMap((row) => (assigneeOf(row) === undefined ? [] : row.n)))
  return changed.filter(({ row }) => assigned.has(row))
}

function assigneeIn(rows: readonly HistoryRow[]): string | undefined {
  const [row] = rows
  return row?.list_style === 'task' ? assigneeOf({ attributes: textIn(row.attributes) }) : undefined
}

/** Blocks, with their values, and comments in which somebody is named who was not before. */
export async function findMentions(
  space: Space,
  entries: readonly FeedEntry[],
  { member }: MemberNarrowing,
): Promise<FoundEvent[]> {
  const changed = changedRows(entries, ({ table, verb, before }) => {
    if (table === 'value') return verb !== 'deleted'
    return (
      (table === 'block' || table === 'comment') &&
      (verb === 'added' || /"(?:text|content|unconfirmed)"/.test(before ?? ''))
    )
  })
  const named = await withMentions(space, changed)
  const stateOf = await readStates(space, named, ['block', 'value', 'comment'])
  const isWanted = await wantedMembers(space, member)
  const found: FoundEvent[] = []
  for await (const one of iterateCooperatively(named)) {
    const before = await mentionedIn(stateOf(one, 'before'))
    const after = await mentionedIn(stateOf(one, 'after'))
    const members = [...after].filter((id) => !before.has(id))
    if (members.some(isWanted)) {
      found.push(toFound(one, members))
    }
  }
  return found
}

/** Who the connection is, is meant by its groups as well. @param member  anyone if absent */
async function wantedMembers(space: Space, member: string | undefined): Promise<(id: string) => boolean> {
  if (member === undefined) return () => true
  const wanted = new Set(await callingIds(space, member))
  return (id) => wanted.has(id)
}

const toFound = ({ entry, table, row, document }: ChangedRow, members: readonly string[]): FoundEvent => ({
  ...{ entry, subject: row, documents: document === null ? [] : [document] },
  concerns: { table, row, members },
})

/** What the calls changed, each row once, in order. What an undo brings back made its event when it was written. */
function changedRows(entries: readonly FeedEntry[], matches: (change: CountedChange) => boolean): ChangedRow[] {
  return entries.flatMap((entry) => {
    if (entry.call === undefined || entry.call.row.endpoint === 'history_undo') return []
    const rows = new Map<string, ChangedRow>()
    for (const change of entry.call.seen.changes.filter(matches)) {
      const table = change.table === 'comment' ? 'comment' : 'block'
      rows.set(`${table} ${change.row}`, { entry, table, row: change.row, document: change.document })
    }
    return [...rows.values()].sort((one, other) => one.table.localeCompare(other.table) || one.row - other.row)
  })
}

/** Those whose text names somebody now. What names no one any more makes no event. */
async function withMentions(space: Space, changed: readonly ChangedRow[]): Promise<ChangedRow[]> {
  const numbersOf = (table: string) => [...new Set(changed.flatMap((one) => (one.table === table ? one.row : [])))]
  const blocks = numbersOf('block')
  const comments = numbersOf('comment')
  const texts = [
    ...(await readBlockRows(space, blocks)).map(({ n, text }) => ['block', n, text] as const),
    ...(await rowsOf(space, 'value', blocks)).map(({ item, text }) => ['block', item, text] as const),
    ...(await rowsOf(space, 'comment', comments)).map(({ n, content }) => ['comment', n, content] as const),
  ]
  const named = new Set(texts.flatMap(([table, n, text]) => (mayNameMember(text) ? `${table} ${n}` : [])))
  return changed.filter(({ table, row }) => named.has(`${table} ${row}`))
}

const rowsOf = ({ tx }: Space, table: TableName, numbers: readonly number[]): Promise<HistoryRow[]> =>
  readInChunks(numbers, ROWS_PER_BATCH, (part) => rowsByNumbers(tx, table, part))

/** The rows of a block, itself first, or of a comment, before or after the call that changed it. */
type StateOf = (change: ChangedRow, when: 'before' | 'after') => HistoryRow[]

async function readStates(
  { tx }: Space,
  changed: readonly ChangedRow[],
  tables: readonly TableName[],
): Promise<StateOf> {
  const numbers = new Map<TableName, Set<number>>()
  for (const { table, row } of changed) {
    for (const one of tables) {
      if ((one === 'comment') !== (table === 'comment')) continue
      numbers.set(one, (numbers.get(one) ?? new Set()).add(row))
    }
  }
  const first = changed.reduce((least, { entry }) => Math.min(least, entry.call?.row.n ?? least), Infinity)
  const histories = changed.length === 0 ? new Map() : await readRowHistories(tx, numbers, [], first)
  const ofRow = Map.groupBy<string, RowHistory>(histories.values(), ({ table, number }) =>
    table === 'comment' ? `comment ${number}` : `block ${number}`,
  )
  return ({ entry, table, row }, when) =>
    (ofRow.get(`${table} ${row}`) ?? [])
      .toSorted((one, other) => one.table.localeCompare(other.table))
      .flatMap((history) => {
        const { isThere, columns } = stateAt(history, entry.call?.row.n ?? 0, when)
        return isThere ? [columns] : []
      })
}

/** The IDs of the members whom a block with its values, or a comment, names. */
async function mentionedIn(rows: readonly HistoryRow[]): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { type, content, text, unconfirmed } of rows) {
    const words = textIn(content ?? text)
    // No one is called by a comment that waits for confirmation.
    if (words === null || unconfirmed === 1) continue
    for (const id of await namedMembers(words, typeof type === 'string' ? type : undefined)) ids.add(id)
  }
  return ids
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
