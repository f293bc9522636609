/** Updates tasks: text, state, dates, repeat rule and location. Only the given fields change. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { restoreBlockLinks } from '../../markdown/text-addresses.ts'
import { applyFields, checkStamps } from '../blocks/block-input.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { assertNoTaskCycles, mergeBlockedBy } from '../blocks/task-blockers.ts'
import { commentTagKeeper } from '../comments/comment-threads.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { refreshRows } from '../editing/move-blocks.ts'
import { mergeParsedFields } from '../editing/parsed-fields.ts'
import {
  getTaskLocations,
  getTaskState,
  logbookRefused,
  moveTask,
  type TaskDestination,
  type TaskLocation,
} from '../editing/task-locations.ts'
import { BlockUpdateBatch, writeBlock } from '../editing/write-block.ts'
import { applyFences, checkFences, type FencedEntry } from '../leases/fenced-changes.ts'
import { type Expected, entriesAsExpected, type FoundFields } from '../model/conditions.ts'
import { resolveDate } from '../model/dates.ts'
import type { GivenId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import { parseTaskText, type TaskInput } from './add-tasks.ts'
import { getTasks } from './find-tasks.ts'
import { taskAnswers, taskMarkdown } from './task-answer.ts'

/** An update of a task. Its Markdown is parsed before the transaction begins. */
export interface PreparedTaskUpdate {
  id: GivenId
  input: TaskInput
  parsed?: Block
  expected?: Expected
  /** Of a claimed task: its fence, and whether to free it. */
  fence?: number
  release?: boolean
}

export interface PreparedTaskUpdates {
  updates: readonly PreparedTaskUpdate[]
  /** True to change the other tasks if conditions of some do not hold. */
  partial: boolean
}

/** @throws VALIDATION_ERROR that names every task whose Markdown is not one task, and every ID that comes twice */
export async function prepareUpdateTasks({
  tasksToUpdate,
  partial,
}: {
  tasksToUpdate: readonly (TaskInput & FencedEntry & { expected?: Expected | undefined })[]
  partial: boolean
}): Promise<PreparedTaskUpdates> {
  const prepared: PreparedTaskUpdate[] = []
  const errors = new InputErrors()
  const seen = new Set<string>()
  for (const [index, { id, expected, fence, release = false, ...input }] of tasksToUpdate.entries()) {
    try {
      if (seen.has(id.key)) throw invalid(duplicateMessage(id))
      seen.add(id.key)
      const parsed = input.markdown === undefined ? undefined : await parseTaskText(input.markdown)
      const conditions = { ...(expected && { expected }), ...(fence !== undefined && { fence }), release }
      prepared.push({ id, input, ...(parsed && { parsed }), ...conditions })
    } catch (error) {
      errors.addError(`tasksToUpdate[${index}]`, error)
    }
    if (errors.hasTooMany) break
    await yieldToEventLoop()
  }
  errors.throwIfAny()
  return { updates: prepared, partial }
}

/**
 * @throws NOT_FOUND_ERROR; CONFLICT for a task that is not as its caller expects; VALIDATION_ERROR if a block is not a
 *   task, or a repeat rule has no occurrences
 */
export async function updateTasks(space: Space, { updates: all, partial }: PreparedTaskUpdates) {
  const found = await getTasks(
    space,
    all.map(({ id }) => id),
  )
  // A task may have been named both by its ID and by its former ID.
  const repeated = all.find(({ id }, index) => all.findIndex((one) => one.id.number === id.number) < index)
  if (repeated !== undefined) throw invalid(duplicateMessage(repeated.id))
  const rowOf = new Map(found.map((row) => [row.id, row]))
  const pathOf = (index: number) => `tasksToUpdate[${index}]`
  const fences = await checkFences(space, all, rowOf, { noun: 'task', pathOf })
  const { held: updates, conflicts } = await entriesAsExpected({
    ...{ entries: all, noun: 'task', isPartial: partial, groups: ['taskInfo'] },
    pathOf,
    differences: fences.differences,
    idOf: ({ id }) => space.spellId(id.number),
    expectedOf: ({ expected }) => expected,
    read: (some) => readFields(space, some, found),
  })
  const rows = updates.flatMap(({ id }) => rowOf.get(id.number) ?? [])
  await checkTasksAsRead(space, rows, updates)
  await getTasks(
    space,
    updates.flatMap(({ input }) => input.blockedBy ?? []),
  )
  const visible = await visibleFields(space, rows)
  const batch = new BlockUpdateBatch(space, await commentTagKeeper(space, rows))
  for await (const [index, update] of iterateCooperatively(updates.entries())) {
    const row = rows[index]
    if (row === undefined) continue
    const { document } = row
    await updateTask(space, row, visible(row), update, batch)
    if (row.document !== document) await refreshRows(space, row, rows)
  }
  await batch.write()
  const dependent = updates.flatMap(({ id, input: { blockedBy } }) => {
    const row = rowOf.get(id.number)
    if (row === undefined || !blockedBy?.length) return []
    return [{ row, path: `${pathOf(all.findIndex((one) => one.id === id))}.blockedBy` }]
  })
  if (dependent.length > 0) await assertNoTaskCycles(space, dependent)
  await applyFences(space, updates, rowOf, fences)
  return { items: await taskAnswers(space, rows), ...(conflicts.length > 0 && { conflicts }) }
}

