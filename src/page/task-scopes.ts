/** The lists of tasks: their names, and what they say when they are empty. */

export const TASK_SCOPES = {
  active: ['Active', 'Open tasks that are due by today show up here.'],
  upcoming: ['Upcoming', 'Open tasks with a date to come show up here.'],
  undated: ['No date', 'Open tasks without a date, outside of the inbox, show up here.'],
  inbox: ['Inbox', 'Tasks that stand in no document show up here. Agents add them with tasks_add.'],
  logbook: ['Done', 'Tasks that are done or canceled show up here.'],
} as const
export type TaskScope = keyof typeof TASK_SCOPES

export const isTaskScope = (scope: string): scope is TaskScope => Object.hasOwn(TASK_SCOPES, scope)

/** Tasks of a scope on its page. */
export const TASKS_LISTED = 100
