/** Finds the fields of rows in which a call replaced what an earlier call had written. */
import type { HistoryRow } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import type { RowHistory, RowState } from './row-history.ts'

/** What a call did to one field of a row, after another call had changed it. */
export interface ReplacedField {
  table: TableName
  /** The number of the row. Of a value, that of its item. */
  number: number
  /** Of a value: the number of its property. */
  property?: number
  /** Absent if the row itself was deleted. */
  field?: string
  /** The call whose change is gone. */
  call: number
}

/** Values of fields by name. A field that may hold several values has a set of them. */
type Fields = ReadonlyMap<string, unknown>

/**
 * Compares what a call has changed with what earlier calls had changed in the same rows. A field counts if nothing of the
 * earlier change is left: text that still contains what was written, and a list that still has it, do not.
 *
 * @param histories  the rows, with their changes from the first of the earlier calls on
 * @param counts  tells whether an earlier call counts for a row
 */
export function replacedFields(
  histories: Iterable<RowHistory>,
  call: number,
  counts: (history: RowHistory, call: number) => boolean,
): ReplacedField[] {
  const values = new Map<string, RowHistory[]>()
  const found: ReplacedField[] = []
  for (const history of histories) {
    if (history.table === 'value') {
      const { property } = history.events.at(-1)?.before.columns ?? history.now.columns
      addToGroup(values, `${history.number} ${property}`, history)
    } else {
      found.push(...replacedInRow(history, call, counts))
    }
  }
  for (const [key, group] of values) {
    const [number = 0, property = 0] = key.split(' ').map(Number)
    const replaced = lastReplaced(group, call, counts, (calls, moment) => valuesAt(group, calls, moment))
    for (const { call: earlier } of replaced) found.push({ table: 'value', number, property, field: '', call: earlier })
  }
  return found
}

type Moment = 'before' | 'after'

function replacedInRow(
  history: RowHistory,
  call: number,
  counts: (history: RowHistory, call: number) => boolean,
): ReplacedField[] {
  const { table, number } = history
  const own = history.events.filter((event) => event.call === call)
  const isDeleted = own.at(-1)?.after.isThere === false && own[0]?.before.isThere === true
  if (isDeleted) {
    const last = history.events.findLast((event) => event.call < call && counts(history, event.call))
    return last === undefined || !CAN_BE_DELETED.has(table) ? [] : [{ table, number, call: last.call }]
  }
  return lastReplaced([history], call, counts, (at, moment) => {
    const { isThere, columns } = stateAt(history, at, moment)
    return isThere ? FIELDS[table](columns) : new Map()
  }).map(({ field, call: earlier }) => ({ table, number, field, call: earlier }))
}

/** Rows that are more than a part of another one. */
const CAN_BE_DELETED: ReadonlySet<TableName> = new Set(['block', 'folder', 'view', 'reminder', 'element', 'comment'])

/** For each field that the call changed: the last earlier call of which nothing is left in it. */
function lastReplaced(
  histories: readonly RowHistory[],
  call: number,
  counts: (history: RowHistory, call: number) => boolean,
  fieldsAt: (call: number, moment: Moment) => Fields,
): { field: string; call: number }[] {
  const earlier = new Set<number>()
  for (const history of histories) {
    for (const event of history.events)
      if (event.call < call && !event.isLost && counts(history, event.call)) earlier.add(event.call)
  }
  if (earlier.size === 0) return []
  const [before, after] = [fieldsAt(call, 'before'), fieldsAt(call, 'after')]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (field) => !isSame(before.get(field), after.get(field)),
  )
  const found = new Map<string, number>()
  for (const other of [...earlier].sort((one, another) => another - one)) {
    const [was, became] = [fieldsAt(other, 'before'), fieldsAt(other, 'after')]
    for (const field of changed) {
      if (found.has(field) || isSame(was.get(field), became.get(field))) continue
      if (isGone(field, was.get(field), became.get(field), after.get(field))) found.set(field, other)
    }
  }
  return [...found].map(([field, other]) => ({ field, call: other }))
}

/** A row as it was before or after a call, which need not have changed it. */
function stateAt({ events, now }: RowHistory, call: number, moment: Moment): RowState {
  const own = events.filter((event) => event.call === call)
  if (own.length > 0) return (moment === 'before' ? own[0]?.before : own.at(-1)?.after) ?? now
  return events.find((event) => event.call > call)?.before ?? now
}

