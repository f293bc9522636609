/** Changes tasks: words, state, dates, repeats and place; only what is given changes. */
import { touchDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { breathe, eachInTurn } from '../../breathe.ts'
import { invalid } from '../../errors.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { restoreBlockLinks } from '../../markdown/links.ts'
import { withFields } from '../blocks/input.ts'
import { readAgain } from '../blocks/move.ts'
import { fieldsOf } from '../blocks/rows.ts'
import { overwritten, writeBlock } from '../blocks/update.ts'
import { Faults } from '../faults.ts'
import type { Space } from '../space.ts'
import { visibleFields } from '../visible.ts'
import { readTaskText, type TaskInput } from './add.ts'
import { answerTasks, taskMarkdown } from './answer.ts'
import { findTasks } from './find.ts'
import { bringTask, stateOf } from './places.ts'

/** A partial task, and the block that its Markdown is read to before the transaction begins. */
interface TaskUpdate {
  id: string
  input: TaskInput
  parsed?: Block
}

/** @throws VALIDATION_ERROR that names every task whose Markdown is not one, and an ID that comes twice */
export async function prepareTaskUpdates(updates: readonly (TaskInput & { id: string })[]): Promise<TaskUpdate[]> {
  const prepared: TaskUpdate[] = []
  const faults = new Faults()
  const seen = new Set<string>()
  for (const [index, { id, ...input }] of updates.entries()) {
    try {
      if (seen.has(id)) throw invalid(`Expected each task once, found ${id} twice; put its changes into one entry.`)
      seen.add(id)
      const parsed = input.markdown === undefined ? undefined : await readTaskText(input.markdown)
      prepared.push(parsed === undefined ? { id, input } : { id, input, parsed })
    } catch (error) {
      faults.take(`tasksToUpdate[${index}]`, error)
    }
    if (faults.areMany) break
    await breathe()
  }
  faults.refuse()
  return prepared
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a block that is no task, and a repeat that never comes round */
export async function updateTasks(space: Space, updates: readonly TaskUpdate[]) {
  const rows = await findTasks(
    space,
    updates.map(({ id }) => id),
  )
  const visible = await visibleFields(space, rows)
  for await (const [index, update] of eachInTurn(updates.entries())) {
    const row = rows[index]
    if (row === undefined) continue
    const { document } = row
    await updateTask(space, row, visible(row), update)
    if (row.document !== document) await readAgain(space, row, rows)
  }
  return { items: await answerTasks(space, rows) }
}

async function updateTask(
  space: Space,
  row: BlockRow,
  visible: BlockFields,
  { input, parsed }: TaskUpdate,
): Promise<void> {
  const [state, { document }] = [stateOf(row), row]
  const { repeat, taskInfo, location, markdown } = input
  const said = reworded(row, visible, markdown, parsed)
  const changes = { ...taskInfo, ...(repeat !== undefined && { repeat }) }
  const fields = Object.keys(changes).length > 0 ? withFields(said, { taskInfo: changes }) : said
  if (await writeBlock(space, row, fields, true)) await touchDocument(space.tx, document, space.now)
  const closes = state === 'todo' && stateOf(row) !== 'todo'
  await bringTask(space, row, closes && space.kind === 'daily', location)
}

/** The fields of a task with new words; the state that a prefix says counts, no prefix leaves it. */
function reworded(
  row: BlockRow,
  visible: BlockFields,
  markdown: string | undefined,
  parsed: Block | undefined,
): BlockFields {
  const before = fieldsOf(row)
  if (markdown === undefined || parsed === undefined || markdown === taskMarkdown(visible)) return before
  if (row.type !== 'text' && row.type !== 'page') {
    throw invalid(
      `Expected a text or page to reword, found ${row.id} of type ${row.type}; change it with blocks_update.`,
    )
  }
  // A title is one line: what stood on several is joined by spaces.
  const said = row.type === 'text' ? parsed.text : parsed.text.replace(/\s*\n\s*/g, ' ')
  const text = restoreBlockLinks(said, row.text)
  if (row.type !== 'text') return { ...before, text, ...stateSaid(before, parsed) }
  return { ...overwritten(before, { ...parsed, listStyle: 'task' }), text, ...stateSaid(before, parsed) }
}

const stateSaid = ({ taskInfo }: BlockFields, parsed: Block): Pick<BlockFields, 'taskInfo'> =>
  parsed.taskInfo === undefined
    ? { taskInfo: taskInfo ?? { state: 'todo' } }
    : { taskInfo: { ...taskInfo, state: parsed.taskInfo.state } }
