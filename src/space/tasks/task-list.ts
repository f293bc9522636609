/** Lists tasks by scope. Source: the interface's "States and transitions". */
import { blockById } from '../../../storage/blocks.ts'
import { type DocumentRecord, systemDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { DAILY_LOCATIONS } from '../../../storage/schema.ts'
import {
  allTasks,
  countTasksInRange,
  documentTasks,
  type TaskLocations,
  type TaskPlace,
  type TaskRange,
  type TasksOf,
  tasksInRange,
} from '../../../storage/tasks.ts'
import { TASK_COUNT_CAP } from '../../base/limits.ts'
import { readNodesInOrder } from '../blocks/block-tree.ts'
import { partsOf, rowsInOrder } from '../blocks/rows-in-order.ts'
import { blockedTasks } from '../blocks/task-blockers.ts'
import { getTaskState } from '../editing/task-locations.ts'
import { heldByCaller, readLeases } from '../leases/leases.ts'
import { createPagination, decodeCursor, invalidCursor, type Pagination } from '../model/cursors.ts'
import { addDays, type CivilDate, resolveDate } from '../model/dates.ts'
import type { GivenMember } from '../model/given-members.ts'
import type { AnyId } from '../model/ids.ts'
import { callingIds } from '../model/member-reach.ts'
import type { Space } from '../model/space.ts'
import { type TaskAnswer, taskAnswers } from './task-answer.ts'

export const TASK_SCOPES = ['active', 'upcoming', 'undated', 'inbox', 'logbook', 'document', 'all'] as const
export type TaskScope = (typeof TASK_SCOPES)[number]

export type TaskListInput = {
  limit: number
  cursor?: string | undefined
  /** True for open tasks that wait for nothing alone. */
  isReady?: boolean
  /** Only what the connection itself has claimed. */
  heldBy?: 'me' | undefined
  /** Only what this member does, and for the connection's own also what its groups do. */
  assignee?: GivenMember | undefined
  /** Tags, as they are compared: only tasks whose text has all of them. */
  tags?: readonly string[] | undefined
} & ({ scope: Exclude<TaskScope, 'document'> } | { scope: 'document'; documentId: AnyId })

export interface TaskList {
  items: TaskAnswer[]
  /** The date that the scopes use as today. */
  today: CivilDate
  pagination?: Pagination
}

/** One page of a scope: its tasks, and how many are left after them. */
export interface TaskPage {
  rows: BlockRow[]
  position: string
  remaining: number
}

/** @throws NOT_FOUND_ERROR if the document does not exist; CURSOR_INVALID */
export async function listTasks(space: Space, input: TaskListInput): Promise<TaskList> {
  const { limit: wanted, cursor, ...query } = input
  const limit = Math.min(wanted, space.mostBlocks)
  const position = cursor === undefined ? undefined : decodeCursor(space.info.secret, ['tasks_list', query], cursor)
  const today = resolveDate('today', space)
  const read = input.isReady || input.heldBy !== undefined ? readSome : readScope
  const { rows, position: lastPosition, remaining } = await read(space, { ...input, limit }, today, position)
  const list: TaskList = { items: [], today }
  for await (const part of partsOf(rows)) {
    const numbers = part.map(({ n }) => n)
    for (const item of await taskAnswers(space, part, await readLeases(space, numbers))) list.items.push(item)
  }
  if (remaining > 0) {
    list.pagination = createPagination(
      space.info.secret,
      'tasks_list',
      query,
      'task',
      lastPosition,
      remaining,
      TASK_COUNT_CAP,
    )
  }
  return list
}

/** Reads of a scope, each of which may find that some tasks are not ready. A page may be shorter than its limit. */
const READS_PER_PAGE = 20

/** The tasks of a scope that are ready, or that the connection holds. */
async function readSome(
  space: Space,
  input: TaskListInput,
  today: CivilDate,
  start: string | undefined,
): Promise<TaskPage> {
  const rows: BlockRow[] = []
  const held = input.heldBy === undefined ? undefined : new Set(await heldByCaller(space))
  let position = start
  for (let reads = 0; ; reads++) {
    const page = await readScope(space, { ...input, limit: input.limit - rows.length }, today, position)
    const among = page.rows.filter(({ n }) => held?.has(n) !== false)
    const blocked = input.isReady ? await blockedTasks(space, among) : new Set<number>()
    rows.push(...among.filter((row) => !input.isReady || (getTaskState(row) === 'todo' && !blocked.has(row.n))))
    position = page.position
    if (page.remaining === 0 || rows.length >= input.limit || reads >= READS_PER_PAGE) return { ...page, rows }
  }
}

export async function readScope(
  space: Space,
  input: TaskListInput,
  today: CivilDate,
  position: string | undefined,
): Promise<TaskPage> {
  const { limit } = input
  const id = input.assignee?.id
  const of = { assignees: id === undefined ? undefined : await callingIds(space, id), tags: input.tags }
  switch (input.scope) {
    case 'active':
      return readRange(space, { ...of, open: true, to: today }, position, limit)
    case 'upcoming':
      return readRange(space, { ...of, open: true, from: addDays(today, 1), to: LAST_DAY }, position, limit)
    case 'undated':
      return readRange(
        space,
        { ...of, open: true, from: NO_DAY, to: NO_DAY },
        position,
        limit,
        placesOutsideInbox(space),
      )
    case 'logbook':
      return readRange(space, { ...of, open: false, descending: true }, position, limit)
    case 'inbox':
      return readDocumentTasks(space, await systemDocument(space.tx, 'inbox'), of, position, limit)
    case 'document':
      return readDocumentTasks(space, await space.getDocument(input.documentId), of, position, limit)
    case 'all':
      return readAllTasks(space, of, position, limit)
  }
}

const NO_DAY = '~'
/** Sorts before {@link NO_DAY}. */
const LAST_DAY = '9999-12-31'

/** Tasks in the trash are not listed. Daily connections do not reach tasks in ordinary documents. */
const locationsFor = ({ kind }: Space): TaskLocations =>
  kind === 'daily' ? { only: DAILY_LOCATIONS } : { except: ['trash'] }

/** Like {@link locationsFor}, but without the inbox, which has its own scope. */
const placesOutsideInbox = ({ kind }: Space): TaskLocations =>
  kind === 'daily' ? { only: ['daily_notes'] } : { except: ['trash', 'inbox'] }

async function readRange(
  space: Space,
  range: TaskRange,
  position: string | undefined,
  limit: number,
  locations = locationsFor(space),
): Promise<TaskPage> {
  const places = await tasksInRange(
    space.tx,
    range,
    locations,
    position === undefined ? undefined : parseListPosition(position),
    limit,
  )
  const last = places.at(-1)
  const remaining =
    last === undefined || places.length < limit
      ? 0
      : await countTasksInRange(space.tx, range, locations, last, TASK_COUNT_CAP)
  return { rows: await rowsOf(space, places), position: formatListPosition(last), remaining }
}

async function readAllTasks(space: Space, of: TasksOf, position: string | undefined, limit: number): Promise<TaskPage> {
  const places = await allTasks(space.tx, of, position === undefined ? undefined : parseListPosition(position), limit)
  const last = places.at(-1)
  const rest = last === undefined || places.length < limit ? [] : await allTasks(space.tx, of, last, TASK_COUNT_CAP)
  return { rows: await rowsOf(space, places), position: formatListPosition(last), remaining: rest.length }
}

/** Lists tasks in the order of the document. */
async function readDocumentTasks(
  space: Space,
  document: DocumentRecord | undefined,
  of: TasksOf,
  position: string | undefined,
  limit: number,
): Promise<TaskPage> {
  const root = document && (await blockById(space.tx, document.id))
  if (root === undefined) return { rows: [], position: '', remaining: 0 }
  const tasks = await documentTasks(space.tx, root.document, of)
  const order = (await readNodesInOrder(space, root, -1)).filter(({ n }) => tasks.has(n))
  const start = position === undefined ? 0 : order.findIndex(({ n }) => String(n) === position) + 1
  if (position !== undefined && start === 0) throw invalidCursor()
  const part = order.slice(start, start + limit)
  const remaining = Math.min(order.length - start - part.length, TASK_COUNT_CAP)
  return { rows: await rowsOf(space, part), position: String(part.at(-1)?.n), remaining }
}

const formatListPosition = (place: TaskPlace | undefined): string =>
  place === undefined ? '' : `${place.open ? 1 : 0} ${place.n} ${place.moment}`

function parseListPosition(text: string): Pick<TaskPlace, 'open' | 'moment' | 'n'> {
  const [open, n, moment = ''] = text.split(' ')
  return { open: open === '1', n: Number(n), moment }
}

const rowsOf = (space: Space, places: readonly { n: number }[]): Promise<BlockRow[]> =>
  rowsInOrder(
    space,
    places.map(({ n }) => n),
  )
