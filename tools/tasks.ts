import { z } from 'zod'
import { BLOCKERS_PER_TASK, ITEMS_PER_CALL, TASKS_PER_ANSWER, TASKS_PER_ANSWER_MAX } from '../src/base/limits.ts'
import { byKind, endpoint, type ShortAnswer } from '../src/endpoint.ts'
import type { TaskDestination } from '../src/space/editing/task-locations.ts'
import type { Conflict } from '../src/space/model/conditions.ts'
import type { GivenId } from '../src/space/model/ids.ts'
import type { ConnectionKind } from '../src/space/model/space.ts'
import { addTasks, type PreparedTask, prepareTasks } from '../src/space/tasks/add-tasks.ts'
import { deleteTasks } from '../src/space/tasks/delete-tasks.ts'
import { shortTaskAnswer, type TaskAnswer } from '../src/space/tasks/task-answer.ts'
import { listTasks, TASK_SCOPES, type TaskListInput } from '../src/space/tasks/task-list.ts'
import { tasksToMarkdown } from '../src/space/tasks/tasks-markdown.ts'
import { type PreparedTaskUpdates, prepareUpdateTasks, updateTasks } from '../src/space/tasks/update-tasks.ts'
import { pagination, taskOutput } from './shapes/block-output.ts'
import { cursor, date, format, id, ids, limit } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { conflicts, expected, fenced, heldBy, partial } from './shapes/conditions.ts'
import { entryTexts, idAliases, named, soleEntry, TASK_WORDS, tagAliases, taskAliases } from './shapes/input-aliases.ts'
import { givenMember } from './shapes/member-shape.ts'
import { emptyIsAbsent } from './shapes/parsed-text.ts'
import { jsonTextAsIn, typedAsIn } from './shapes/published.ts'
import { answer, changedItems, changedOutput, withSharedFields } from './shapes/short-answers.ts'
import { tags } from './shapes/tags.ts'
import { clearableDates, repeat, taskInfo } from './shapes/task-shapes.ts'

const kinds = ['full', 'daily'] as const

const taskList = z.strictObject({ items: z.array(taskOutput) })

const isReady = z.boolean().default(false).meta({ hidden: true })
const page = {
  isReady,
  heldBy,
  /** Only what one member does. */
  assignee: givenMember.meta({ hidden: true }),
  tags,
  format,
  limit: limit(TASKS_PER_ANSWER_MAX, TASKS_PER_ANSWER_MAX),
  cursor,
}

/** Scopes for regular documents only exist on connections that reach these. */
const listInput = {
  full: z
    .strictObject({ scope: z.enum(TASK_SCOPES), documentId: id.optional(), ...page })
    .transform(({ scope, documentId, ...page }, context): TaskListInput => {
      if (scope !== 'document' && documentId === undefined) return { scope, ...page }
      if (scope === 'document' && documentId !== undefined) return { scope, documentId, ...page }
      const message =
        documentId === undefined
          ? 'Expected documentId with scope document, found none; give the ID of a document from documents_list.'
          : `Expected documentId with scope document alone, found it with scope ${scope}; leave it out.`
      context.addIssue({ code: 'custom', message, input: documentId })
      return z.NEVER
    }),
  daily: z.strictObject({ scope: z.enum(['active', 'upcoming', 'undated', 'inbox', 'logbook']), ...page }),
}

const list = endpoint({
  name: 'tasks_list',
  title: 'List tasks',
  description:
    'List tasks: open ones that are active (due by today), upcoming or undated (not of the inbox); inbox, logbook (closed), of a document, or all. isReady: true leaves out what waits for others; assignee: me lists yours.',
  route: 'GET /tasks',
  effect: 'read',
  isEssential: true,
  aliases: [...named('scope', 'status filter list type'), ...named('documentId', 'document'), ...tagAliases],
  alsoKnownAs: ['tasks_get', 'todos_list', 'tasks_search'],
  input: listInput,
  output: z.strictObject({ items: z.array(taskOutput).max(TASKS_PER_ANSWER_MAX), today: z.string(), pagination }),
  renderMarkdown: tasksToMarkdown,
  mcpDefaults: { limit: TASKS_PER_ANSWER },
  blocks: { read: ({ items }) => items.length },
  handle: ({ space }, input) => listTasks(space, input),
})

