/** Names what changed rows refer to: blocks, folders, properties, options, views, files and members. */
import { filesByNumbers } from '../../../storage/files.ts'
import { type HistoryRow, rowsByNumbers } from '../../../storage/history.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import { membersByNumbers } from '../../../storage/members.ts'
import type { BlockRow, FileRow, PropertyRow } from '../../../storage/schema.ts'
import { readInChunks } from '../../base/scheduling.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { visiblePlainText } from '../model/block-links.ts'
import { doneRule } from '../model/dependencies.ts'
import { knownMembers } from '../model/member-reach.ts'
import type { Space } from '../model/space.ts'
import type { ChangedState } from './changed-states.ts'

/** Characters of a block's text in its name. */
const NAME_LENGTH = 60
const ROWS_PER_READ = 2_000

/** Names of rows. A row out of reach, or one that was deleted long ago, has none. */
export interface RowNames {
  /** Such as `"Permits take six weeks." (100000000012)`, or `whiteboard (100000000013)`. */
  block(number: number): string | undefined
  folder(number: number): string | undefined
  property(number: number): string | undefined
  option(number: number): string | undefined
  view(number: number): string | undefined
  file(number: number): FileRow | undefined
  /** The member that a value is, if it is one and the connection knows it. */
  member(value: HistoryRow): string | undefined
  /** True for a value that is a member. */
  isMember(value: HistoryRow): boolean
  /** The fields of a block row as the connection may see them. Only for rows of the changed states. */
  fields(row: HistoryRow): BlockFields
  id(id: number): string
  /** The whole text of a block, of which its name is the beginning. */
  text(number: number): string | undefined
  /** The same names without the texts of blocks and folders, which others may change. */
  readonly bare: Pick<RowNames, 'block' | 'folder'>
}

export async function readRowNames(space: Space, states: readonly ChangedState[]): Promise<RowNames> {
  const rows = await referredRows(space, states)
  const changed = states.filter(({ table }) => table === 'block').flatMap(({ before, after }) => [before, after])
  const blocks = new Map<HistoryRow, BlockRow>()
  for (const row of [...changed, ...rows('block').values()]) if (row !== undefined) blocks.set(row, blockRowOf(row))
  const visible = await visibleFields(space, [...blocks.values()])
  const fields = (row: HistoryRow) => visible(blocks.get(row) ?? blockRowOf(row))
  const reached = await space.reachableDocuments([...blocks.values()].map(({ document }) => document))
  const files = await filesOf(space, states)
  const isMember = ({ property }: HistoryRow) => rows('property').get(property as number)?.type === 'person'
  const members = await membersOf(space, states, isMember)
  const id = (one: number) => space.spellId(one)
  const [blockNames, blockIds] = [new Map<number, string>(), new Map<number, string>()]
  const blockTexts = new Map<number, string>()
  for (const [number, row] of rows('block')) {
    if (!reached.has(row.document as number)) continue
    const spelled = id(row.id as number)
    blockNames.set(number, blockName(fields(row), spelled))
    const { type, text, altText, fileName, title } = fields(row)
    blockTexts.set(number, JSON.stringify([type, text, altText, fileName, title]))
    blockIds.set(number, spelled)
  }
  const named = (['property', 'option', 'view'] as const).flatMap((table) => [...rows(table).values()])
  const visibleText = await visiblePlainText(
    space,
    named.map((row) => String(row.name)),
  )
  const quoted = (row: HistoryRow) => JSON.stringify(visibleText.text(String(row.name)))
  const name = (table: TableName, format: (row: HistoryRow) => string) => (number: number) => {
    const row = rows(table).get(number)
    return row && format(row)
  }
  return {
    block: (number) => blockNames.get(number),
    folder: name('folder', (row) => `${JSON.stringify(row.name)} (${id(row.id as number)})`),
    property: name('property', quoted),
    option: name('option', quoted),
    view: name('view', (row) => `${quoted(row)} (${id(row.id as number)})`),
    file: (number) => files.get(number),
    isMember,
    member: (value) => members.get(value.number as number),
    fields,
    id,
    text: (number) => blockTexts.get(number),
    bare: { block: (number) => blockIds.get(number), folder: name('folder', (row) => id(row.id as number)) },
  }
}

