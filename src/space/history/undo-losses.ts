/**
 * Finds what an undo would delete. Undo writes rows, so it does not run the tools that would make the same change: their
 * rules are applied to the rows instead. `model/access.ts` defines what counts as a deletion.
 */
import type { HistoryRow } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import { countLostRows } from '../blocks/guard-table-rows.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import { becomesDeleted, losesImage } from '../whiteboards/guard-whiteboard-loss.ts'
import type { PlannedRow } from './planned-row.ts'

/** @throws FORBIDDEN if the planned rows would delete something and the link may not delete */
export async function assertUndoDeletesNothing(space: Space, rows: readonly PlannedRow[]): Promise<void> {
  if (canDelete(space.link)) return
  const trash = await findTrash(space, rows)
  const context: Context = { trash, spell: (id) => (typeof id === 'number' ? space.spellId(id) : String(id)) }
  const losses = rows.flatMap((row) => lossOf(row, context) ?? [])
  assertDeletionAllowed(space.link, losses.length, {
    expected: 'calls whose undo deletes nothing',
    found: `${losses.length} that would be deleted, the first ${losses[0]}`,
    instead: 'leave out the calls that added or restored it',
  })
}

/** Which documents are in the trash, before the undo and after it. */
interface Trash {
  before(document: number): boolean
  after(document: number): boolean
}

interface Context {
  trash: Trash
  /** Writes an ID as the connection does. */
  spell(id: HistoryRow[string] | undefined): string
}

/** The rule for the rows of one table. Both parts return a description of what is lost, or undefined for nothing. */
interface LossRule {
  /** The row is deleted. */
  ofRow(row: HistoryRow, context: Context): string | undefined
  /** The row stays, and changes. */
  ofChange?(before: HistoryRow, after: HistoryRow, context: Context): string | undefined
}

const withId = (noun: string): LossRule => ({ ofRow: ({ id }, { spell }) => `${noun} ${spell(id)}` })
const withoutId = (phrase: string): LossRule => ({ ofRow: () => phrase })
/** The row is a part of a thing that stays: fields may be emptied. */
const field: LossRule = { ofRow: () => undefined }

const RULES: Record<TableName, LossRule> = {
  folder: withId('folder'),
  block: { ...withId('block'), ofChange: blockLoss },
  document: {
    ...withoutId('a document'),
    ofChange: ({ n }, _, { trash }) =>
      !trash.before(n as number) && trash.after(n as number) ? 'a document on the way into the trash' : undefined,
  },
  collection: withoutId('a collection'),
  property: { ofRow: ({ key }) => `property ${key}` },
  option: { ofRow: ({ name }) => `option ${name}` },
  value: field,
  view: withId('view'),
  comment: withId('comment'),
  reminder: withId('reminder'),
  element: {
    ...withId('element'),
    ofChange: (before, after) =>
      becomesDeleted(jsonOf(before), jsonOf(after)) ? `element ${before.id}, by isDeleted` : undefined,
  },
  board_asset: {
    ...withId('picture'),
    ofChange: (before, after) => (losesImage(jsonOf(before), jsonOf(after)) ? `picture ${before.id}` : undefined),
  },
  board_state: field,
  block_file: {
    ...withoutId('a file'),
    ofChange: (before, after) => (before.file === after.file ? undefined : 'a file, by another one in its block'),
  },
}

function lossOf({ history: { table, now }, target }: PlannedRow, context: Context): string | undefined {
  if (!now.isThere) return undefined
  const { ofRow, ofChange } = RULES[table]
  return target.isThere ? ofChange?.(now.columns, target.columns, context) : ofRow(now.columns, context)
}

function blockLoss(before: HistoryRow, after: HistoryRow, { trash, spell }: Context): string | undefined {
  const { type, text, document } = before
  const id = spell(before.id)
  if (!trash.before(document as number) && trash.after(after.document as number))
    return `block ${id}, on the way into a document in the trash`
  if (type !== 'table' || text === after.text) return undefined
  const { rows, columns } = countLostRows(String(text), String(after.text))
  return rows > 0 ? `a row of table ${id}` : columns > 0 ? `a column of table ${id}` : undefined
}

const jsonOf = ({ json }: HistoryRow) => JSON.parse(String(json)) as Record<string, unknown>

async function findTrash(space: Space, rows: readonly PlannedRow[]): Promise<Trash> {
  const documents = rows.flatMap(({ history: { table, number, now }, target }) => {
    if (table === 'document') return [number]
    return table === 'block' ? [now.columns.document as number, target.columns.document as number] : []
  })
  const locations = new Map([...(await space.documentRows(documents)).values()].map(({ n, location }) => [n, location]))
  const planned = new Map(
    rows.flatMap(({ history: { table, number }, target }) =>
      table === 'document' ? [[number, target.columns.location] as const] : [],
    ),
  )
  return {
    before: (document) => locations.get(document) === 'trash',
    after: (document) => (planned.get(document) ?? locations.get(document)) === 'trash',
  }
}