/** `{ type: "inbox" }`, `{ type: "dailyNote", date }`, or `{ type: "document", documentId }`. */
function location(kind: ConnectionKind) {
  const types = kind === 'full' ? (['inbox', 'dailyNote', 'document'] as const) : (['inbox', 'dailyNote'] as const)
  return z
    .strictObject({
      type: z.string(),
      date: date.optional(),
      documentId: id.optional(),
      // As read: the ID identifies the document; these fields are ignored.
      title: z.string().optional(),
      isDeleted: z.boolean().optional(),
    })
    .transform((input, context): TaskDestination => {
      const { type, date, documentId } = input
      // As read: the space knows whether the task is there.
      if ((type === 'inbox' || type === 'logbook') && date === undefined && documentId === undefined) return { type }
      if (type === 'dailyNote' && documentId === undefined) return { type, date: date ?? 'today' }
      if (kind === 'full' && type === 'document' && documentId !== undefined && date === undefined) {
        return { type, documentId }
      }
      context.addIssue({ code: 'custom', message: wrongLocation(kind, input), input })
      return z.NEVER
    })
    .meta({
      component: 'TaskLocation',
      published: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: [...types] },
          date: { type: 'string' },
          ...(kind === 'full' && { documentId: { type: 'string' } }),
        },
      },
    })
}

interface LocationInput {
  type: string
  date?: string | undefined
  documentId?: GivenId | undefined
}

function wrongLocation(kind: ConnectionKind, { type, date, documentId }: LocationInput): string {
  const forms = ['{ type: "inbox" }', '{ type: "dailyNote", date }']
  if (kind === 'full') forms.push('{ type: "document", documentId }')
  const expected = `Expected a location as ${forms.join(', ')}`
  if (kind === 'full' && type === 'document' && documentId === undefined) {
    return `${expected}, found a document without documentId; give the ID of a document from documents_list.`
  }
  const keys = Object.entries({ type, date, documentId }).filter(([, value]) => value !== undefined)
  return `${expected}, found { ${keys.map(([key, value]) => `${key}: ${value}`).join(', ')} }; give one of these.`
}

const stamp = z.unknown().optional().meta({ hidden: true })
/** What a task waits for: IDs, or the tasks as they are read. Descriptions mention it. */
const blockedBy = z
  .array(
    z.union([
      id,
      z.strictObject({ id, title: z.string().optional(), isDone: z.boolean().optional() }).transform((task) => task.id),
    ]),
  )
  .max(BLOCKERS_PER_TASK)
  .nullable()
  .optional()
  .meta({ hidden: true })

const fields = (kind: ConnectionKind) => ({
  // The rule of repetition is a separate field.
  taskInfo: taskInfo.extend({ repeat: repeat.nullable().optional().meta({ hidden: true }) }).optional(),
  location: location(kind).optional(),
  repeat: repeat.nullable().optional().meta(emptyIsAbsent),
  blockedBy,
  // As read; see the rules of the space.
  completedAt: stamp,
  canceledAt: stamp,
  // As read: who held the task then. Claims alone change it.
  heldBy: stamp,
})

const LOCATION_FIELDS = { type: 'string', date: 'string', documentId: 'string' }

/** The same fields with shorter descriptions, for tools that are listed together with tasks_add. */
function fieldsInUpdate(kind: ConnectionKind) {
  const { location, ...others } = fields(kind)
  const updatedRepeat = repeat.nullable().optional()
  const asInTasksAdd = jsonTextAsIn('tasks_add')
  // On connections to daily notes, this can only be what was read; see the rules of the space.
  const movedTo = location.meta(kind === 'full' ? typedAsIn('tasks_add', LOCATION_FIELDS) : { hidden: true })
  const updatedInfo = taskInfo.extend({ ...clearableDates, repeat: updatedRepeat.meta({ hidden: true }) }).optional()
  return { ...others, taskInfo: updatedInfo, repeat: updatedRepeat.meta(asInTasksAdd), location: movedTo }
}

interface ChangedTasks {
  items: TaskAnswer[]
  conflicts?: Conflict[]
}

const shortTasks: ShortAnswer<{ items: TaskAnswer[] }, readonly PreparedTask[]> = {
  output: z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) }),
  make: ({ items }, prepared) =>
    withSharedFields(
      items.map((task, index) => {
        const { block, location } = prepared[index] as PreparedTask
        return shortTaskAnswer(task, { taskInfo: block.taskInfo, location })
      }),
    ),
}

