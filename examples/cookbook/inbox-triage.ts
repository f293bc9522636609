/**
 * Inbox triage: gives each task of the inbox a date and a document, and leaves those alone that it does not understand.
 *
 *     REST_URL=… node inbox-triage.ts "Home=groceries,garden" "Work=invoice,release"
 */
import { call, type Items } from './rest.ts'

interface Task {
  id: string
  markdown: string
  taskInfo: { state: string; scheduleDate?: string; deadlineDate?: string }
}

/** Titles of documents, with the words that lead to them. */
const rules = process.argv.slice(2).map((rule) => {
  const [title = '', words = ''] = rule.split('=')
  return { title, words: words.toLowerCase().split(',') }
})

interface Decision {
  scheduleDate?: string
  title?: string
}

/** Here a model would decide, with the titles to choose from. Words in the text decide in its place. */
function decide({ markdown }: Task): Decision {
  const text = markdown.toLowerCase()
  const day = /\b(today|tomorrow|next (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/.exec(text)?.[1]
  const title = rules.find(({ words }) => words.some((word) => text.includes(word)))?.title
  return { ...(day !== undefined && { scheduleDate: day }), ...(title !== undefined && { title }) }
}

/** The ID of the document with exactly this title, which is added if there is none. */
async function documentOf(title: string): Promise<string> {
  const found = await call<Items<{ documentId: string; title: string }>>(
    `GET /documents/search?include=${encodeURIComponent(`"${title}"`)}`,
  )
  const same = found.items.find((one) => one.title === title)
  if (same !== undefined) return same.documentId
  const { items } = await call<Items<{ id: string }>>('POST /documents', { documents: [{ title }] })
  return items[0]?.id ?? ''
}

const { items: tasks } = await call<Items<Task>>('GET /tasks?scope=inbox')
let moved = 0
for (const task of tasks) {
  const { scheduleDate, title } = decide(task)
  if (scheduleDate === undefined && title === undefined) continue
  const change = {
    id: task.id,
    // A date that a person has set stays.
    ...(scheduleDate !== undefined && task.taskInfo.scheduleDate === undefined && { taskInfo: { scheduleDate } }),
    ...(title !== undefined && { location: { type: 'document', documentId: await documentOf(title) } }),
    // Refused if somebody has changed the task since it was read.
    expected: { markdown: task.markdown },
  }
  await call('PUT /tasks', { tasksToUpdate: [change] })
  moved++
}
console.log(`${moved} of ${tasks.length} tasks sorted`)