/** What conditions can name of a task. Its text may be given with or without the prefix of a task. */
async function readFields(
  space: Space,
  updates: readonly PreparedTaskUpdate[],
  rows: readonly BlockRow[],
): Promise<FoundFields[]> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const answers = await taskAnswers(
    space,
    updates.flatMap(({ id }) => byId.get(id.number) ?? []),
  )
  return answers.map(({ markdown, taskInfo, completedAt, canceledAt, repeat, location, blockedBy }, index) => {
    const { state, scheduleDate, deadlineDate, assignee } = taskInfo
    const isSame = updates[index]?.expected?.markdown === markdown.replace(/^- \[.\] /, '')
    return {
      markdown: isSame ? updates[index]?.expected?.markdown : markdown,
      ...{ state, scheduleDate: scheduleDate ?? null, deadlineDate: deadlineDate ?? null, assignee: assignee ?? null },
      ...{ completedAt: completedAt ?? null, canceledAt: canceledAt ?? null, repeat: repeat ?? null, location },
      blockedBy: blockedBy?.map(({ id }) => id) ?? null,
    }
  })
}

/**
 * Checks fields that only the state of a task may change: the timestamps of closing it, and the logbook as location.
 * They are only accepted if they match the task. On a daily connection this applies to every location, since it cannot
 * move tasks.
 */
async function checkTasksAsRead(
  space: Space,
  rows: readonly BlockRow[],
  updates: readonly PreparedTaskUpdate[],
): Promise<void> {
  const errors = new InputErrors()
  for (const [index, { input }] of updates.entries()) {
    const row = rows[index]
    if (row === undefined) continue
    const path = `tasksToUpdate[${index}]`
    const { taskInfo } = fieldsFromRow(row)
    checkStamps(input, taskInfo, path, errors)
    checkStamps(input.taskInfo, taskInfo, `${path}.taskInfo`, errors)
    const { location } = input
    if (location === undefined || (location.type !== 'logbook' && space.kind !== 'daily')) continue
    const actual = (await getTaskLocations(space, [row]))(row)
    if (isSameLocation(space, location, actual)) continue
    errors.addError(`${path}.location`, location.type === 'logbook' ? logbookRefused() : movingRefused())
  }
  errors.throwIfAny()
}

const isSameLocation = (space: Space, sent: TaskDestination, actual: TaskLocation): boolean =>
  sent.type === actual.type &&
  (sent.type !== 'dailyNote' || actual.type !== 'dailyNote' || resolveDate(sent.date, space) === actual.date)

const movingRefused = () =>
  invalid(
    'Expected no other location on a connection to daily notes, found one; move the task with blocks_move, or leave location out.',
  )

const duplicateMessage = (id: GivenId): string =>
  `Expected each task once, found ${id} twice; put its changes into one entry.`

async function updateTask(
  space: Space,
  row: BlockRow,
  visible: BlockFields,
  { id, input, parsed, expected, fence }: PreparedTaskUpdate,
  batch: BlockUpdateBatch,
): Promise<void> {
  const state = getTaskState(row)
  const { repeat, taskInfo, location, markdown, blockedBy } = input
  const textFields = applyTaskMarkdown(id, row, visible, markdown, parsed)
  const changes = { ...taskInfo, ...(repeat !== undefined && { repeat }) }
  const changed = Object.keys(changes).length > 0 ? applyFields(textFields, { taskInfo: changes }) : textFields
  const fields = blockedBy === undefined ? changed : await withBlockers(space, row, changed, blockedBy ?? [])
  // Both were checked. The holder of the task has read it when it claimed it.
  const knowsDate = namesDate(expected) || fence !== undefined
  await writeBlock(space, row, fields, { keepsPlace: true, knowsDate, batch })
  const closes = state === 'todo' && getTaskState(row) !== 'todo'
  // The state decides whether a task goes to the logbook, and daily connections do not move tasks.
  const destination = location?.type === 'logbook' || space.kind === 'daily' ? undefined : location
  await moveTask(space, row, closes && space.kind === 'daily', destination, () => batch.write())
}

async function withBlockers(
  space: Space,
  row: BlockRow,
  { blockedBy: _before, ...fields }: BlockFields,
  given: readonly GivenId[],
): Promise<BlockFields> {
  const ids = given.map(({ number }) => number)
  const blockedBy = await mergeBlockedBy(space, row, ids)
  return blockedBy.length === 0 ? fields : { ...fields, blockedBy }
}

const namesDate = (expected: Expected = {}): boolean =>
  'scheduleDate' in expected || (isObject(expected.taskInfo) && 'scheduleDate' in expected.taskInfo)

/**
 * Returns the fields of a task with new text. A task prefix in the text sets the state; without one, the state stays
 * the same.
 */
function applyTaskMarkdown(
  id: GivenId,
  row: BlockRow,
  visible: BlockFields,
  markdown: string | undefined,
  parsed: Block | undefined,
): BlockFields {
  const before = fieldsFromRow(row)
  if (markdown === undefined || parsed === undefined || markdown === taskMarkdown(visible)) return before
  if (row.type !== 'text' && row.type !== 'page') {
    throw invalid(`Expected a text or page to reword, found ${id} of type ${row.type}; change it with blocks_update.`)
  }
  // A title must be a single line, so lines are joined with spaces.
  const singleLine = row.type === 'text' ? parsed.text : parsed.text.replace(/(?<!\s)\s*\n\s*/g, ' ')
  const text = restoreBlockLinks(singleLine, row.text)
  if (row.type !== 'text') return { ...before, text, ...mergeTaskState(before, parsed) }
  return { ...mergeParsedFields(before, { ...parsed, listStyle: 'task' }), text, ...mergeTaskState(before, parsed) }
}

const mergeTaskState = ({ taskInfo }: BlockFields, parsed: Block): Pick<BlockFields, 'taskInfo'> =>
  parsed.taskInfo === undefined
    ? { taskInfo: taskInfo ?? { state: 'todo' } }
    : { taskInfo: { ...taskInfo, state: parsed.taskInfo.state } }
