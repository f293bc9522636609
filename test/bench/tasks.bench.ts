/** Tasks: the first page of each scope, and completing a task compared with a bare update in a transaction. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Figure, interleaved, type Measure, median, timed } from './figure.ts'
import { addDocument, inFolder, openWorkbench, type Workbench } from './workbench.ts'

const DOCUMENTS = 1_000
/** How many of the documents are daily notes. */
const NOTES = 250
const TASKS = 100
/** The number of tasks in the inbox, and in the logbook. */
const KEPT = 1_000
const ROUNDS = 40
const COMPLETED = 300
const DAY = 86_400_000

const SCOPES = {
  full: ['active', 'upcoming', 'undated', 'inbox', 'logbook', 'document', 'all'],
  daily: ['active', 'upcoming', 'undated', 'inbox', 'logbook'],
} as const

const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

/** Most tasks are open, a quarter have no date, and the others are scheduled from 200 days ago to 200 days ahead. */
function newTask(index: number): object {
  const state = index % 5 < 3 ? 'todo' : index % 5 === 3 ? 'done' : 'canceled'
  const taskInfo = index % 4 === 0 ? { state } : { state, scheduleDate: dayFromNow(((index * 37) % 401) - 200) }
  return { type: 'text', listStyle: 'task', markdown: `Task ${index} that somebody is to do some day`, taskInfo }
}

async function fill(bench: Workbench): Promise<string> {
  let document = ''
  for (let count = 0; count < DOCUMENTS; count++) {
    const blocks = Array.from({ length: TASKS }, (_, index) => newTask(count * TASKS + index))
    const isNote = count < NOTES
    if (!isNote) document = await addDocument(bench, `Document ${count}`)
    const position = isNote ? { position: 'end', date: dayFromNow(-count) } : { position: 'end', pageId: document }
    await bench.call('blocks_add', { blocks, position, answer: 'ids' })
  }
  for (const state of ['todo', 'done']) {
    const tasks = Array.from({ length: KEPT }, (_, index) => ({ markdown: `Kept ${index}`, taskInfo: { state } }))
    await bench.call('tasks_add', { tasks })
  }
  return document
}

async function firstPages(file: string, kind: 'full' | 'daily', documentId: string): Promise<Figure[]> {
  const bench = await openWorkbench(file, kind)
  const figures: Figure[] = []
  for (const scope of SCOPES[kind]) {
    const times: number[] = []
    const args = scope === 'document' ? { scope, documentId } : { scope }
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => bench.call('tasks_list', args)))
    const ours = median(times)
    const what = `tasks_list ${scope}, first 100, ${kind}, p50`
    figures.push({
      what,
      floor: 'none',
      ours,
      bare: Number.NaN,
      unit: 'ms',
      ratio: Number.NaN,
      goal: { of: 'ours', most: 5 },
    })
  }
  await bench.close()
  return figures
}

/** Both end with a durable commit. */
async function completing(file: string): Promise<Figure> {
  const bench = await openWorkbench(file)
  const sqlite = new Sqlite(file)
  sqlite.pragma('synchronous = FULL')
  const { items } = await bench.call<{ items: { id: string }[] }>('tasks_list', { scope: 'all', limit: 1000 })
  const update = sqlite.prepare('UPDATE block SET attributes = ?, modified_at = ?, modified_by = ? WHERE id = ?')
  const bareUpdate = sqlite.transaction((id: string, round: number) =>
    update.run(`{"taskInfo":{"state":"${round % 2 ? 'todo' : 'done'}"}}`, Date.now(), 'bench', id),
  )
  let [round, bareRound] = [0, 0]
  const result = await interleaved(
    COMPLETED,
    () => {
      const id = items[round % 500]?.id
      const state = Math.floor(round / 500) % 2 === 0 ? 'done' : 'todo'
      round++
      return timed(() => bench.call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { state } }] }))
    },
    () => timed(() => bareUpdate.immediate(items[500 + (bareRound % 500)]?.id ?? '', bareRound++)),
  )
  sqlite.close()
  await bench.close()
  return {
    what: 'tasks_update, completing one',
    floor: 'bare update',
    ...result,
    unit: 'ms',
    goal: { of: 'ratio', most: 2 },
  }
}

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const file = join(folder, 'space.sqlite')
    const bench = await openWorkbench(file)
    const document = await fill(bench)
    await bench.close()
    return {
      figures: [
        ...(await firstPages(file, 'full', document)),
        ...(await firstPages(file, 'daily', document)),
        await completing(file),
      ],
    }
  })
