/** The model of the tools for tasks. */
import { bring, keepInPlace, overwrite, writeBlock } from './blocks.ts'
import { dateOf } from './days.ts'
import { checkTask, taskOf } from './fields.ts'
import { showTask } from './shown.ts'
import { read, taskMarkdown } from './texts.ts'
import { dailyNote, insert, keptRoot, remove } from './tree.ts'
import { type Block, type Draft, documentOf, invalid, type Json, missing, subtree, type World } from './world.ts'

interface Location {
  type: string
  date?: string
  documentId?: string
}

interface TaskInput {
  markdown?: string
  taskInfo?: Json
  location?: Location
  repeat?: Json | null
}

function checkInput({ taskInfo, location, repeat }: TaskInput): void {
  if (taskInfo !== undefined) checkTask(taskInfo)
  if (repeat && !['daily', 'weekly'].includes(String(repeat.frequency))) throw invalid()
  if (location === undefined) return
  const { type, date, documentId } = location
  if (type === 'inbox' ? date !== undefined || documentId !== undefined : false) throw invalid()
  if (type === 'dailyNote' && documentId !== undefined) throw invalid()
  if (type === 'document' && (documentId === undefined || date !== undefined)) throw invalid()
  if (!['inbox', 'dailyNote', 'document'].includes(type)) throw invalid()
  if (date !== undefined) dateOf(date, '2026-01-01')
}

/** Parses the Markdown of a task, which must be a single text block. */
function readTask(markdown: string): Draft {
  const [first, ...more] = read(markdown)
  if (first === undefined || more.length > 0 || first.type !== 'text' || first.text.trim() === '') throw invalid()
  return { ...first, listStyle: 'task' }
}

export function addTasks(world: World, { tasks }: { tasks: (TaskInput & { markdown: string })[] }): object {
  if (tasks.length === 0) throw invalid()
  tasks.forEach(checkInput)
  const drafts = tasks.map(({ markdown, taskInfo = {}, repeat }): Draft => {
    const draft = readTask(markdown)
    const given = { ...taskInfo, ...(repeat ? { repeat } : {}) }
    return { ...draft, task: taskOf(given, draft.task) }
  })
  const byRoot = new Map<Block, number[]>()
  for (const [index, { location = { type: 'inbox' } }] of tasks.entries()) {
    const isClosed = drafts[index]?.task?.state !== 'todo'
    const root = location.type === 'inbox' && isClosed ? keptRoot(world, 'logbook') : rootFor(world, location)
    byRoot.set(root, [...(byRoot.get(root) ?? []), index])
  }
  const added: Block[] = []
  for (const [parent, indexes] of byRoot) {
    const wanted = indexes.flatMap((index) => drafts[index] ?? [])
    const blocks = insert(world, wanted, { parent, at: 'start' })
    for (const [place, block] of blocks.entries()) added[indexes[place] ?? 0] = block
  }
  return { items: added.map(taskAnswer) }
}

function rootFor(world: World, { type, date = 'today', documentId = '' }: Location): Block {
  if (type === 'inbox') return keptRoot(world, 'inbox')
  return type === 'dailyNote' ? dailyNote(world, dateOf(date, world.today)).root : world.document(documentId).root
}

type Update = TaskInput & { id: string }

export function updateTasks(world: World, { tasksToUpdate: updates }: { tasksToUpdate: Update[] }): object {
  if (updates.length === 0) throw invalid()
  updates.forEach(checkInput)
  if (new Set(updates.map(({ id }) => id)).size < updates.length) throw invalid()
  for (const { markdown } of updates) if (markdown !== undefined) readTask(markdown)
  const blocks = tasksOf(
    world,
    updates.map(({ id }) => id),
  )
  for (const [index, block] of blocks.entries()) updateTask(world, block, updates[index] ?? { id: '' })
  return { items: blocks.map(taskAnswer) }
}

