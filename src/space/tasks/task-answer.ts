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

/** What a caller says of a task, of that which an answer may say otherwise. */
export interface SentTask {
  taskInfo?: object | undefined
  repeat?: unknown
  location?: { type: string; date?: string } | undefined
}

/**
 * The ID of a task, and what its caller could not know: its state and dates where they are not those that were sent (a
 * repeating task that is done is open again, on its next date; tomorrow is a day), and where it went by its state.
 */
export function shortTaskAnswer({ id, taskInfo, location }: TaskAnswer, sent: SentTask): object {
  const given = Object.entries(sent.taskInfo ?? {}).filter(([key]) => key in taskInfo)
  const isOther = given.some(([key, value]) => taskInfo[key as keyof typeof taskInfo] !== (value ?? undefined))
  const day = location.type === 'dailyNote' ? location.date : undefined
  const isMoved =
    sent.location === undefined
      ? given.some(([key]) => key === 'state') && (location.type === 'inbox' || location.type === 'logbook')
      : sent.location.type !== location.type || sent.location.date !== day
  return {
    id,
    ...((isOther || Boolean(sent.repeat)) && { taskInfo }),
    ...(isMoved && { location }),
  }
}

/** A task as it stands in a document, but for its indentation; of a page, too, with its state. */
export function taskMarkdown({ indentationLevel: _place, ...fields }: BlockFields): string {
  return blockMarkdown({ ...fields, type: fields.type === 'page' ? 'text' : fields.type })
}
