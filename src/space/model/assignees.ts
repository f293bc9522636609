/** Who does a task: a member by ID, or the name of somebody who is none of this space, as after an import. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { Assignee, TaskInfo } from '../../markdown/block.ts'

const MARK = '"assignee":'

/** The ID of the member who does a task, as digits. */
export const assigneeOf = ({ attributes }: Pick<BlockRow, 'attributes'>): string | undefined => {
  if (!attributes?.includes(MARK)) return undefined
  const { taskInfo } = JSON.parse(attributes) as { taskInfo?: TaskInfo }
  return typeof taskInfo?.assignee === 'string' ? taskInfo.assignee : undefined
}

/** Digits at the end of an ID that are the same in all spellings. */
const SHORT_ID_LENGTH = 12

/** An assignee as it is stored. */
export function storedAssignee(assignee: Assignee): Assignee {
  if (typeof assignee === 'string') return assignee
  return assignee.id === undefined ? { name: assignee.name } : assignee.id.slice(-SHORT_ID_LENGTH)
}

/** The same for each form of one assignee. */
export function assigneeKey({ assignee }: TaskInfo = { state: 'todo' }): string | undefined {
  const stored = assignee && storedAssignee(assignee)
  return typeof stored === 'object' ? `@${stored.name}` : stored
}
