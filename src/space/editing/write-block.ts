/** Writes the new fields of one block, with all that depends on them: tasks, files, comments, and the rules for titles. */
import { parentBlock } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import type { BlockFields, StatedFacts } from '../../markdown/block.ts'
import { coverAddress } from '../../markdown/page-cover.ts'
import { type BlockColumns, columnsFromFields, fieldsFromRow } from '../blocks/block-rows.ts'
import { assertNoRowsLost } from '../blocks/guard-table-rows.ts'
import { type CommentTagKeeper, commentTagKeeper } from '../comments/comment-threads.ts'
import { withoutFileFacts, withStatedFacts } from '../content/file-facts.ts'
import { updateFileReference, withReachableFile, withStoredAddress } from '../content/file-references.ts'
import { updateRow, updateRows } from '../model/block-writes.ts'
import { isSystemDocument, type Space } from '../model/space.ts'
import { assertOnlyTasks } from '../model/system-documents.ts'
import { applyTaskChange } from './complete-task.ts'
import { getTaskState, moveTask } from './task-locations.ts'

/**
 * Collects the changed blocks of one call and writes them together, before anything that depends on them is read or
 * moved.
 */
export class BlockUpdateBatch {
  readonly #space: Space
  readonly #rows = new Set<BlockRow>()
  readonly preserveTag: CommentTagKeeper

  constructor(space: Space, preserveTag: CommentTagKeeper) {
    this.#space = space
    this.preserveTag = preserveTag
  }

  add(row: BlockRow): void {
    this.#rows.add(row)
  }

  async write(): Promise<void> {
    const rows = [...this.#rows]
    this.#rows.clear()
    await updateRows(this.#space, rows)
  }
}

interface WriteBlockOptions {
  /** True if a task stays where it is, whatever its state. */
  keepsPlace?: boolean
  /** True for a task whose dates are those of its source. */
  keepsTaskTimes?: boolean | undefined
  /** True if the caller knows which date of a repeating task it changes. */
  knowsDate?: boolean
  /** Collects the row instead of writing it at once. The batch must know the comments of the block. */
  batch?: BlockUpdateBatch
  /** What the caller states about the file of the block. */
  stated?: StatedFacts | undefined
}

/**
 * Writes the new fields of a block, applies the rules for tasks, and marks its document as changed.
 *
 * @throws VALIDATION_ERROR for the title of a daily note, a repeat rule that never matches a day, statements that
 *   contradict the file of the block, and a block in the inbox or the logbook that would no longer be a task; FORBIDDEN
 *   for a table with fewer rows and for another file, if the link may not delete
 */
export async function writeBlock(
  space: Space,
  row: BlockRow,
  fields: BlockFields,
  { keepsPlace = false, keepsTaskTimes = false, knowsDate = false, batch, stated }: WriteBlockOptions = {},
): Promise<void> {
  await assertDailyNoteTitleKept(space, row, fields)
  const [wasTask, state] = [row.listStyle === 'task', getTaskState(row)]
  const preserveTag = batch?.preserveTag ?? (await commentTagKeeper(space, fields.text === row.text ? [] : [row]))
  const text = fields.text === row.text ? row.text : preserveTag(row, fields.text)
  const before = fieldsFromRow(row)
  const { url } = before
  // An unchanged address is not checked again: its author may have reached less than the person who changes the block
  // now.
  const isSame = fields.url === url || withStoredAddress(space, fields).url === url
  const shown = isSame
    ? withStoredCover(space, withUrl(fields, url))
    : await withReachableFile(space, withoutFileFacts(fields))
  const addressed = stated === undefined ? shown : withStatedFacts(shown, stated, before)
  const changed = await applyTaskChange(space, row, { ...addressed, text }, { keepsTaskTimes, knowsDate })
  const stored = columnsFromFields(changed)
  if (!hasChanged(row, stored)) return
  assertNoRowsLost(space, row, stored.text)
  Object.assign(row, stored, { modifiedAt: space.now, modifiedBy: space.link.author })
  if (wasTask && row.listStyle !== 'task') await assertMayBeNoTask(space, row)
  if (batch === undefined) await updateRow(space, row)
  else batch.add(row)
  if (addressed.url !== url || coverAddress(addressed) !== coverAddress(before)) await updateFileReference(space, row)
  if (keepsPlace || row.listStyle !== 'task' || getTaskState(row) === state) return
  await batch?.write()
  await moveTask(space, row)
}

/** The address of the cover of a page in its stored form. */
const withStoredCover = (space: Space, fields: BlockFields): BlockFields =>
  coverAddress(fields) === undefined ? fields : withStoredAddress(space, fields)

const withUrl = (fields: BlockFields, url: string | undefined): BlockFields =>
  fields.url === url || url === undefined ? fields : { ...fields, url }

async function assertMayBeNoTask(space: Space, row: BlockRow): Promise<void> {
  const document = await space.documentRow(row.document)
  if (document === undefined || !isSystemDocument(document)) return
  const parent = await parentBlock(space.tx, row)
  if (parent !== undefined) await assertOnlyTasks(space, parent, [row])
}

const hasChanged = (row: BlockRow, columns: BlockColumns): boolean =>
  (Object.keys(columns) as (keyof BlockColumns)[]).some((key) => row[key] !== columns[key])

/** Refuses a changed title of a daily note, which is always its day. */
async function assertDailyNoteTitleKept(space: Space, row: BlockRow, { text }: BlockFields): Promise<void> {
  if (row.parent !== null || text === row.text) return
  const document = await space.documentRow(row.document)
  if (document?.location !== 'daily_notes') return
  throw invalid(
    `Expected a page whose title can change, found ${space.spellId(row.id)}, the daily note of ${document.dailyNoteDate}, which is named after its day; change the blocks in it.`,
  )
}