const add = endpoint({
  name: 'tasks_add',
  title: 'Add tasks',
  description:
    'Add tasks at the top of the inbox, of a daily note (today without a date) or of a document. With repeat they come round again when done; with blockedBy: [ids] they wait for others. taskInfo.assignee: me or @handle.',
  route: 'POST /tasks',
  effect: 'add',
  isEssential: true,
  aliases: [
    ...named('tasks', 'task items todos'),
    entryTexts('tasks', 'markdown'),
    ...soleEntry('tasks', TASK_WORDS),
    {
      from: 'description',
      instead: 'put it into markdown, which is all the words of a task, or below the task with blocks_add',
    },
    ...taskAliases('tasks'),
  ],
  alsoKnownAs: ['tasks_create', 'todos_add', 'todo_add'],
  input: byKind(
    (kind) =>
      z.strictObject({
        tasks: z
          .array(z.strictObject({ markdown: z.string(), ...fields(kind) }).meta({ component: 'NewTask' }))
          .min(1)
          .max(ITEMS_PER_CALL),
        answer,
      }),
    kinds,
  ),
  output: taskList,
  shorten: shortTasks,
  prepare: ({ tasks }) => prepareTasks(tasks),
  blocks: { write: (tasks) => tasks.length },
  parts: entryParts('tasks', { kind: 'added', order: 'start', isPlaced: true }),
  handle: ({ space }, tasks) => addTasks(space, tasks),
})

const update = endpoint({
  name: 'tasks_update',
  title: 'Update tasks',
  description:
    'Change words, state, dates, repeat or place of tasks; null clears a date or repeat. Closed tasks of the inbox go to the logbook.',
  route: 'PUT /tasks',
  effect: 'change',
  isEssential: true,
  // Completing a repeating task again moves it to its next date.
  hints: { idempotent: false },
  aliases: [
    ...named('tasksToUpdate', 'tasks updates items task'),
    ...soleEntry('tasksToUpdate', `id taskId ${TASK_WORDS}`),
    ...named('id', 'taskId blockId', 'tasksToUpdate[].'),
    ...taskAliases('tasksToUpdate'),
  ],
  alsoKnownAs: [
    'tasks_complete',
    'tasks_done',
    'tasks_check',
    'tasks_finish',
    'tasks_close',
    'tasks_reopen',
    'tasks_cancel',
    'tasks_rename',
    'tasks_move',
    'tasks_edit',
    'tasks_schedule',
    'todos_update',
    'task_complete',
  ],
  input: byKind(
    (kind) =>
      z.strictObject({
        tasksToUpdate: z
          .array(
            z
              .strictObject({ id, markdown: z.string().optional(), ...fieldsInUpdate(kind), expected, ...fenced })
              .meta({ component: 'TaskChange' }),
          )
          .min(1)
          .max(ITEMS_PER_CALL),
        partial,
        answer,
      }),
    kinds,
  ),
  endsLeases: true,
  output: taskList.extend({ conflicts }),
  shorten: {
    output: changedOutput,
    make: ({ items, conflicts }: ChangedTasks, { updates }: PreparedTaskUpdates) => {
      const carriedOut = updates.filter((_, index) => !conflicts?.some((one) => one.index === index))
      const short = items.map((task, index) => shortTaskAnswer(task, carriedOut[index]?.input ?? {}))
      return changedItems(short, updates.length, conflicts)
    },
  },
  prepare: prepareUpdateTasks,
  blocks: { write: ({ updates }) => updates.length },
  parts: entryParts('tasksToUpdate', { kind: 'changed', subject: 'id' }),
  handle: ({ space }, updates) => updateTasks(space, updates),
})

const remove = endpoint({
  name: 'tasks_delete',
  title: 'Delete tasks',
  description: 'Delete tasks with all they hold.',
  route: 'DELETE /tasks',
  effect: 'delete',
  aliases: idAliases('idsToDelete', 'taskIds taskId tasks'),
  alsoKnownAs: ['todos_delete'],
  input: byKind(() => z.strictObject({ idsToDelete: ids }), kinds),
  output: z.strictObject({ items: z.array(z.strictObject({ id: z.string() })) }),
  blocks: { write: ({ idsToDelete }) => idsToDelete.length },
  deletes: ({ idsToDelete }) => idsToDelete,
  parts: entryParts('idsToDelete', { kind: 'removed', subject: '' }),
  handle: ({ space }, { idsToDelete }) => deleteTasks(space, idsToDelete),
})

export const tasks = [list, add, update, remove]
