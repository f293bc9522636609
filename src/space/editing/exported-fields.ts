/** Compares blocks with those of our own exports, which leave out some of their fields. */
import type { Block, BlockFields, TaskInfo } from '../../markdown/block.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
import { assigneeKey } from '../model/assignees.ts'
import type { Space } from '../model/space.ts'
import { contentKey } from './page-trees.ts'
import { mergeParsedFields } from './parsed-fields.ts'

/** A key for what an export says of a block: its text, the dates of a task, and what it waits for. */
export function exportedKey(space: Space, block: BlockFields & { id?: string }): string {
  const { id: _, ...fields } = { ...block, text: withoutComments(block.text) }
  const { scheduleDate, deadlineDate, repeat } = block.taskInfo ?? {}
  const { blockedBy = [] } = block
  const dates = [scheduleDate, deadlineDate, exportedRepeat(repeat)]
  return JSON.stringify([contentKey(space, fields), ...dates, assigneeKey(block.taskInfo), blockedBy])
}

/** The part of a repeat that exports have. */
function exportedRepeat(repeat: TaskInfo['repeat']): unknown {
  if (repeat === undefined) return undefined
  const {
    frequency,
    interval = 1,
    weekly,
    type,
  } = repeat as {
    frequency: string
    interval?: number
    weekly?: { days?: string[] }
    type: string
  }
  return [frequency, interval, weekly?.days ?? [], type === 'flexible']
}

/** A block as it was, with what an export says of it now. */
export function mergeExportedFields(before: BlockFields, parsed: Block): BlockFields {
  const merged = mergeParsedFields(before, parsed)
  if (before.width !== undefined) merged.width = before.width
  if (parsed.blockedBy === undefined) delete merged.blockedBy
  if (merged.taskInfo === undefined || parsed.taskInfo === undefined) return merged
  merged.taskInfo = mergeTask(before.taskInfo, parsed.taskInfo)
  return merged
}

/** A task keeps the time of day at which it was done, and the parts of its repeat that exports leave out. */
function mergeTask(before: TaskInfo | undefined, parsed: TaskInfo): TaskInfo {
  if (before === undefined) return parsed
  const { completedAt, canceledAt } = before
  const isSameState = before.state === parsed.state
  const times = isSameState ? { ...(completedAt && { completedAt }), ...(canceledAt && { canceledAt }) } : {}
  const [repeatBefore, repeatNow] = [before, parsed].map(({ repeat }) => JSON.stringify(exportedRepeat(repeat)))
  const { repeat: written, ...others } = parsed
  const repeat = repeatBefore === repeatNow ? before.repeat : written
  return { ...others, ...times, ...(repeat && { repeat }) }
}
