/**
 * Tells a caller what it has replaced, or would replace if this is a dry run: newer changes that other connections made since it last read or wrote the same
 * field, or in the last minute if it did neither. Without a condition the last change wins, but not in silence.
 */
import { type ChangeOfOther, changesOfOthers, type SinceThen } from '../../../storage/changes-of-others.ts'
import { type HistoryRow, rowsByNumbers } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import { addToGroup } from '../../base/grouping.ts'
import { shorten } from '../../base/shorten.ts'
import { markUnseen } from '../../base/unseen-characters.ts'
import { CLAIM_ENDED } from '../leases/ending/end-leases.ts'
import { formatTimestamp } from '../model/dates.ts'
import { quotedName } from '../model/names.ts'
import type { Space } from '../model/space.ts'
import { RECENT_MS } from './calls-since-seen.ts'
import { ownId, type ReplacedField, replacedFields } from './replaced-fields.ts'
import { type RowHistory, readRowHistories } from './row-history.ts'
import { documentVisibility, ownerBlocks } from './visible-history.ts'

/** Notes that one call gets at most. */
const MAX_NOTES = 5

/**
 * Adds a note for each row in which a call has replaced newer changes of others. Call it only if there may be some: it
 * reads the history.
 *
 * @param call  the number of the call, which has just been logged
 * @param since  which calls of others may count
 * @param askedAt  when the call was proposed, if it was: then later changes count, whatever its caller has read
 */
export async function noteReplaced(space: Space, call: number, since: SinceThen, askedAt?: number): Promise<void> {
  const { tx, link, now } = space
  const caller = { link: link.id ?? null, connection: link.connection ?? null }
  const others = await changesOfOthers(tx, call, since, caller, CLAIM_ENDED)
  if (others.length === 0) return
  const calls = new Map(others.map((one) => [one.call, one]))
  const numbers = new Map<TableName, Set<number>>()
  for (const { table, row } of others) numbers.set(table, (numbers.get(table) ?? new Set<number>()).add(row))
  const from = Math.min(...calls.keys())
  const histories = await readRowHistories(tx, numbers, [], from)
  const { blocks, deleted } = await blocksOf(space, histories.values(), from)
  const isVisible = await documentVisibility(
    space,
    [...blocks.values()].map(({ document }) => document as number),
  )
  const idOf = (history: RowHistory) => ownId(history) ?? (blocks.get(history)?.id as number | undefined)
  const counts = (history: RowHistory, other: number): boolean => {
    const change = calls.get(other)
    const block = blocks.get(history)
    if (change === undefined || (block !== undefined && !isVisible(block.document as number, other))) return false
    // What is in no document, such as folders, is within reach of full connections alone.
    if (block === undefined && history.table !== 'folder') return false
    // Such a value may be one that this connection cannot see.
    if (space.kind !== 'full' && hasReferredToBlock(history)) return false
    if (askedAt !== undefined) return change.at >= askedAt
    const seen = space.seenRows.lastSeen(link, idOf(history) ?? 0)
    return seen === undefined ? change.at >= now - RECENT_MS : other > seen
  }
  const replaced = withDeletedItems(replacedFields(histories.values(), call, counts), deleted)
  const byRow = new Map<string, ReplacedField[]>()
  for (const one of replaced)
    addToGroup(byRow, `${one.table === 'value' ? 'block' : one.table} ${one.number} ${one.call}`, one)
  const names = await namesOfProperties(space, replaced)
  const read = [...histories.values(), ...deleted.values()]
  const historyOf = new Map(read.map((history) => [`${history.table} ${history.number}`, history]))
  const notes = [...byRow.values()].flatMap((fields) => {
    const [first] = fields
    const change = first && calls.get(first.call)
    const history = first && historyOf.get(`${first.table} ${first.number}`)
    return first && change && history ? [noteOf(space, first.table, idOf(history), fields, change, names)] : []
  })
  for (const note of notes.slice(0, MAX_NOTES)) space.notes.add(note)
  const were = space.isRolledBack ? 'would be' : 'were'
  if (notes.length > MAX_NOTES) space.notes.add(`${notes.length - MAX_NOTES} more changes of others ${were} replaced.`)
}

