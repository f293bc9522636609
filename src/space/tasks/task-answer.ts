/** Tasks as answers show them. Source: the interface's shapes, 4. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { getTaskLocations, type TaskLocation } from '../editing/task-locations.ts'
import type { Space } from '../model/space.ts'

export interface TaskAnswer {
  id: string
  markdown: string
  taskInfo: Pick<TaskInfo, 'state' | 'scheduleDate' | 'deadlineDate'>
  location: TaskLocation
  completedAt?: string
  canceledAt?: string
  repeat?: Record<string, unknown>
}

export async function taskAnswers(space: Space, rows: readonly BlockRow[]): Promise<TaskAnswer[]> {
  const visible = await visibleFields(space, rows)
  const locationOf = await getTaskLocations(space, rows)
  return rows.map((row) => {
    const {
      state = 'todo',
      scheduleDate,
      deadlineDate,
      completedAt,
      canceledAt,
      repeat,
    } = fieldsFromRow(row).taskInfo ?? {}
    return {
      id: space.spellId(row.id),
      markdown: taskMarkdown(visible(row)),
      taskInfo: { state, ...(scheduleDate && { scheduleDate }), ...(deadlineDate && { deadlineDate }) },
      location: locationOf(row),
      ...(completedAt && { completedAt }),
      ...(canceledAt && { canceledAt }),
      ...(repeat && { repeat: { ...repeat } }),
    }
  })
}

/** A task as it stands in a document, but for its indentation; of a page, too, with its state. */
export function taskMarkdown({ indentationLevel: _place, ...fields }: BlockFields): string {
  return blockMarkdown({ ...fields, type: fields.type === 'page' ? 'text' : fields.type })
}
