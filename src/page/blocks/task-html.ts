/** Renders tasks as HTML: a checkbox, and the due date. */

import type { TaskInfo } from '../../markdown/block.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { type Html, html } from '../html.ts'
import { count, countKey } from '../texts/text.ts'
import type { BlockContext } from './block-context.ts'
import { blockedHtml } from './blocked-html.ts'

/** The ID of the form that all checkboxes of a page submit. */
export const TASK_FORM = 'tick'

/** The fields of a task that both task lists and documents show. */
export type TaskFields = Pick<JsonBlock, 'id'> & {
  taskInfo?: { [Key in keyof TaskInfo]?: TaskInfo[Key] | undefined } | undefined
  repeat?: object | undefined
  /** The day after the next one of a task that repeats, where it is known. */
  following?: string | undefined
  /** What it waits for. */
  blockedBy?: Parameters<typeof blockedHtml>[1]
}

type TaskContext = Pick<BlockContext, 'mayChange' | 'formats' | 'forms' | 'links'>

/** @param text  the text of the task */
export function taskHtml(task: TaskFields, text: Html, context: TaskContext): Html {
  return html`${boxHtml(task, context.mayChange)}<span class="item-text" id="t${task.id}">${text}</span>${dueHtml(task, context)}${(task.taskInfo?.state ?? 'todo') === 'todo' && blockedHtml(context.links, task.blockedBy)}`
}

/** A button that works without scripts: it submits the new state of the task. */
export function boxHtml({ id, taskInfo, repeat }: TaskFields, mayChange: boolean): Html {
  const state = taskInfo?.state ?? 'todo'
  const isOpen = state === 'todo'
  const next = isOpen ? 'done' : 'todo'
  // A repeating task is completed for the date that the page shows.
  const isRepeating = isOpen && (taskInfo?.repeat ?? repeat) !== undefined
  const due = isRepeating && taskInfo?.scheduleDate !== undefined ? ` ${taskInfo.scheduleDate}` : ''
  return html`<button class="box" form="${TASK_FORM}" name="task" value="${id} ${next}${due}" role="checkbox" aria-checked="${isOpen ? 'false' : state === 'done' ? 'true' : 'mixed'}" aria-labelledby="t${id}"${mayChange ? '' : html` disabled`}></button>`
}

/** The due date, with a link to the form of the task. */
function dueHtml({ id, taskInfo, repeat, following }: TaskFields, { formats, forms }: TaskContext): Html | false {
  if (taskInfo === undefined) return false
  const form = forms?.task?.(id)
  const { state, scheduleDate, deadlineDate, assignee } = taskInfo
  const rule = repeatText(taskInfo.repeat ?? repeat)
  const parts: Html[] = []
  if (scheduleDate !== undefined) parts.push(formats.dayHtml(scheduleDate))
  if (deadlineDate !== undefined) {
    const isLate = state === 'todo' && deadlineDate < formats.today
    parts.push(html`<span class="${isLate ? 'late' : ''}">due ${formats.dayHtml(deadlineDate)}</span>`)
  }
  if (rule !== undefined) parts.push(html`${rule}`)
  if (following !== undefined) parts.push(html`then ${formats.dayHtml(following)}`)
  if (typeof assignee === 'object') parts.push(html`for <bdi>${assignee.name}</bdi>`)
  const when = html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`
  if (form === undefined) return parts.length > 0 && html`<span class="due">${when}</span>`
  const name =
    parts.length > 0
      ? html`<span class="hidden">Edit task: </span>${when}`
      : html`Edit<span class="hidden"> task</span>`
  return html`<a class="due${parts.length === 0 && ' undated'}" href="${form}" data-panel>${name}</a>`
}

const INTERVALS: ReadonlyMap<string, { one: string; other: string }> = new Map(
  Object.entries({
    daily: countKey({ one: 'every day', other: 'every {n} days' }),
    weekly: countKey({ one: 'every week', other: 'every {n} weeks' }),
    monthly: countKey({ one: 'every month', other: 'every {n} months' }),
    yearly: countKey({ one: 'every year', other: 'every {n} years' }),
  }),
)

/** Such as `every 2 weeks`. */
function repeatText(repeat: object | undefined): string | undefined {
  const { frequency = '', interval = 1 } = (repeat ?? {}) as { frequency?: string; interval?: number }
  const forms = INTERVALS.get(frequency)
  return forms && count(interval, forms)
}
