/** Adds tasks, each at the top of where it is to stand. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { type BlockFieldsInput, parseNewBlocks } from '../blocks/block-input.ts'
import { insertBlockTrees } from '../editing/insert-blocks.ts'
import { getDestinationRoot, type TaskDestination } from '../editing/task-locations.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import { getOrCreateSystemDocument } from '../model/system-documents.ts'
import { taskAnswers } from './task-answer.ts'

/** What a client may say of a task. `null` clears. */
export interface TaskInput {
  markdown?: string | undefined
  taskInfo?: BlockFieldsInput['taskInfo']
  location?: TaskDestination | undefined
  repeat?: object | null | undefined
}

/** A task to add, its Markdown read. */
interface PreparedTask {
  block: Block
  location: TaskDestination
}

/** @throws VALIDATION_ERROR that names every task whose Markdown is not one */
export async function prepareTasks(tasks: readonly (TaskInput & { markdown: string })[]): Promise<PreparedTask[]> {
  const prepared: PreparedTask[] = []
  const errors = new InputErrors()
  for (const [index, task] of tasks.entries()) {
    try {
      prepared.push({ block: await parseTask(task), location: task.location ?? { type: 'inbox' } })
    } catch (error) {
      errors.addError(`tasks[${index}].markdown`, error)
    }
    if (errors.hasTooMany) break
    await yieldToEventLoop()
  }
  errors.throwIfAny()
  return prepared
}

async function parseTask({ markdown, taskInfo, repeat }: TaskInput & { markdown: string }): Promise<Block> {
  const block = await parseTaskText(markdown)
  const info: TaskInfo = { state: 'todo', ...block.taskInfo }
  for (const [key, value] of Object.entries({ ...taskInfo, ...(repeat && { repeat }) })) {
    if (value !== null && value !== undefined) Object.assign(info, { [key]: value })
  }
  return { ...block, taskInfo: info }
}

/**
 * The one text that a task's Markdown is, with or without the prefix of a task.
 *
 * @throws VALIDATION_ERROR for no words, several blocks, or a block of another type
 */
export async function parseTaskText(markdown: string): Promise<Block> {
  const [block, ...more] = await parseNewBlocks([{ type: 'text', markdown }])
  if (block === undefined || more.length > 0 || block.type !== 'text' || block.content !== undefined) {
    const found = more.length > 0 ? `${more.length + 1} blocks` : `a block of type ${block?.type}`
    throw invalid(`Expected the Markdown of one task, found ${found}; give each task an entry of its own.`)
  }
  if (block.text.trim() === '') throw invalid('Expected the words of a task, found none; say what is to be done.')
  const { indentationLevel: _place, ...task } = block
  return { ...task, listStyle: 'task' }
}

/** @throws NOT_FOUND_ERROR for a document that there is not; VALIDATION_ERROR for a repeat that never comes round */
export async function addTasks(space: Space, tasks: readonly PreparedTask[]) {
  const roots = new Map<BlockRow, number[]>()
  const byNumber = new Map<number, BlockRow>()
  const byPlace = new Map<string, BlockRow>()
  for await (const [index, task] of iterateCooperatively(tasks.entries())) {
    const place = JSON.stringify([task.location, isClosed(task)])
    const found = byPlace.get(place) ?? (await resolveRoot(space, task))
    byPlace.set(place, found)
    // One row for each target: it says where its children stand.
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

/** What is done already is no task of the inbox. */
async function resolveRoot(space: Space, task: PreparedTask): Promise<BlockRow> {
  return task.location.type === 'inbox' && isClosed(task)
    ? getOrCreateSystemDocument(space, 'logbook')
    : getDestinationRoot(space, task.location)
}
