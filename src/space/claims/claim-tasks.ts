/** Claims tasks: the first free open ones of a scope. */
import { leasesOf } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { getTaskState } from '../editing/task-locations.ts'
import { endTime } from '../leases/leases.ts'
import { resolveDate } from '../model/dates.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { taskAnswers } from '../tasks/task-answer.ts'
import { readScope, type TaskScope } from '../tasks/task-list.ts'
import type { ClaimAnswer } from './claim-answer.ts'
import { giveLeases } from './give-leases.ts'

export interface ClaimTasksInput {
  /** Which tasks, as tasks_list takes it. */
  scope: { scope: Exclude<TaskScope, 'document'> } | { scope: 'document'; documentId: AnyId }
  count: number
  /** Milliseconds. */
  duration: number
}

/** Tasks to read at a time. */
const TASKS_PER_STEP = 200

/** @throws NOT_FOUND_ERROR if the document of the scope does not exist */
export async function claimTasks(space: Space, { scope, count, duration }: ClaimTasksInput): Promise<ClaimAnswer> {
  const rows = await freeTasks(space, scope, count)
  if (rows.length === 0) return { items: [] }
  const fences = await giveLeases(
    space,
    rows.map((row) => ({ row })),
    duration,
  )
  const tasks = await taskAnswers(space, rows)
  const items = tasks.map(({ id, ...task }, index) => ({ id, fence: fences[index] ?? 0, ...task }))
  return { items, until: endTime(space, duration) }
}

async function freeTasks(space: Space, scope: ClaimTasksInput['scope'], count: number): Promise<BlockRow[]> {
  const today = resolveDate('today', space)
  const free: BlockRow[] = []
  let position: string | undefined
  for (;;) {
    const page = await readScope(space, { ...scope, limit: TASKS_PER_STEP }, today, position)
    const open = page.rows.filter((row) => getTaskState(row) === 'todo')
    const leases = await leasesOf(
      space.tx,
      open.map(({ n }) => n),
      space.leaseTime,
    )
    const held = new Set(leases.map(({ block }) => block))
    free.push(...open.filter(({ n }) => !held.has(n)))
    if (free.length >= count || page.remaining === 0) return free.slice(0, count)
    position = page.position
  }
}
