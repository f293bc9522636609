/**
 * Import watcher: after each import, adds a task to look at what came in, and one for what was lost.
 *
 *     REST_URL=… node import-watcher.ts
 *
 * It runs until it is stopped. REST_URL is the REST address of a full link, which sees the counts and losses.
 */
import { call, type Items } from './rest.ts'

interface Import {
  eventId: string
  data: {
    source: string
    outcome: string
    written: number
    counts: Record<string, number>
    losses: Record<string, number>
    documents: { documentId: string; title: string }[]
  }
}

interface Page extends Items<Import> {
  cursor: string
}

/** What somebody should look at. Here a model would read the documents, and sort them into folders. */
function tasksFor({ source, outcome, written, counts, losses, documents }: Import['data']): string[] {
  const [first] = documents
  const link = first === undefined ? '' : `, beginning with [${first.title}](block://${first.documentId})`
  const lost = Object.entries(losses).map(([kind, count]) => `${count} ${kind}`)
  return [
    ...(written > 0 ? [`Look at what was imported from ${source}${link}`] : []),
    ...(outcome === 'done' ? [] : [`Repeat the import of ${source}, which ended as ${outcome}`]),
    ...((counts.conflicts ?? 0) > 0 ? [`Decide ${counts.conflicts} conflicts in ${source}`] : []),
    ...(lost.length > 0 ? [`Check what was lost in ${source}: ${lost.join(', ')}`] : []),
  ]
}

// An idempotency key made of the event: an event that arrives twice adds its tasks once.
async function addTasks({ eventId, data }: Import): Promise<void> {
  const tasks = tasksFor(data).map((markdown) => ({ markdown, location: { type: 'inbox' } }))
  if (tasks.length > 0) await call('POST /tasks', { tasks }, eventId)
  console.log(`${data.source}: tasks added: ${tasks.length}`)
}

let { cursor } = await call<Page>('GET /events?name=import.ended')
console.log('listening')
for (;;) {
  const page = await call<Page>(`GET /events?name=import.ended&wait=25&cursor=${cursor}`)
  for (const event of page.items) await addTasks(event)
  cursor = page.cursor
}