/** All values of one property of an item. */
function valuesAt(histories: readonly RowHistory[], call: number, moment: Moment): Fields {
  const values = new Set<string>()
  for (const history of histories) {
    const { isThere, columns } = stateAt(history, call, moment)
    const { text, number, option, target } = columns
    if (isThere) values.add(JSON.stringify([text, number, option, target]))
  }
  return new Map([['', values]])
}

/** True if nothing is left of a change. */
function isGone(field: string, was: unknown, became: unknown, is: unknown): boolean {
  if (became instanceof Set && is instanceof Set && was instanceof Set) {
    if (Math.max(was.size, became.size, is.size) <= 1) return !isSame(became, is)
    return (
      [...became].some((one) => !was.has(one) && !is.has(one)) ||
      [...was].some((one) => !became.has(one) && is.has(one))
    )
  }
  if (!TEXTS.has(field)) return !isSame(became, is)
  return isTextGone(String(was ?? ''), String(became ?? ''), String(is ?? ''))
}

/** Fields that are edited in part. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'content'])

/** True if a text does not have what an earlier change wrote into it, or has again what it took out. */
function isTextGone(was: string, became: string, is: string): boolean {
  if (became === is) return false
  const shorter = Math.min(was.length, became.length)
  let start = 0
  while (start < shorter && was[start] === became[start]) start++
  let end = 0
  while (end < shorter - start && was.at(-1 - end) === became.at(-1 - end)) end++
  // Whole words, since a letter or two are found in every text.
  while (start > 0 && !isSpace(became[start - 1])) start--
  while (end > 0 && !isSpace(became.at(-end))) end--
  const written = became.slice(start, became.length - end)
  return written.trim() === '' ? is.includes(was.slice(start, was.length - end)) : !is.includes(written)
}

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character)

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Set && other instanceof Set)
    return one.size === other.size && [...one].every((value) => other.has(value))
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

const columnsAs =
  (names: Readonly<Record<string, string>>) =>
  (row: HistoryRow): Fields =>
    new Map(Object.entries(names).map(([column, field]) => [field, row[column] ?? null]))

/** What follows from the state of a task. */
const DERIVED = new Set(['completedAt', 'canceledAt'])

function blockFields(row: HistoryRow): Fields {
  const { type, text, indentation, number, attributes } = row
  const columns = { type, text, indentation, number, attributes, listStyle: row.list_style } as unknown as BlockRow
  const { taskInfo, ...fields } = fieldsFromRow(columns)
  const task = Object.entries(taskInfo ?? {}).filter(([field]) => !DERIVED.has(field))
  const place = `${row.document}/${row.parent}/${row.position}`
  return new Map<string, unknown>([...Object.entries(fields), ...task, ['place', new Set([place])]])
}

/** Fields of drawings that change with every other one. */
const COUNTED = new Set(['version', 'versionNonce', 'updated', 'seed', 'index'])

const jsonFields =
  (column: string) =>
  (row: HistoryRow): Fields =>
    new Map(Object.entries(JSON.parse(String(row[column] ?? '{}')) as object).filter(([field]) => !COUNTED.has(field)))

/** What callers call the fields of each table. Columns that follow from others, or only order rows, are left out. */
const FIELDS: { readonly [Table in Exclude<TableName, 'value'>]: (row: HistoryRow) => Fields } & {
  readonly value: (row: HistoryRow) => Fields
} = {
  block: blockFields,
  document: (row) => new Map([['place', new Set([`${row.location}/${row.folder}/${row.daily_note_date}`])]]),
  folder: (row) =>
    new Map<string, unknown>([
      ['name', new Set([row.name])],
      ['place', row.parent ?? null],
    ]),
  collection: columnsAs({ title_name: 'title column', active_view: 'active view' }),
  property: columnsAs({ name: 'name', config: 'config' }),
  option: columnsAs({ name: 'name', color: 'color' }),
  view: (row) => new Map([...columnsAs({ name: 'name', type: 'type' })(row), ...jsonFields('settings')(row)]),
  comment: columnsAs({ content: 'content', resolved_at: 'resolved' }),
  reminder: columnsAs({ remind_at: 'remindAt', completed_at: 'isCompleted' }),
  element: jsonFields('json'),
  value: () => new Map(),
  board_asset: () => new Map(),
  board_state: () => new Map(),
  block_file: () => new Map(),
}

/** The ID of a row that has one of its own. */
export function ownId({ table, now, events }: RowHistory): number | undefined {
  const id = now.columns.id ?? events.at(-1)?.before.columns.id
  return table !== 'element' && typeof id === 'number' ? id : undefined
}
