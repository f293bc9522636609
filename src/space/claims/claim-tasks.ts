/** Claims tasks: the first free open ones of a scope that wait for no others. */
import { leasesOf } from '../../../storage/leases.ts'
import { membersByNumbers } from '../../../storage/members.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { applyFields } from '../blocks/block-input.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { blockedTasks } from '../blocks/task-blockers.ts'
import { commentTagKeeper } from '../comments/comment-threads.ts'
import { getTaskState } from '../editing/task-locations.ts'
import { BlockUpdateBatch, writeBlock } from '../editing/write-block.ts'
import { claimedDates, type TASK_DATES } from '../leases/ending/restored-dates.ts'
import { endTime } from '../leases/leases.ts'
import { assigneeOf } from '../model/assignees.ts'
import { resolveDate } from '../model/dates.ts'
import type { AnyId } from '../model/ids.ts'
import { ownMembers } from '../model/member-reach.ts'
import type { Space } from '../model/space.ts'
import { taskAnswers } from '../tasks/task-answer.ts'
import { readScope, type TaskScope } from '../tasks/task-list.ts'
import type { ClaimAnswer } from './claim-answer.ts'
import { giveLeases } from './give-leases.ts'

export interface ClaimTasksInput {
  /** Which tasks, as tasks_list takes it. */
  scope: { scope: Exclude<TaskScope, 'document'> } | { scope: 'document'; documentId: AnyId }
  count: number
  /** Dates that the claimed tasks get; null for none. */
  set?: Partial<Record<(typeof TASK_DATES)[number], string | null | undefined>> | undefined
  /** Milliseconds. */
  duration: number
}

/** Tasks to read at a time. */
const TASKS_PER_STEP = 200

/** @throws NOT_FOUND_ERROR if the document of the scope does not exist */
export async function claimTasks(space: Space, { scope, count, set, duration }: ClaimTasksInput): Promise<ClaimAnswer> {
  const rows = await freeTasks(space, scope, count)
  if (rows.length === 0) return { items: [] }
  const before = rows.map((row) => ({ ...row }))
  if (set !== undefined) await setDates(space, rows, set)
  const free = rows.map((row, index) => ({ row, restores: claimedDates(before[index] ?? row, row) }))
  const fences = await giveLeases(space, free, duration)
  const tasks = await taskAnswers(space, rows)
  await noteOfOthers(space, rows)
  const items = tasks.map(({ id, ...task }, index) => ({ id, fence: fences[index] ?? 0, ...task }))
  return { items, until: endTime(space, duration) }
}

/** Says which of the claimed tasks somebody else is to do. */
async function noteOfOthers(space: Space, rows: readonly BlockRow[]): Promise<void> {
  const given = rows.filter((row) => fieldsFromRow(row).taskInfo?.assignee !== undefined)
  if (given.length === 0) return
  const rowsOfOwn = await membersByNumbers(space.tx, await ownMembers(space), space.now)
  const own = new Set(rowsOfOwn.map(({ id }) => String(id)))
  const others = given.filter((row) => !own.has(assigneeOf(row) ?? '')).map(({ id }) => space.spellId(id))
  if (others.length === 0) return
  space.notes.add(
    `For somebody else, as assignee says: ${others.slice(0, SHOWN).join(', ')}${others.length > SHOWN ? ` and ${others.length - SHOWN} more` : ''}. If you are not to do them, free them with release.`,
  )
}

/** Tasks that a note names. */
const SHOWN = 5

async function setDates(
  space: Space,
  rows: readonly BlockRow[],
  taskInfo: NonNullable<ClaimTasksInput['set']>,
): Promise<void> {
  const batch = new BlockUpdateBatch(space, await commentTagKeeper(space, rows))
  for await (const row of iterateCooperatively(rows)) {
    await writeBlock(space, row, applyFields(fieldsFromRow(row), { taskInfo }), { keepsPlace: true, batch })
  }
  await batch.write()
}

async function freeTasks(space: Space, scope: ClaimTasksInput['scope'], count: number): Promise<BlockRow[]> {
  const today = resolveDate('today', space)
  const free: BlockRow[] = []
  let position: string | undefined
  let waiting = 0
  for (;;) {
    const page = await readScope(space, { ...scope, limit: TASKS_PER_STEP }, today, position)
    const open = page.rows.filter((row) => getTaskState(row) === 'todo')
    const leases = await leasesOf(
      space.tx,
      open.map(({ n }) => n),
      space.leaseTime,
    )
    const held = new Set(leases.map(({ block }) => block))
    const blocked = await blockedTasks(space, open)
    const unheld = open.filter(({ n }) => !held.has(n))
    free.push(...unheld.filter(({ n }) => !blocked.has(n)))
    waiting += unheld.filter(({ n }) => blocked.has(n)).length
    if (free.length === 0 && page.remaining === 0 && waiting > 0) {
      space.notes.add(
        `Nothing was claimed: of the free tasks that match, ${waiting} ${waiting === 1 ? 'is' : 'are'} blocked.`,
      )
    }
    if (free.length >= count || page.remaining === 0) return free.slice(0, count)
    position = page.position
  }
}
