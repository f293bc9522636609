/**
 * Daily plan: writes into today's daily note what to do today, at most five tasks, late ones first, and what can wait.
 *
 *     0 7 * * *  REST_URL=… node daily-plan.ts
 */
import { call, type Items, today } from './rest.ts'

const HEADING = '## Plan'
const MOST = 5

interface Task {
  id: string
  markdown: string
  taskInfo: { scheduleDate?: string; deadlineDate?: string }
}

const dateOf = ({ taskInfo: { scheduleDate, deadlineDate } }: Task): string => scheduleDate ?? deadlineDate ?? ''

/** Which tasks to do today, in order. Here a model would weigh them, with what it knows of your week. */
function choose(tasks: readonly Task[]): Task[] {
  return tasks
    .toSorted((one, other) => dateOf(one).localeCompare(dateOf(other)) || one.id.localeCompare(other.id))
    .slice(0, MOST)
}

/** A task as a link to it, so that it is in the note without being there twice. */
function line(task: Task, date: string): string {
  const words = task.markdown
    .replace(/^- \[.\] /, '')
    .split('\n')[0]
    ?.replaceAll(/[[\]]/g, '\\$&')
  const late = dateOf(task) < date ? `, late since ${dateOf(task)}` : ''
  return `1. [${words}](block://${task.id})${late}`
}

/** Whether today's note has a plan. A day without a note has none. */
async function isPlanned(date: string): Promise<boolean> {
  const days = `dailyNoteDateGte=${date}&dailyNoteDateLte=${date}`
  const { items } = await call<Items<{ id: string }>>(`GET /documents?location=daily_notes&${days}`)
  if (items[0] === undefined) return false
  const { content = [] } = await call<{ content?: { markdown: string }[] }>(`GET /blocks?id=${items[0].id}`)
  return content.some(({ markdown }) => markdown === HEADING)
}

const date = await today()
if (await isPlanned(date)) {
  console.log('planned already')
  process.exit()
}
const { items: active } = await call<Items<Task>>('GET /tasks?scope=active&isReady=true')
const chosen = choose(active)
const others = active.length - chosen.length
const markdown = [
  HEADING,
  '',
  ...chosen.map((task) => line(task, date)),
  '',
  chosen.length === 0 ? 'Nothing is due today.' : others > 0 ? `${others} more can wait.` : 'That is all.',
].join('\n')
// The key is the day: of two runs at the same time, one writes.
await call('POST /blocks', { markdown, position: { position: 'start', date } }, `daily plan ${date}`)
console.log(`${chosen.length} of ${active.length} tasks planned`)
