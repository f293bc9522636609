/**
 * Formats rows as text, column by column. Every column that history keeps has its place here: the compiler names one
 * that has none.
 */
import type { HistoryRow } from '../../../storage/history.ts'
import type { HISTORY_TABLES, TableName } from '../../../storage/history-tables.ts'
import { formatTimestamp } from '../model/dates.ts'
import { doneRule } from '../model/dependencies.ts'
import type { RowNames } from './row-names.ts'
import { type FieldValues, UnwrittenFields } from './unwritten-fields.ts'
import { fieldLabel, Name, valueText } from './value-text.ts'

/** A field of a row. */
export interface RowField {
  label: string
  value: unknown
  /** True if the Markdown of the document shows it. */
  isWritten?: boolean
  /** True if it only gives the row a place among others. The others may change it as well. */
  isOrder?: boolean
}

/** A row as text: what it is, and its fields. */
export interface RowText {
  subject: string
  fields: RowField[]
}

/** What formatting needs besides the row. */
export interface TextContext {
  names: RowNames
  unwritten: UnwrittenFields
  /** Settings of a view with the names of properties and options in place of their numbers. */
  settings(row: HistoryRow): object
  /** The time of the call. What the call sets to it reads `now`, so that the same call reads the same at any time. */
  now: number | undefined
}

type Value = string | number | null

/**
 * The place of a column: in the name of the row itself, nowhere since every change sets it, or a field. A field that
 * returns `undefined` is left out.
 */
type Place =
  | 'subject'
  | 'stamp'
  | { label: string; isWritten?: true; format?(value: Value, context: TextContext): unknown }

type Column<Table extends TableName> = (typeof HISTORY_TABLES)[Table]['columns'][number]

const OUT_OF_REACH = 'out of reach'
const named =
  (kind: 'block' | 'folder' | 'property' | 'option' | 'view') =>
  (value: Value, { names }: TextContext) =>
    value === null ? undefined : new Name(names[kind](value as number) ?? OUT_OF_REACH)
const time = (value: Value, { now }: TextContext) =>
  value === null ? undefined : value === now ? 'now' : formatTimestamp(value as number)
const json = (value: Value, { now }: TextContext) =>
  value === null ? undefined : withoutNow(JSON.parse(String(value)), now)
/** Numbers of properties and options differ in each space, so a rule in a config has their names. */
function config(value: Value, context: TextContext): unknown {
  const rule = value === null ? undefined : doneRule({ type: 'relation', config: String(value) })
  if (rule === undefined) return json(value, context)
  const { property, filterType, value: operand } = rule
  const values = operand === undefined ? [] : Object.values(operand).flat()
  const isOption = operand !== undefined && 'options' in operand
  return {
    dependsOn: {
      done: named('property')(property, context),
      filterType,
      ...(values.length > 0 && { filterValue: isOption ? values.map((n) => named('option')(n, context)) : values }),
    },
  }
}
const present = (value: Value) => value ?? undefined
const yes = (value: Value) => (value === 1 ? true : undefined)

const PLACES: { readonly [Table in TableName]: Readonly<Record<Column<Table>, Place>> } = {
  folder: {
    id: 'subject',
    parent: { label: 'in', format: named('folder') },
    name: 'subject',
    created_at: 'stamp',
  },
  block: {
    id: 'subject',
    // The difference of a block stands with that of its document.
    document: 'subject',
    parent: { label: 'in', isWritten: true, format: named('block') },
    position: { label: 'position', isWritten: true },
    // These are fields of the block: see blockFields.
    ...{
      type: 'subject',
      text: 'subject',
      indentation: 'subject',
      list_style: 'subject',
      number: 'subject',
      attributes: 'subject',
    },
    ...{ created_at: 'stamp', created_by: 'stamp', modified_at: 'stamp', modified_by: 'stamp' },
  },
  document: {
    location: { label: 'place', format: (value) => (value === 'folder' ? undefined : value) },
    folder: { label: 'folder', format: named('folder') },
    daily_note_date: { label: 'day', format: present },
    ...{ created_at: 'stamp', modified_at: 'stamp', revision: 'stamp', trashed_at: 'stamp' },
  },
  collection: {
    title_key: { label: 'key of the title column' },
    title_name: { label: 'title column' },
    active_view: { label: 'active view', format: named('view') },
  },
  property: {
    collection: 'subject',
    key: { label: 'key' },
    name: 'subject',
    type: { label: 'type' },
    position: { label: 'position' },
    config: { label: 'config', format: config },
    target: { label: 'items of', format: named('block') },
    other_side: { label: 'other side', format: named('property') },
    is_back_reference: { label: 'is back reference', format: yes },
  },
  option: {
    property: 'subject',
    name: 'subject',
    color: { label: 'color' },
    position: { label: 'position' },
  },
  value: {
    text: { label: 'value', isWritten: true, format: present },
    number: { label: 'value', isWritten: true, format: present },
    option: { label: 'value', isWritten: true, format: named('option') },
    target: { label: 'value', isWritten: true, format: named('block') },
  },
  view: {
    id: 'subject',
    collection: 'subject',
    position: { label: 'position' },
    name: 'subject',
    type: { label: 'type' },
    // With the names of properties: see viewFields.
    settings: 'subject',
  },
  comment: {
    id: 'subject',
    block: 'subject',
    author: 'subject',
    content: { label: 'content' },
    created_at: 'stamp',
    modified_at: 'stamp',
    resolved_at: { label: 'resolved', format: time },
    resolved_by: { label: 'resolved by', format: present },
    thread: 'subject',
    words: { label: 'words', format: present },
    unconfirmed: { label: 'waits for confirmation', format: present },
  },
  reminder: {
    id: 'subject',
    block: 'subject',
    participant: 'subject',
    remind_at: { label: 'remind at', format: (value, context) => time(value, context) ?? 'saved for later' },
    completed_at: { label: 'completed', format: time },
    created_at: 'stamp',
  },
  // The fields of these are those of their JSON: see jsonFields.
  element: { board: 'subject', id: 'subject', json: 'subject' },
  board_asset: { board: 'subject', id: 'subject', json: 'subject' },
  board_state: { json: 'subject' },
  block_file: { file: 'subject' },
}

