/** What history costs a write, and how long undo and reading the past take. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'
import { addDocument, inFolder, newBlocks, openWorkbench } from './workbench.ts'

const ROUNDS = 150
const NOTE = Array.from({ length: 20 }, (_, index) => `paragraph ${index} with some words in it`).join('\n\n')
const DELETED_BLOCKS = 10_000
const CHANGES = 1_000

type Workbench = Awaited<ReturnType<typeof openWorkbench>>

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const [file, bareFile] = [join(folder, 'logged.sqlite'), join(folder, 'bare.sqlite')]
    await (await openWorkbench(bareFile)).close()
    dropLog(bareFile)
    const [ours, bare] = [await openWorkbench(file), await openWorkbench(bareFile)]
    const added = await interleaved(ROUNDS, addNote(ours), addNote(bare))
    const figures: Figure[] = [
      {
        what: 'documents_add of 20 blocks',
        floor: 'no log of changes',
        ...added,
        unit: 'ms CPU',
        goal: { of: 'ratio', most: 1.15 },
      },
    ]
    await bare.close()
    const undo = await undoOfDeletion(ours)
    const past = await readingThePast(ours)
    await ours.close()
    const [size, bareSize] = [file, bareFile].map((one) => statSync(one).size) as [number, number]
    const notes = [`The file after ${ROUNDS} notes and the rest: ${size} bytes; after the notes alone: ${bareSize}.`]
    return { figures: [...figures, undo, past], notes }
  })

/** Drops the history triggers of a space. */
function dropLog(file: string): void {
  const sqlite = new Sqlite(file)
  const triggers = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%logged%'")
  for (const name of triggers.pluck().all()) sqlite.exec(`DROP TRIGGER ${name}`)
  sqlite.close()
}

/** Returns the milliseconds of processor time for adding a note. */
const addNote = (bench: Workbench) => async (): Promise<number> => {
  const before = process.cpuUsage()
  await bench.call('documents_add', { documents: [{ title: 'Note', markdown: NOTE }] })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

interface Answer {
  items: { id: string; callId: string }[]
}
const ask = async (bench: Workbench, tool: string, args: object): Promise<Answer> =>
  (await bench.call(tool, args)) as Answer

const lastCall = async (bench: Workbench): Promise<string> =>
  (await ask(bench, 'history_list', { limit: 1, format: 'json' })).items[0]?.callId ?? ''

/** Measures the longest read of another document while the deletion of many blocks is undone. */
async function undoOfDeletion(bench: Workbench): Promise<Figure> {
  const other = await addDocument(bench, 'Other')
  const pageId = await addDocument(bench, 'Many')
  const { items } = await ask(bench, 'blocks_add', {
    ...{ blocks: newBlocks(DELETED_BLOCKS), position: { position: 'end', pageId }, answer: 'ids' },
  })
  await bench.call('blocks_delete', { blockIds: items.map(({ id }) => id) })
  const call = await lastCall(bench)
  const alone = await timed(() => bench.call('blocks_get', { id: other }))
  let [isDone, longest] = [false, 0]
  const reading = (async () => {
    while (!isDone) {
      longest = Math.max(longest, await timed(() => bench.call('blocks_get', { id: other })))
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  await bench.call('history_undo', { calls: [call] })
  isDone = true
  await reading
  const what = `longest read while a deletion of ${DELETED_BLOCKS.toLocaleString('en-US')} blocks is undone`
  return {
    what,
    floor: 'read alone',
    ours: longest,
    bare: alone,
    unit: 'ms',
    ratio: longest / alone,
    goal: { of: 'ours', most: 100 },
  }
}

async function readingThePast(bench: Workbench): Promise<Figure> {
  const id = await addDocument(bench, 'Past')
  const markdown = Array.from({ length: CHANGES }, (_, index) => `paragraph ${index}`).join('\n\n')
  const { items } = await ask(bench, 'blocks_add', { markdown, position: { position: 'end', pageId: id } })
  const at = await lastCall(bench)
  for (const [index, item] of items.entries())
    await bench.call('blocks_update', { blocks: [{ id: item.id, markdown: `changed ${index}` }] })
  const bare = await timed(() => bench.call('blocks_get', { id }))
  const ours = await timed(() => bench.call('blocks_get', { id, at }))
  const what = `blocks_get of ${CHANGES} blocks, ${CHANGES} changes ago`
  return { what, floor: 'read now', ours, bare, unit: 'ms', ratio: ours / bare, goal: { of: 'ours', most: 200 } }
}
