/** Tasks, claims on them, and reminders. */

/** Tasks that one task waits for. */
export const BLOCKERS_PER_TASK = 100
/** Rows that a call claims, renews or frees at most. */
export const CLAIMED_ROWS = 100
/** How long a claim lasts by default, and at most. */
export const LEASE_SECONDS = 15 * 60
export const LEASE_SECONDS_MAX = 24 * 60 * 60
/** How long a change of another connection counts as recent for one that has not read what it changes. */
export const RECENT_CHANGE_SECONDS = 60
/** Tasks in one answer of tasks_list: default over MCP, and maximum, which is the default over REST. */
export const TASKS_PER_ANSWER = 100
export const TASKS_PER_ANSWER_MAX = 20_000
/**
 * Cap on the count of tasks left after an answer. In a long scope, counting all of them took longer than reading it.
 */
export const TASK_COUNT_CAP = 1_000
/** Reminders in one answer of reminders_list: default and maximum. Source: the interface, Limits. */
export const REMINDERS_PER_ANSWER = 50
export const REMINDERS_PER_ANSWER_MAX = 200
/** Due reminders announced in one answer. */
export const DUE_REMINDERS_PER_ANSWER = 20
/** Largest interval of a repeating task, in days, weeks, months or years. */
export const MAX_REPEAT_INTERVAL = 1_000