/** Returns undefined for a row that refers to something out of reach, and is hidden with it. */
export function textsOfRow(table: TableName, row: HistoryRow, context: TextContext): RowText | undefined {
  const { names } = context
  if (table === 'value' && typeof row.target === 'number' && names.block(row.target) === undefined) return undefined
  return {
    subject: SUBJECTS[table](row, context),
    fields: [...ownFields(table, row, context), ...columnFields(table, row, context)],
  }
}

function columnFields(table: TableName, row: HistoryRow, context: TextContext): RowField[] {
  return Object.entries<Place>(PLACES[table]).flatMap(([column, place]) => {
    if (typeof place === 'string') return []
    const value = row[column] ?? null
    const isMember = table === 'value' && column === 'number' && value !== null && context.names.isMember(row)
    if (isMember)
      return [
        {
          label: place.label,
          value: new Name(context.names.member(row) ?? OUT_OF_REACH),
          isWritten: true,
          isOrder: false,
        },
      ]
    const shown = place.format === undefined ? value : place.format(value, context)
    return shown === undefined
      ? []
      : [{ label: place.label, value: shown, isWritten: place.isWritten ?? false, isOrder: column === 'position' }]
  })
}

/** Fields that stand together in one column. */
function ownFields(table: TableName, row: HistoryRow, context: TextContext): RowField[] {
  if (table === 'block') return blockFields(row, context)
  if (table === 'view') return fieldsOf(context.settings(row))
  if (table === 'element' || table === 'board_asset' || table === 'board_state') {
    const { id: _, ...fields } = json(row.json ?? '{}', context) as Record<string, unknown>
    return fieldsOf(fields)
  }
  if (table !== 'block_file') return []
  const file = context.names.file(row.file as number)
  if (file === undefined) return []
  const { name, mimeType, size, hash } = file
  return fieldsOf({ name, type: mimeType, bytes: size, 'SHA-256': hash })
}

const fieldsOf = (values: object): RowField[] =>
  Object.entries(values).map(([field, value]) => ({ label: fieldLabel(field), value }))

function blockFields(row: HistoryRow, { names, unwritten, now }: TextContext): RowField[] {
  const fields = names.fields(row)
  const beside = unwritten.of(fields)
  const all: FieldValues = { type: fields.type, text: fields.text, ...UnwrittenFields.all(fields) }
  return Object.entries(all).map(([field, value]) => ({
    label: fieldLabel(field),
    value: field === 'assignee' ? assigneeName(value as AssigneeAnswer) : withoutNow(value, now),
    isWritten: !Object.hasOwn(beside, field),
  }))
}

type AssigneeAnswer = { readonly id?: string; readonly name: string }

/** Such as `"Anna" (100000000012)`: two members may have one name. Somebody who is none has no ID. */
const assigneeName = ({ id, name }: AssigneeAnswer): Name =>
  new Name(`${JSON.stringify(name)}${id === undefined ? '' : ` (${id})`}`)

/** The value with `now` in place of the time of the call. */
function withoutNow(value: unknown, now: number | undefined): unknown {
  if (now === undefined) return value
  if (value === now || value === formatTimestamp(now)) return 'now'
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withoutNow(one, now))
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, withoutNow(one, now)]))
}

const blockNamed = (names: RowNames, number: unknown): string => names.block(number as number) ?? OUT_OF_REACH

const SUBJECTS: { readonly [Table in TableName]: (row: HistoryRow, context: TextContext) => string } = {
  folder: ({ id, name }, { names }) => `folder ${JSON.stringify(name)} (${names.id(id as number)})`,
  block: ({ n }, { names }) => blockNamed(names, n),
  document: ({ n }, { names }) => `document ${blockNamed(names, n)}`,
  collection: ({ n }, { names }) => `collection ${blockNamed(names, n)}`,
  property: ({ name, collection }, { names }) => `property ${JSON.stringify(name)} of ${blockNamed(names, collection)}`,
  option: ({ name, property }, { names }) =>
    `option ${JSON.stringify(name)} of ${names.property(property as number) ?? 'a deleted property'}`,
  value: ({ item, property, ordinal }, { names }) =>
    `${blockNamed(names, item)}, ${names.property(property as number) ?? 'a deleted property'}${ordinal === 0 ? '' : `, value ${Number(ordinal) + 1}`}`,
  view: ({ id, name, collection }, { names }) =>
    `view ${JSON.stringify(name)} (${names.id(id as number)}) of ${blockNamed(names, collection)}`,
  comment: ({ id, author, block }, { names }) =>
    `comment by ${valueText(author)} (${names.id(id as number)}) on ${blockNamed(names, block)}`,
  reminder: ({ id, block }, { names }) => `reminder (${names.id(id as number)}) for ${blockNamed(names, block)}`,
  element: ({ id, board }, { names }) => `element ${JSON.stringify(id)} of ${blockNamed(names, board)}`,
  board_asset: ({ id, board }, { names }) => `picture ${JSON.stringify(id)} of ${blockNamed(names, board)}`,
  board_state: ({ board }, { names }) => `state of ${blockNamed(names, board)}`,
  block_file: ({ block }, { names }) => `file of ${blockNamed(names, block)}`,
}
