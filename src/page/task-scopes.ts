/** The lists of tasks: their names, and what they say when they are empty. */
import { textKey } from './texts/text.ts'

export const TASK_SCOPES = {
  active: [textKey('Active'), textKey('Open tasks that are due by today show up here.')],
  upcoming: [textKey('Upcoming'), textKey('Open tasks with a date to come show up here.')],
  undated: [textKey('No date'), textKey('Open tasks without a date, outside of the inbox, show up here.')],
  inbox: [textKey('Inbox'), textKey('Tasks that stand in no document show up here. Agents add them with tasks_add.')],
  logbook: [textKey('Done'), textKey('Tasks that are done or canceled show up here.')],
} as const
export type TaskScope = keyof typeof TASK_SCOPES

export const isTaskScope = (scope: string): scope is TaskScope => Object.hasOwn(TASK_SCOPES, scope)

/** The lists that are stored as documents, where they stand beside documents. */
export const TASK_LISTS = { inbox: textKey('Task inbox'), logbook: textKey('Done tasks') } as const

/** Tasks of a scope on its page. */
export const TASKS_LISTED = 100