/** True for a value that refers to another block, or did. */
const hasReferredToBlock = ({ table, now, events }: RowHistory): boolean =>
  table === 'value' &&
  [now, ...events.map(({ before }) => before)].some(({ columns }) => (columns.target ?? null) !== null)

/** The values of a deleted item went with it, so that only the item is named, with the newest change of it. */
function withDeletedItems(
  replaced: readonly ReplacedField[],
  deleted: ReadonlyMap<number, RowHistory>,
): readonly ReplacedField[] {
  const latest = new Map<number, ReplacedField>()
  const others: ReplacedField[] = []
  for (const one of replaced) {
    const { table, number, call } = one
    if ((table !== 'value' && table !== 'block') || !deleted.has(number)) others.push(one)
    else if (call > (latest.get(number)?.call ?? 0)) latest.set(number, { table: 'block', number, call })
  }
  return [...latest.values(), ...others]
}

/**
 * The block that each row belongs to, as it is now or was last, and the histories of those that were deleted, by number.
 * Folders have none.
 */
async function blocksOf(space: Space, histories: Iterable<RowHistory>, from: number) {
  const all = [...histories]
  const owners = await ownerBlocks(space.tx, all)
  const rows = await rowsByNumbers(space.tx, 'block', [...new Set(owners.values())])
  const byNumber = new Map(rows.map((row) => [row.n as number, row]))
  const missing = new Set([...owners.values()].filter((number) => !byNumber.has(number)))
  const numbers = new Map([['block' as const, missing]])
  const past = missing.size === 0 ? undefined : await readRowHistories(space.tx, numbers, [], from)
  const deleted = new Map([...(past?.values() ?? [])].map((history) => [history.number, history]))
  for (const [number, { now }] of deleted) byNumber.set(number, now.columns)
  const blocks = new Map<RowHistory, HistoryRow>()
  for (const history of all) {
    const row = byNumber.get(owners.get(history) ?? 0)
    if (row !== undefined) blocks.set(history, row)
  }
  return { blocks, deleted }
}

/** The keys of properties in which values were replaced, by number. */
async function namesOfProperties({ tx }: Space, replaced: readonly ReplacedField[]): Promise<Map<number, string>> {
  const numbers = [...new Set(replaced.flatMap(({ property }) => property ?? []))]
  const rows = numbers.length === 0 ? [] : await rowsByNumbers(tx, 'property', numbers)
  return new Map(rows.map(({ n, key }) => [n as number, String(key)]))
}

const NOUNS: Partial<Record<TableName, string>> = {
  document: 'document',
  folder: 'folder',
  collection: 'collection',
  property: 'a property of collection',
  option: 'an option of collection',
  view: 'view',
  comment: 'comment',
  reminder: 'reminder',
  element: 'an element of whiteboard',
}

function noteOf(
  space: Space,
  table: TableName,
  id: number | undefined,
  fields: readonly ReplacedField[],
  { at, author, client }: ChangeOfOther,
  names: ReadonlyMap<number, string>,
): string {
  const labels = fields.map(({ field = '', property }) =>
    property === undefined ? field : (names.get(property) ?? 'a property'),
  )
  const row = `${NOUNS[table] ?? ''} ${id === undefined ? '' : space.spellId(id)}`.trim()
  const who = quotedName(author, client ?? undefined)
  const when = formatTimestamp(at)
  const [deleted, replaced] = space.isRolledBack ? ['Would delete', 'Would replace'] : ['Deleted', 'Replaced']
  if (fields.every(({ field }) => field === undefined)) return `${deleted} ${row}, which ${who} changed at ${when}.`
  const shown = labels.slice(0, LABELS_SHOWN).map(labelOf).join(', ')
  const more = labels.length > LABELS_SHOWN ? ` and ${labels.length - LABELS_SHOWN} more fields` : ''
  return `${replaced} ${shown}${more} of ${row}, which ${who} changed at ${when}.`
}

/** The name of a field as calls have it. Callers choose those of properties and of parts of drawings. */
const labelOf = (name: string): string =>
  /^[\p{L}\d_ ]{1,60}$/u.test(name) ? name : markUnseen(JSON.stringify(shorten(name, 60)))

/** Fields that a note names. */
const LABELS_SHOWN = 8
