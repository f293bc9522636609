/** Tasks as answers show them. Source: the interface's shapes, 4. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { TaskInfo } from '../../markdown/block.ts'
import { blockMarkdown } from '../../markdown/write.ts'
import { fieldsOf } from '../blocks/rows.ts'
import { visibleTexts } from '../links.ts'
import type { Space } from '../space.ts'
import { locationsOf, type TaskLocation } from './places.ts'

export interface TaskAnswer {
  id: string
  markdown: string
  taskInfo: Pick<TaskInfo, 'state' | 'scheduleDate' | 'deadlineDate'>
  location: TaskLocation
  completedAt?: string
  canceledAt?: string
  repeat?: Record<string, unknown>
}

export async function answerTasks(space: Space, rows: readonly BlockRow[]): Promise<TaskAnswer[]> {
  const visible = await visibleTexts(space, rows)
  const locationOf = await locationsOf(space, rows)
  return rows.map((row) => {
    const { state = 'todo', scheduleDate, deadlineDate, completedAt, canceledAt, repeat } = fieldsOf(row).taskInfo ?? {}
    return {
      id: row.id,
      markdown: taskMarkdown(row, visible(row)),
      taskInfo: { state, ...(scheduleDate && { scheduleDate }), ...(deadlineDate && { deadlineDate }) },
      location: locationOf(row),
      ...(completedAt && { completedAt }),
      ...(canceledAt && { canceledAt }),
      ...(repeat && { repeat: { ...repeat } }),
    }
  })
}

/** A task as it stands in a document, but for its indentation; of a page, too, with its state. */
export function taskMarkdown(row: BlockRow, text: string): string {
  const { indentationLevel: _place, ...fields } = fieldsOf(row)
  return blockMarkdown({ ...fields, type: row.type === 'page' ? 'text' : fields.type, text })
}
