/** Lists tasks by scope. Source: the interface's "States and transitions". */
import { blockById, blocksByNumbers } from '../../../storage/blocks.ts'
import { DAILY_LOCATIONS, type DocumentRecord, keptDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import {
  allTasks,
  countTasksInRange,
  documentTasks,
  type TaskLocations,
  type TaskPlace,
  type TaskRange,
  tasksInRange,
} from '../../../storage/tasks.ts'
import { TASKS_COUNTED } from '../../limits.ts'
import { readingOrder } from '../blocks/tree.ts'
import { invalidCursor, openCursor, type Rest, restOfList } from '../cursors.ts'
import { type CivilDate, daysAfter, resolveDate } from '../dates.ts'
import type { Space } from '../space.ts'
import { answerTasks, type TaskAnswer } from './answer.ts'

export const SCOPES = ['active', 'upcoming', 'inbox', 'logbook', 'document', 'all'] as const
export type Scope = (typeof SCOPES)[number]

export type TaskListing = { limit: number; cursor?: string | undefined } & (
  | { scope: Exclude<Scope, 'document'> }
  | { scope: 'document'; documentId: string }
)

export interface TaskList {
  items: TaskAnswer[]
  /** The day that the scopes call today. */
  today: CivilDate
  pagination?: Rest
}

/** A part of a scope: the tasks, and what is left after them. */
interface Part {
  rows: BlockRow[]
  at: string
  remaining: number
}

/** @throws NOT_FOUND_ERROR for a document that there is not; CURSOR_INVALID */
export async function listTasks(space: Space, listing: TaskListing): Promise<TaskList> {
  const { limit, cursor, ...asked } = listing
  const at = cursor === undefined ? undefined : openCursor(space.info.secret, ['tasks_list', asked], cursor)
  const today = resolveDate('today', space)
  const { rows, at: last, remaining } = await partOf(space, listing, today, at)
  const list: TaskList = { items: await answerTasks(space, rows), today }
  if (remaining > 0) {
    list.pagination = restOfList(space.info.secret, 'tasks_list', asked, 'tasks', last, remaining, TASKS_COUNTED)
  }
  return list
}

async function partOf(space: Space, listing: TaskListing, today: CivilDate, at: string | undefined): Promise<Part> {
  const { limit } = listing
  switch (listing.scope) {
    case 'active':
      return inRange(space, { open: true, to: today }, at, limit)
    case 'upcoming':
      return inRange(space, { open: true, from: daysAfter(today, 1), to: LAST_DAY }, at, limit)
    case 'logbook':
      return inRange(space, { open: false, descending: true }, at, limit)
    case 'inbox':
      return inDocument(space, await keptDocument(space.tx, 'inbox'), at, limit)
    case 'document':
      return inDocument(space, await space.document(listing.documentId), at, limit)
    case 'all':
      return inSpace(space, at, limit)
  }
}

/** Before '~', which stands for no day. */
const LAST_DAY = '9999-12-31'

/** What was thrown away is not to be done; a daily connection reaches no tasks in documents. */
const locationsFor = ({ kind }: Space): TaskLocations =>
  kind === 'daily' ? { only: DAILY_LOCATIONS } : { except: ['trash'] }

async function inRange(space: Space, range: TaskRange, at: string | undefined, limit: number): Promise<Part> {
  const locations = locationsFor(space)
  const places = await tasksInRange(space.tx, range, locations, at === undefined ? undefined : placeAt(at), limit)
  const last = places.at(-1)
  const remaining =
    last === undefined || places.length < limit
      ? 0
      : await countTasksInRange(space.tx, range, locations, last, TASKS_COUNTED)
  return { rows: await rowsInOrder(space, places), at: placeText(last), remaining }
}

async function inSpace(space: Space, at: string | undefined, limit: number): Promise<Part> {
  const places = await allTasks(space.tx, at === undefined ? undefined : placeAt(at), limit)
  const last = places.at(-1)
  const rest = last === undefined || places.length < limit ? [] : await allTasks(space.tx, last, TASKS_COUNTED)
  return { rows: await rowsInOrder(space, places), at: placeText(last), remaining: rest.length }
}

/** In the order in which the document is read. */
async function inDocument(
  space: Space,
  document: DocumentRecord | undefined,
  at: string | undefined,
  limit: number,
): Promise<Part> {
  const root = document && (await blockById(space.tx, document.id))
  if (root === undefined) return { rows: [], at: '', remaining: 0 }
  const tasks = await documentTasks(space.tx, root.document)
  const order = (await readingOrder(space, root, -1)).filter(({ n }) => tasks.has(n))
  const start = at === undefined ? 0 : order.findIndex(({ n }) => String(n) === at) + 1
  if (at !== undefined && start === 0) throw invalidCursor()
  const part = order.slice(start, start + limit)
  const remaining = Math.min(order.length - start - part.length, TASKS_COUNTED)
  return { rows: await rowsInOrder(space, part), at: String(part.at(-1)?.n), remaining }
}

const placeText = (place: TaskPlace | undefined): string =>
  place === undefined ? '' : `${place.open ? 1 : 0} ${place.n} ${place.moment}`

function placeAt(text: string): Pick<TaskPlace, 'open' | 'moment' | 'n'> {
  const [open, n, moment = ''] = text.split(' ')
  return { open: open === '1', n: Number(n), moment }
}

async function rowsInOrder(space: Space, places: readonly { n: number }[]): Promise<BlockRow[]> {
  const found = await blocksByNumbers(
    space.tx,
    places.map(({ n }) => n),
  )
  const rows = new Map(found.map((row) => [row.n, row]))
  return places.flatMap(({ n }) => rows.get(n) ?? [])
}