/** The rows that the changed ones refer to, and these themselves, by table and number. Of a deleted row, the last one. */
async function referredRows(
  { tx }: Space,
  states: readonly ChangedState[],
): Promise<(table: TableName) => ReadonlyMap<number, HistoryRow>> {
  const found = new Map<TableName, Map<number, HistoryRow>>()
  const rowsOf = (table: TableName) => {
    const rows = found.get(table) ?? new Map<number, HistoryRow>()
    found.set(table, rows)
    return rows
  }
  for (const { table, number, before, after } of states) {
    const row = after ?? before
    if (row !== undefined && historyTable(table).key.length === 1) rowsOf(table).set(number, row)
  }
  // A value names its property, whose collection has a name, too: two steps, and no row refers further.
  let known: readonly { table: TableName; row: HistoryRow }[] = states.flatMap(({ table, before, after }) =>
    [before, after].flatMap((row) => (row === undefined ? [] : { table, row })),
  )
  while (known.length > 0) {
    const missing = new Map<TableName, Set<number>>()
    for (const { table, row } of known) {
      for (const [referred, number] of referencesOf(table, row)) {
        if (rowsOf(referred).has(number)) continue
        missing.set(referred, (missing.get(referred) ?? new Set<number>()).add(number))
      }
    }
    const read: { table: TableName; row: HistoryRow }[] = []
    for (const [table, numbers] of missing) {
      const [key = 'n'] = historyTable(table).key
      for (const row of await readInChunks([...numbers], ROWS_PER_READ, (part) => rowsByNumbers(tx, table, part))) {
        rowsOf(table).set(row[key] as number, row)
        // What a block stands in is not part of its name.
        if (table !== 'block') read.push({ table, row })
      }
    }
    known = read
  }
  return rowsOf
}

/** Collections are named as blocks, and documents by their root blocks. */
function referencesOf(table: TableName, row: HistoryRow): [TableName, number][] {
  return Object.entries(historyTable(table).references)
    .flatMap(([column, referred]) => {
      const number = row[column]
      const named: TableName = referred === 'collection' ? 'block' : referred
      return typeof number === 'number' ? [[named, number] as [TableName, number]] : []
    })
    .concat(table === 'property' ? referencesOfRule(row) : [])
}

/** What says which items are done, in the config of a relation. */
function referencesOfRule(row: HistoryRow): [TableName, number][] {
  const { property, value } = doneRule(row as unknown as Pick<PropertyRow, 'type' | 'config'>) ?? {}
  if (property === undefined) return []
  const options = value !== undefined && 'options' in value ? value.options : []
  return [['property', property], ...options.map((n): [TableName, number] => ['option', n])]
}

/** The names of the members among the values of these rows, by number. */
async function membersOf(
  space: Space,
  states: readonly ChangedState[],
  isMember: (value: HistoryRow) => boolean,
): Promise<ReadonlyMap<number, string>> {
  const values = states
    .filter(({ table }) => table === 'value')
    .flatMap(({ before, after }) => [before, after].filter((row) => row !== undefined))
    .filter(isMember)
  const numbers = new Set(values.flatMap(({ number }) => (typeof number === 'number' ? number : [])))
  if (numbers.size === 0) return new Map()
  const isKnown = await knownMembers(space)
  const found = await membersByNumbers(space.tx, [...numbers], space.now)
  return new Map(found.filter(({ n }) => isKnown(n)).map(({ n, name }) => [n, JSON.stringify(name)]))
}

async function filesOf(space: Space, states: readonly ChangedState[]): Promise<ReadonlyMap<number, FileRow>> {
  const numbers = states
    .filter(({ table }) => table === 'block_file')
    .flatMap(({ before, after }) => [before?.file, after?.file].filter((file) => typeof file === 'number'))
  const files = await readInChunks([...new Set(numbers)], ROWS_PER_READ, (part) => filesByNumbers(space.tx, part))
  const visible = await visiblePlainText(
    space,
    files.map(({ name }) => name),
  )
  return new Map(files.map((file) => [file.n, { ...file, name: visible.text(file.name) }]))
}

/** The row of a block, from its columns in the database. */
function blockRowOf(columns: HistoryRow): BlockRow {
  const { list_style, created_at, created_by, modified_at, modified_by, ...others } = columns
  return {
    ...others,
    ...{ listStyle: list_style, createdAt: created_at, createdBy: created_by },
    ...{ modifiedAt: modified_at, modifiedBy: modified_by },
  } as BlockRow
}

/** The name of a block: the beginning of its text, or its type if it has none. */
export function blockName({ type, text, altText, fileName, title }: BlockFields, id: string): string {
  const label = shortenText(truncateTitle(type === 'table' ? '' : text || (altText ?? fileName ?? title ?? '')))
  return label === '' ? `${type} (${id})` : `${JSON.stringify(label)} (${id})`
}

/** The beginning of a text, as names have it. */
export function shortenText(text: string): string {
  const characters = Array.from(text.trim())
  return characters.length > NAME_LENGTH ? `${characters.slice(0, NAME_LENGTH).join('')}…` : characters.join('')
}
