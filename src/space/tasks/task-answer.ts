/** Formats tasks for responses. Source: the interface's shapes, 4. */
import type { StoredLease } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { type TaskBlocker, taskBlockers } from '../blocks/task-blockers.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { getTaskLocations, type TaskLocation } from '../editing/task-locations.ts'
import { type LeaseAnswer, leaseAnswer } from '../leases/leases.ts'
import type { Space } from '../model/space.ts'

export interface TaskAnswer {
  id: string
  markdown: string
  taskInfo: Pick<TaskInfo, 'state' | 'scheduleDate' | 'deadlineDate'> & { assignee?: { id?: string; name: string } }
  location: TaskLocation
  completedAt?: string
  canceledAt?: string
  repeat?: Record<string, unknown>
  /** Absent if it waits for nothing. */
  blockedBy?: TaskBlocker[]
  heldBy?: LeaseAnswer
}

/** @param leases  who holds which of the tasks */
export async function taskAnswers(
  space: Space,
  rows: readonly BlockRow[],
  leases: ReadonlyMap<number, StoredLease> = new Map(),
): Promise<TaskAnswer[]> {
  const visible = await visibleFields(space, rows)
  space.seenRows.show(rows.map(({ id }) => id))
  const blockersOf = await taskBlockers(space, rows)
  const locationOf = await getTaskLocations(space, rows)
  const answers: TaskAnswer[] = []
  for await (const row of iterateCooperatively(rows)) {
    const fields = visible(row)
    const {
      state = 'todo',
      scheduleDate,
      deadlineDate,
      completedAt,
      canceledAt,
      repeat,
      assignee,
    } = fields.taskInfo ?? {}
    const lease = leases.get(row.n)
    const blockedBy = blockersOf.get(row.n)
    answers.push({
      id: space.spellId(row.id),
      markdown: taskMarkdown(fields),
      taskInfo: {
        state,
        ...(scheduleDate && { scheduleDate }),
        ...(deadlineDate && { deadlineDate }),
        ...(typeof assignee === 'object' && { assignee: assignee as { id?: string; name: string } }),
      },
      location: locationOf(row),
      ...(completedAt && { completedAt }),
      ...(canceledAt && { canceledAt }),
      ...(repeat && { repeat: { ...repeat } }),
      ...(blockedBy && { blockedBy }),
      ...(lease && { heldBy: leaseAnswer(space, lease) }),
    })
  }
  return answers
}

/** The fields that the client sent for a task, as far as the response may differ from them. */
export interface SentTask {
  taskInfo?: object | undefined
  repeat?: unknown
  location?: { type: string; date?: string } | undefined
}

/**
 * Returns the ID of a task and only what the client cannot know: state and dates that differ from those it sent (a
 * repeating task that was completed is open again, with its next date; `tomorrow` became a date), and the location if
 * the state moved the task.
 */
export function shortTaskAnswer({ id, taskInfo, location }: TaskAnswer, sent: SentTask): { id: string } & object {
  const given = Object.entries(sent.taskInfo ?? {}).filter(([key]) => Object.hasOwn(taskInfo, key))
  const isOther = given.some(([key, value]) => taskInfo[key as keyof typeof taskInfo] !== (value ?? undefined))
  const sentFields = new Map(given)
  const unknown = Object.entries(taskInfo).filter(([key, value]) =>
    sentFields.has(key) ? sentFields.get(key) !== value : key !== 'state',
  )
  const day = location.type === 'dailyNote' ? location.date : undefined
  const isMoved =
    sent.location === undefined
      ? given.some(([key]) => key === 'state') && (location.type === 'inbox' || location.type === 'logbook')
      : sent.location.type !== location.type || sent.location.date !== day
  return {
    id,
    ...((isOther || Boolean(sent.repeat)) && { taskInfo: Object.fromEntries(unknown) }),
    ...(isMoved && { location }),
  }
}

/** Formats a task as in its document, but without indentation. A page is formatted like a text, with its task state. */
export function taskMarkdown({ indentationLevel: _place, ...fields }: BlockFields): string {
  return blockMarkdown({ ...fields, type: fields.type === 'page' ? 'text' : fields.type })
}
