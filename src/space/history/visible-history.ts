/**
 * Decides which part of the history a connection sees: what happened in a document while the document was within its
 * reach, provided that it still is. A row that was in two documents is visible only where both are.
 */
import { changesOfRows, rowsByNumbers } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import { DAILY_LOCATIONS } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import type { Space } from '../model/space.ts'
import type { RowEvent, RowHistory } from './row-history.ts'

/** Reports whether a connection sees what a call did in a document. */
export type DocumentVisibility = (document: number, call: number) => boolean

/** @param documents  all documents that the returned function will be called with */
export async function documentVisibility(space: Space, documents: Iterable<number>): Promise<DocumentVisibility> {
  if (space.kind === 'full') return () => true
  const asked = [...new Set(documents)]
  const reached = await space.reachableDocuments(asked)
  const since = await reachedSince(space, [...reached])
  return (document, call) => reached.has(document) && call >= since(document)
}

async function reachedSince(space: Space, documents: readonly number[]): Promise<(document: number) => number> {
  if (space.kind === 'daily') {
    const since = await dailySince(space.tx, documents)
    return (document) => since.get(document) ?? 0
  }
  const { historyFrom = 0 } = space.link
  return typeof historyFrom === 'number' ? () => historyFrom : (document) => historyFrom.get(document) ?? Infinity
}

/** For documents that were not always daily notes: the number of the call that made them daily notes. */
async function dailySince(tx: Transaction, documents: readonly number[]): Promise<Map<number, number>> {
  const since = new Map<number, number>()
  for (const { row, call, before } of await changesOfRows(tx, 'document', documents, 0)) {
    const { location } = JSON.parse(before ?? '{}') as { location?: string }
    if (location !== undefined && !(DAILY_LOCATIONS as readonly string[]).includes(location)) since.set(row, call)
  }
  return since
}

/** The documents that a row was in before and after an event. */
export function documentsOf({ document, before, after }: RowEvent): number[] {
  const all = [document, before.columns.document, after.columns.document]
  return [...new Set(all.filter((one): one is number => typeof one === 'number'))]
}

/** For each table, the column that holds the number of the block that a row belongs to. */
const OWNER: Partial<Record<TableName, string>> = {
  document: 'n',
  collection: 'n',
  property: 'collection',
  value: 'item',
  view: 'collection',
  comment: 'block',
  reminder: 'block',
  element: 'board',
  board_asset: 'board',
  board_state: 'board',
  block_file: 'block',
}

/**
 * Maps rows to the numbers of the blocks that they belong to. Folders have none, nor do options whose property is
 * unknown.
 */
export async function ownerBlocks(tx: Transaction, histories: Iterable<RowHistory>): Promise<Map<RowHistory, number>> {
  const blocks = new Map<RowHistory, number>()
  const options: RowHistory[] = []
  for (const history of histories) {
    const { table, number, now } = history
    const column = OWNER[table]
    if (table === 'block') blocks.set(history, number)
    else if (column !== undefined) blocks.set(history, now.columns[column] as number)
    else if (table === 'option') options.push(history)
  }
  if (options.length === 0) return blocks
  const properties = await rowsByNumbers(
    tx,
    'property',
    options.map(({ now }) => now.columns.property as number),
  )
  const collections = new Map(properties.map(({ n, collection }) => [n, collection as number]))
  // Properties that were deleted are found in their history.
  for (const [{ table, number }, collection] of blocks) if (table === 'property') collections.set(number, collection)
  for (const option of options) {
    const collection = collections.get(option.now.columns.property ?? null)
    if (collection !== undefined) blocks.set(option, collection)
  }
  return blocks
}

/** Maps rows to the documents that they are in now, or were in last. */
export async function currentDocuments(
  tx: Transaction,
  histories: Iterable<RowHistory>,
): Promise<Map<RowHistory, number>> {
  const owners = await ownerBlocks(tx, histories)
  const rows = await rowsByNumbers(tx, 'block', [...new Set(owners.values())])
  const documents = new Map(rows.map(({ n, document }) => [n, document as number]))
  const found = new Map<RowHistory, number>()
  for (const [history, block] of owners) {
    const document = history.table === 'block' ? history.now.columns.document : documents.get(block)
    if (typeof document === 'number') found.set(history, document)
  }
  return found
}