function updateTask(world: World, block: Block, { markdown, taskInfo, repeat, location }: Update): void {
  const { type, indentation, listStyle, task, fields, text } = block
  const after = { type, indentation, listStyle, task, fields, text }
  if (markdown !== undefined && markdown !== taskMarkdown(block)) {
    if (type !== 'text' && type !== 'page') throw invalid()
    const response = readTask(markdown)
    if (type === 'page') after.text = response.text
    else overwrite(after, markdown)
    after.listStyle = 'task'
    const state = response.task?.state ?? task?.state ?? 'todo'
    after.task = { ...task, state }
  }
  const changes = { ...taskInfo, ...(repeat === undefined ? {} : { repeat }) }
  if (Object.keys(changes).length > 0) after.task = taskOf(changes, after.task)
  writeBlock(world, block, after, true)
  const isOpen = (block.task?.state ?? 'todo') === 'todo'
  if (location === undefined) keepInPlace(world, block)
  else if (location.type === 'inbox' && !isOpen) bring(world, block, keptRoot(world, 'logbook'))
  else bring(world, block, rootFor(world, location))
}

export function deleteTasks(world: World, { idsToDelete }: { idsToDelete: string[] }): object {
  if (idsToDelete.length === 0) throw invalid()
  const blocks = tasksOf(world, idsToDelete)
  remove(world, blocks)
  return { items: blocks.map(({ id }) => ({ id })) }
}

function tasksOf(world: World, ids: readonly string[]): Block[] {
  return [...new Set(ids)].map((id) => {
    const block = world.blocks.get(id)
    if (block === undefined) throw missing()
    if (block.listStyle !== 'task') throw invalid()
    return block
  })
}

function locationOf(block: Block): object {
  const { location, date, root } = documentOf(block)
  if (location === 'inbox' || location === 'logbook') return { type: location }
  if (location === 'daily_notes') return { type: 'dailyNote', date }
  const isDeleted = location === 'trash' ? true : undefined
  return { type: 'document', documentId: root.id, title: root.text, isDeleted }
}

const taskAnswer = (block: Block): Json => showTask(block, locationOf(block))

/** The items in the response of tasks_list for each scope. */
export function listTasks(world: World, scope: string, root?: Block): Json[] {
  const isTask = ({ listStyle }: Block) => listStyle === 'task'
  if (scope === 'document' && root !== undefined) return subtree(root).filter(isTask).map(taskAnswer)
  if (scope === 'inbox') {
    const inbox = world.documents.find(({ location }) => location === 'inbox')
    return inbox === undefined ? [] : subtree(inbox.root).filter(isTask).map(taskAnswer)
  }
  const all = world.documents
    .filter(({ location }) => scope === 'all' || location !== 'trash')
    .flatMap((document) => subtree(document.root).filter(isTask))
  const open = inOrder(all.filter(isOpen))
  const closed = inOrder(all.filter((block) => !isOpen(block)))
  if (scope === 'all') return [...open, ...closed].map(taskAnswer)
  if (scope === 'logbook') return closed.toReversed().map(taskAnswer)
  if (scope === 'undated') {
    const inbox = world.documents.find(({ location }) => location === 'inbox')
    const ofInbox = new Set(inbox === undefined ? [] : subtree(inbox.root))
    return open.filter((block) => momentOf(block) === NEVER && !ofInbox.has(block)).map(taskAnswer)
  }
  const isDue = (block: Block) => momentOf(block) <= world.today
  const dated = open.filter((block) => momentOf(block) !== NEVER)
  return dated.filter((block) => isDue(block) === (scope === 'active')).map(taskAnswer)
}

/** Sorts after all dates. */
const NEVER = '~'

const isOpen = ({ task }: Block): boolean => (task?.state ?? 'todo') === 'todo'

function momentOf({ task = { state: 'todo' } }: Block): string {
  const { state, scheduleDate, deadlineDate, completedAt, canceledAt } = task
  // What was added as done has no time of completion, and comes before all that has.
  return state === 'todo' ? (scheduleDate ?? deadlineDate ?? NEVER) : (completedAt ?? canceledAt ?? '')
}

const inOrder = (blocks: readonly Block[]): Block[] =>
  blocks.toSorted((one, other) => {
    const [first, second] = [momentOf(one), momentOf(other)]
    return first < second ? -1 : first > second ? 1 : one.made - other.made
  })
