/** Looks up who does tasks. */
import { activeMembers, membersByIds } from '../../../storage/members.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { assigneeOf } from '../model/assignees.ts'
import type { Space } from '../model/space.ts'

/** Returns the assignees of tasks with their IDs and names. A connection that sees a task may know who does it. */
export async function visibleAssignees(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(taskInfo: TaskInfo) => TaskInfo> {
  const ids = new Set(rows.flatMap((row) => assigneeOf(row) ?? []))
  const members = ids.size === 0 ? [] : await membersByIds(space.tx, [...ids].map(Number), space.now)
  const byId = new Map(members.map((member) => [String(member.id), member]))
  return ({ assignee, ...taskInfo }) => {
    if (assignee === undefined || typeof assignee === 'object') return { ...taskInfo, ...(assignee && { assignee }) }
    const member = byId.get(assignee)
    return member === undefined
      ? taskInfo
      : { ...taskInfo, assignee: { id: space.spellId(member.id), name: member.name } }
  }
}

/** Resolves the assignees of imported blocks: by their IDs, or else by names that one member has. Others stay as names. */
export async function resolveAssignees(space: Space, blocks: readonly Block[]): Promise<void> {
  const tasks: { taskInfo: TaskInfo; assignee: { readonly id?: string | undefined; readonly name: string } }[] = []
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    for (const inner of block.content ?? []) waiting.push(inner)
    const { taskInfo } = block
    if (typeof taskInfo?.assignee === 'object') tasks.push({ taskInfo, assignee: taskInfo.assignee })
  }
  if (tasks.length === 0) return
  const ids = tasks.flatMap(({ assignee }) => assignee.id ?? [])
  const known = new Set((await membersByIds(space.tx, ids.map(Number), space.now)).map(({ id }) => String(id)))
  const active = await activeMembers(space.tx, space.now)
  for (const { taskInfo, assignee } of tasks) {
    const { id, name } = assignee
    const [named, ...others] = active.filter((member) => member.name === name)
    if (id !== undefined && known.has(id)) taskInfo.assignee = id
    else taskInfo.assignee = named !== undefined && others.length === 0 ? String(named.id) : { name }
  }
}
