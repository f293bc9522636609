import type { CallsOf, Endpoint } from '../src/endpoint.ts'
import { batch } from './batch.ts'
import { blocks } from './blocks.ts'
import { changes } from './changes.ts'
import { claims } from './claims.ts'
import { collections } from './collections.ts'
import { comments } from './comments.ts'
import { connection } from './connection.ts'
import { dailyNotes } from './daily-notes.ts'
import { documents } from './documents.ts'
import { elements } from './elements.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { folders } from './folders.ts'
import { forMe } from './for-me.ts'
import { history } from './history.ts'
import { items } from './items.ts'
import { proposals } from './proposals.ts'
import { dueReminderNotice, reminders } from './reminders.ts'
import { schema } from './schema.ts'
import { tasks } from './tasks.ts'
import { views } from './views.ts'
import { whiteboards } from './whiteboards.ts'

const declared = [
  ...blocks,
  ...documents,
  ...dailyNotes,
  ...folders,
  ...collections,
  ...schema,
  ...items,
  ...claims,
  ...views,
  ...tasks,
  ...reminders,
  ...comments,
  ...connection,
  ...forMe,
  ...files,
  ...whiteboards,
  ...elements,
  ...history,
  ...batch,
  ...proposals,
  ...changes,
  ...events,
]

/** All endpoints, in the order of the README and of every tool list. */
export const endpoints: readonly Endpoint[] = declared

/** The name of a tool. A `Record<ToolName, …>` must have an entry for each tool. */
export type ToolName = keyof ToolCalls

/** What callers in this program give each tool, and what they get from it. */
export type ToolCalls = CallsOf<(typeof declared)[number]>

export { prompts } from './prompts.ts'
export { resources } from './resources.ts'
export { skills } from './skills.ts'

/** Notices that are added to responses. */
export const noticeSources = [dueReminderNotice]
