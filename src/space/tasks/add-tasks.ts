/** Adds tasks at the top of their location. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { readTaskBox } from '../../markdown/task-box.ts'
import { type BlockFieldsInput, checkNoStamps, parseText } from '../blocks/block-input.ts'
import { insertBlockTrees } from '../editing/insert-blocks.ts'
import { getDestinationRoot, logbookRefused, type TaskDestination } from '../editing/task-locations.ts'
import type { GivenId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import { getOrCreateSystemDocument } from '../model/system-documents.ts'
import { getTasks } from './find-tasks.ts'
import { taskAnswers } from './task-answer.ts'

/** The fields of a task that a client may set. `null` clears a field. */
export interface TaskInput {
  markdown?: string | undefined
  taskInfo?: BlockFieldsInput['taskInfo']
  location?: TaskDestination | undefined
  /** The tasks that it waits for. */
  blockedBy?: readonly GivenId[] | null | undefined
  repeat?: object | null | undefined
  /** Only accepted as it was read, so not for a new task. */
  completedAt?: unknown
  canceledAt?: unknown
}

/** A task to add, with its Markdown parsed. */
export interface PreparedTask {
  block: Block
  location: TaskDestination
  /** The tasks that it waits for. */
  blockedBy: readonly GivenId[]
}

/**
 * @throws VALIDATION_ERROR that names every task whose Markdown is not one task, that has a time of completion or
 *   cancellation, or whose location contradicts its state
 */
export async function prepareTasks(tasks: readonly (TaskInput & { markdown: string })[]): Promise<PreparedTask[]> {
  const prepared: PreparedTask[] = []
  const errors = new InputErrors()
  for (const [index, { markdown, location = INBOX, blockedBy, ...task }] of tasks.entries()) {
    const path = `tasks[${index}]`
    try {
      const block = addTaskInfo(await parseTaskText(markdown), task)
      checkNoStamps(task, path, errors)
      checkNoStamps(task.taskInfo, `${path}.taskInfo`, errors)
      errors.attempt(`${path}.location`, () => assertMayBeAdded(location, block))
      // Closed tasks that are added to the inbox go to the logbook; see resolveRoot.
      const place = location.type === 'logbook' ? INBOX : location
      prepared.push({ block, location: place, blockedBy: blockedBy ?? [] })
    } catch (error) {
      errors.addError(`${path}.markdown`, error)
    }
    if (errors.hasTooMany) break
    await yieldToEventLoop()
  }
  errors.throwIfAny()
  return prepared
}

const INBOX: TaskDestination = { type: 'inbox' }

function assertMayBeAdded({ type }: TaskDestination, { taskInfo }: Block): void {
  if (type === 'logbook' && taskInfo?.state === 'todo') throw logbookRefused()
}

function addTaskInfo(block: Block, { taskInfo, repeat }: TaskInput): Block {
  const info: TaskInfo = { state: 'todo', ...block.taskInfo }
  for (const [key, value] of Object.entries({ ...taskInfo, ...(repeat && { repeat }) })) {
    if (value !== null && value !== undefined) Object.assign(info, { [key]: value })
  }
  return { ...block, taskInfo: info }
}

/**
 * Parses the Markdown of a task, with or without the task prefix.
 *
 * @throws VALIDATION_ERROR if the text is empty, or is not exactly one text block
 */
export async function parseTaskText(markdown: string): Promise<Block> {
  const [block, ...more] = await parseText(markdown, { isOneLine: true })
  if (block === undefined || more.length > 0 || block.type !== 'text' || block.content !== undefined) {
    const found = more.length > 0 ? `${more.length + 1} blocks` : `a block of type ${block?.type}`
    throw invalid(`Expected the Markdown of one task, found ${found}; give each task an entry of its own.`)
  }
  if (block.text.trim() === '') throw invalid('Expected the words of a task, found none; say what is to be done.')
  const { indentationLevel: _place, isIndentedCode: _code, ...task } = block
  const box = task.listStyle === 'task' ? undefined : readTaskBox(task.text)
  if (box === undefined) return { ...task, listStyle: 'task' }
  return { ...task, text: box.text, listStyle: 'task', taskInfo: { state: box.state } }
}

/** @throws NOT_FOUND_ERROR if a document does not exist; VALIDATION_ERROR if a repeat rule has no occurrences */
export async function addTasks(space: Space, tasks: readonly PreparedTask[]) {
  const blockers = new Map(
    (
      await getTasks(
        space,
        tasks.flatMap(({ blockedBy }) => blockedBy),
      )
    ).map((row) => [row.id, row]),
  )
  for (const { block, blockedBy } of tasks) {
    const ids = [...new Set(blockedBy.map(({ number }) => number))].filter((id) => blockers.has(id))
    if (ids.length > 0) block.blockedBy = ids
  }
  const roots = new Map<BlockRow, number[]>()
  const byNumber = new Map<number, BlockRow>()
  const byPlace = new Map<string, BlockRow>()
  for await (const [index, task] of iterateCooperatively(tasks.entries())) {
    const place = JSON.stringify([task.location, isClosed(task)])
    const found = byPlace.get(place) ?? (await resolveRoot(space, task))
    byPlace.set(place, found)
    // Several locations may lead to the same document. Use one row object for each, since it is the key of the group.
    const root = byNumber.get(found.n) ?? found
    byNumber.set(root.n, root)
    const indexes = roots.get(root)
    if (indexes === undefined) roots.set(root, [index])
    else indexes.push(index)
  }
  const rows: BlockRow[] = []
  for (const [parent, indexes] of roots) {
    const blocks = indexes.flatMap((index) => tasks[index]?.block ?? [])
    const added = await insertBlockTrees(space, blocks, { parent, at: 'start' })
    for (const [place, { row }] of added.entries()) rows[indexes[place] ?? 0] = row
  }
  return { items: await taskAnswers(space, rows) }
}

const isClosed = ({ block }: PreparedTask): boolean => block.taskInfo?.state !== 'todo'

/** Tasks that are already closed go to the logbook, not to the inbox. */
async function resolveRoot(space: Space, task: PreparedTask): Promise<BlockRow> {
  return task.location.type === 'inbox' && isClosed(task)
    ? getOrCreateSystemDocument(space, 'logbook')
    : getDestinationRoot(space, task.location)
}
