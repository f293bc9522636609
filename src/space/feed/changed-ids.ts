/** The IDs of what calls created, changed, moved and deleted. */
import { changesOfRows, rowsByNumbers } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { IDS_PER_CHANGE } from '../../base/limits.ts'
import type { CountedChange, Verb } from '../history/counted-changes.ts'

const LISTS = ['made', 'changed', 'moved', 'deleted'] as const
type List = (typeof LISTS)[number]

/** IDs, as numbers, grouped by what happened to what they name. */
export interface ChangedIds extends Partial<Record<List, number[]>> {
  /** How many IDs are left out of all these lists; see {@link IDS_PER_CHANGE}. */
  leftOut?: number
}

/** A row of a table that has IDs. */
type RowKey = `${TableName} ${number}`

/** The list for each verb. Documents restored from the trash are in `newDocuments` instead. */
const LIST_OF: Partial<Record<Verb, List>> = {
  added: 'made',
  changed: 'changed',
  moved: 'moved',
  deleted: 'deleted',
  'moved to the trash': 'deleted',
}

/**
 * For each table whose rows have no ID: the column with the block that they belong to. That block counts as changed.
 */
const OWNER: Partial<Record<TableName, string>> = {
  property: 'collection',
  element: 'board',
  board_asset: 'board',
}

/** Tables whose rows share the number of a block. */
const OF_BLOCKS: ReadonlySet<TableName> = new Set(['document', 'collection', 'value', 'board_state', 'block_file'])

/**
 * @param changes  what each call changed, as far as it is shown
 * @returns the IDs by call number; empty for calls without IDs to show
 */
export async function changedIds(
  tx: Transaction,
  changes: ReadonlyMap<number, readonly CountedChange[]>,
): Promise<Map<number, ChangedIds>> {
  const owners = await ownerBlocks(tx, [...changes.values()].flat())
  const keysByCall = new Map([...changes].map(([call, some]) => [call, keysOf(some, owners)]))
  const wanted = [...keysByCall.values()].flatMap(({ lists }) => LISTS.flatMap((list) => [...lists[list]]))
  const ids = await resolveIds(tx, new Set(wanted), [...changes.values()].flat(), Math.min(...changes.keys()))
  const found = new Map<number, ChangedIds>()
  for (const [call, { lists, leftOut }] of keysByCall) {
    const of: ChangedIds = {}
    for (const list of LISTS) {
      const known = [...lists[list]].flatMap((key) => ids.get(key) ?? [])
      if (known.length > 0) of[list] = known
    }
    if (leftOut > 0) of.leftOut = leftOut
    found.set(call, of)
  }
  return found
}

interface Keys {
  lists: Record<List, Set<RowKey>>
  leftOut: number
}

function keysOf(changes: readonly CountedChange[], owners: ReadonlyMap<CountedChange, number>): Keys {
  const lists: Keys['lists'] = { made: new Set(), changed: new Set(), moved: new Set(), deleted: new Set() }
  const beyond = new Set<string>()
  const add = (list: List, key: RowKey) => {
    if (lists[list].size < IDS_PER_CHANGE || lists[list].has(key)) lists[list].add(key)
    else beyond.add(`${list} ${key}`)
  }
  const belonging: RowKey[] = []
  for (const change of changes) {
    const { table, row, verb } = change
    const list = LIST_OF[verb]
    const owner = owners.get(change)
    if (owner !== undefined) belonging.push(`block ${owner}`)
    else if (table !== 'document' && OF_BLOCKS.has(table)) belonging.push(`block ${row}`)
    else if (list !== undefined) add(list, table === 'document' ? `block ${row}` : `${table} ${row}`)
  }
  // If a block was created or deleted, so was what belongs to it. That does not count as a change of the block.
  for (const key of belonging) if (!lists.made.has(key) && !lists.deleted.has(key)) add('changed', key)
  return { lists, leftOut: beyond.size }
}

/** For rows without an ID, the numbers of the blocks that are named instead. */
async function ownerBlocks(tx: Transaction, changes: readonly CountedChange[]): Promise<Map<CountedChange, number>> {
  const found = new Map<CountedChange, number>()
  const options = changes.filter(({ table }) => table === 'option')
  const properties = await columnOf(tx, options, 'property')
  const ofOptions = [...properties].map(([change, row]): CountedChange => ({ ...change, table: 'property', row }))
  const collections = await columnOf(tx, ofOptions, 'collection')
  for (const [index, change] of [...properties.keys()].entries()) {
    const collection = collections.get(ofOptions[index] as CountedChange)
    if (collection !== undefined) found.set(change, collection)
  }
  for (const [table, column] of Object.entries(OWNER)) {
    const some = changes.filter((change) => change.table === table)
    for (const [change, block] of await columnOf(tx, some, column)) found.set(change, block)
  }
  return found
}

/**
 * Reads a column of the rows of these changes, which are of one table: its current value, or the one before the row was
 * deleted.
 */
async function columnOf(
  tx: Transaction,
  changes: readonly CountedChange[],
  column: string,
): Promise<Map<CountedChange, number>> {
  const [first] = changes
  const table = first?.table
  if (table === undefined) return new Map()
  const numbers = [...new Set(changes.map(({ row }) => row))]
  const values = new Map<number, unknown>()
  for (const row of await rowsByNumbers(tx, table, numbers)) values.set(row.n as number, row[column])
  const missing = numbers.filter((number) => !values.has(number))
  for (const { row, before } of missing.length === 0 ? [] : await changesOfRows(tx, table, missing, 0)) {
    const columns = JSON.parse(before ?? '{}') as Record<string, unknown>
    if (columns[column] !== undefined) values.set(row, columns[column])
  }
  const found = new Map<CountedChange, number>()
  for (const change of changes) {
    const value = values.get(change.row)
    if (typeof value === 'number') found.set(change, value)
  }
  return found
}

/** Finds the IDs of rows, both existing ones and deleted ones that history still knows. */
async function resolveIds(
  tx: Transaction,
  keys: ReadonlySet<RowKey>,
  changes: readonly CountedChange[],
  from: number,
): Promise<Map<RowKey, number>> {
  const ids = new Map<RowKey, number>()
  for (const { table, row, before } of changes) {
    const key: RowKey = `${table} ${row}`
    if (keys.has(key)) noteId(ids, key, before ?? null)
  }
  const byTable = Map.groupBy(
    [...keys].filter((key) => !ids.has(key)),
    (key) => key.split(' ')[0] as TableName,
  )
  for (const [table, some] of byTable) {
    const numbers = some.map((key) => Number(key.split(' ')[1]))
    for (const { n, id } of await rowsByNumbers(tx, table, numbers)) {
      if (typeof id === 'number') ids.set(`${table} ${n as number}`, id)
    }
    const missing = numbers.filter((number) => !ids.has(`${table} ${number}`))
    for (const { row, before } of missing.length === 0 ? [] : await changesOfRows(tx, table, missing, from)) {
      noteId(ids, `${table} ${row}`, before)
    }
  }
  return ids
}

function noteId(ids: Map<RowKey, number>, key: RowKey, before: string | null): void {
  if (before === null || !before.includes('"id":')) return
  const { id } = JSON.parse(before) as { id?: unknown }
  if (typeof id === 'number') ids.set(key, id)
}
