/** Compares two states of a page, and builds the calls that make one of the other. Pure functions. */
import { isObject } from '../../../base/is-object.ts'

import { isName } from '../unsent/placeholders.ts'
import { placeOf } from './block-levels.ts'
import { editableText, type Fields, NO_TEXT } from './block-text.ts'
import { movedIds } from './order-merge.ts'
import { isEditedHere, type PageBlock } from './page-block.ts'
import { type BlockPosition, plainStyle } from './page-step.ts'

/** A step of a change: the call of one tool. */
export interface ChangeStep {
  tool: 'blocks_update' | 'blocks_add' | 'blocks_move' | 'blocks_delete'
  arguments: Record<string, unknown>
  /** The placeholders of the blocks that it adds, in order. */
  added?: readonly string[]
}

/** What makes one state of a page of another. */
export interface PageChange {
  steps: ChangeStep[]
  /** Deleted blocks that are there again, by their IDs. Undo of the space brings them back with their comments. */
  restored: string[]
}

/** @param pageId  the page whose blocks these are */
export function changeBetween(before: readonly PageBlock[], after: readonly PageBlock[], pageId: string): PageChange {
  const known = new Map(before.map((block) => [block.id, block]))
  const there = new Set(after.map(({ id }) => id))
  const kept = after.filter(({ id }) => known.has(id))
  const updates = kept.flatMap((block) => updateOf(known.get(block.id) ?? block, block))
  const steps: ChangeStep[] = [
    ...(updates.length > 0 ? [{ tool: 'blocks_update' as const, arguments: { blocks: updates } }] : []),
    ...moves(before, kept, pageId),
    ...additions(after, known, pageId),
    ...deletions(before.filter(({ id }) => !there.has(id))),
  ]
  const restored = after.filter(({ id }) => !known.has(id) && !isName(id)).map(({ id }) => id)
  return { steps, restored }
}

/** What changes one block, if anything does. */
function updateOf(before: PageBlock, after: PageBlock): object[] {
  if (before === after) return []
  const { id, fields, markdown } = after
  if (!isEditedHere(fields)) {
    return isSamePlace(before.fields, fields) ? [] : [{ id, ...placeOf(fields) }]
  }
  if (markdown === before.markdown && isSame(before.fields, fields)) return []
  // The level alone, or the state of a task alone, changes nothing that others wrote.
  if (isSame(withoutLevel(before.fields), withoutLevel(fields)) && isSameText(before, after))
    return [{ id, ...placeOf(fields) }]
  const isTicked = fields.taskInfo !== undefined && isSame({ ...before.fields, taskInfo: fields.taskInfo }, fields)
  if (isTicked && isSameText(before, after)) {
    return [{ id, taskInfo: fields.taskInfo }]
  }
  return [{ id, markdown: markdown || NO_TEXT, base: before.markdown, ...placeOf(fields), ...plainStyle(fields) }]
}

const withoutLevel = ({ indentationLevel: _, ...others }: Fields): Omit<Fields, 'indentationLevel'> => others
const isSamePlace = (one: Fields, other: Fields): boolean =>
  (one.indentationLevel ?? 0) === (other.indentationLevel ?? 0)

/** Compares what is defined, whatever its order. */
export function isSame(one: object, other: object): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

const sorted = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== undefined)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value

/** What stands before the text differs with the level and the box. */
const isSameText = (one: PageBlock, other: PageBlock): boolean =>
  editableText(one.markdown, one.fields) === editableText(other.markdown, other.fields)

function moves(before: readonly PageBlock[], kept: readonly PageBlock[], pageId: string): ChangeStep[] {
  const wanted = kept.map(({ id }) => id)
  const there = new Set(wanted)
  const moved = movedIds(
    before.map(({ id }) => id).filter((id) => there.has(id)),
    wanted,
  )
  return runsWhere(wanted, (id) => moved.has(id)).map(({ run, previous }) => ({
    tool: 'blocks_move',
    arguments: { blockIds: run, position: positionAfter(previous, pageId) },
  }))
}

function additions(after: readonly PageBlock[], known: ReadonlyMap<string, PageBlock>, pageId: string): ChangeStep[] {
  // What undo has restored already is there, and what was added beside it keeps its place.
  return runsWhere(after, ({ id }) => !known.has(id) && isName(id)).map(({ run, previous }) => ({
    tool: 'blocks_add',
    arguments: { blocks: run.map(addedBlock), position: positionAfter(previous?.id, pageId) },
    added: run.map(({ id }) => id),
  }))
}

function addedBlock({ fields, markdown }: PageBlock): object {
  const { type, decorations, listStyle, taskInfo, details } = fields
  if (!isEditedHere(fields)) {
    const isTyped = details !== undefined || type === 'line'
    return { ...details, ...(isTyped && { type }), ...(type !== 'line' && { markdown }), ...placeOf(fields) }
  }
  return {
    ...details,
    ...{ type, markdown: markdown || NO_TEXT, ...placeOf(fields) },
    // Alone, a number at the beginning is text, as in `24. Dezember`.
    ...(listStyle === 'numbered' && { listStyle }),
    ...(taskInfo && { taskInfo: { ...details?.taskInfo, ...taskInfo } }),
    ...(decorations?.callout && { decorations }),
  }
}

/** If others have changed a text in the meantime, the blocks stay. */
function deletions(blocks: readonly PageBlock[]): ChangeStep[] {
  if (blocks.length === 0) return []
  const checked = blocks
    .filter(({ fields }) => isEditedHere(fields))
    .map(({ id, markdown }) => ({ id, expectedMarkdown: markdown }))
  return [
    ...(checked.length > 0 ? [{ tool: 'blocks_update' as const, arguments: { blocks: checked } }] : []),
    { tool: 'blocks_delete', arguments: { blockIds: blocks.map(({ id }) => id) } },
  ]
}

/** The runs of consecutive entries for which `isIn` is true, each with the entry before it. */
function runsWhere<Entry>(
  entries: readonly Entry[],
  isIn: (entry: Entry) => boolean,
): { run: Entry[]; previous: Entry | undefined }[] {
  const runs: { run: Entry[]; previous: Entry | undefined }[] = []
  let run: Entry[] | undefined
  for (const [index, entry] of entries.entries()) {
    if (!isIn(entry)) run = undefined
    else if (run !== undefined) run.push(entry)
    else {
      run = [entry]
      runs.push({ run, previous: entries[index - 1] })
    }
  }
  return runs
}

const positionAfter = (previous: string | undefined, pageId: string): BlockPosition =>
  previous === undefined ? { position: 'start', pageId } : { position: 'after', siblingId: previous }
