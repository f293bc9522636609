/** Processes that write to one file at the same time: with the tools' own code, or bare SQLite. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import Sqlite from 'better-sqlite3'
import { newSpace } from './http-requests.ts'
import { openWorkbench } from './workbench.ts'

/** What a process writes: blocks of a space with `blocks_add`, or rows of a bare database. */
export type Way = 'space' | 'bare'

export interface WriteTarget {
  file: string
  /** Where blocks go. */
  pageId?: string
}

export interface Writers {
  /** Writes for so many milliseconds; resolves to the writes in a second of all processes. */
  run(time: number): Promise<number>
  close(): void
}

/** Makes the file that is written to. */
export async function newFile(way: Way, file: string): Promise<WriteTarget> {
  if (way === 'space') return newSpace(file)
  const sqlite = openBare(file)
  sqlite.exec('CREATE TABLE line (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  sqlite.close()
  return { file }
}

export async function startWriters(way: Way, target: WriteTarget, count: number): Promise<Writers> {
  const children = Array.from({ length: count }, () =>
    fork(import.meta.filename, [way, JSON.stringify(target)], { execArgv: [] }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  return {
    async run(time) {
      const counts = await Promise.all(children.map((child) => ask(child, time)))
      return (counts.reduce((sum, written) => sum + written, 0) * 1000) / time
    },
    close: () => children.forEach((child) => void child.disconnect()),
  }
}

async function ask(child: ChildProcess, time: number): Promise<number> {
  child.send(time)
  const [written] = (await once(child, 'message')) as [number]
  return written
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const [way, target] = process.argv.slice(2) as [Way, string]
  const write = await (way === 'space' ? spaceWriter : bareWriter)(JSON.parse(target))
  process.on('message', async (time: number) => {
    const until = performance.now() + time
    let written = 0
    for (; performance.now() < until; written++) await write()
    process.send?.(written)
  })
  process.send('ready')
}

async function spaceWriter({ file, pageId }: WriteTarget): Promise<() => Promise<unknown>> {
  const { call } = await openWorkbench(file)
  const adding = { blocks: [{ type: 'text', markdown: 'A line.' }], position: { position: 'end', pageId } }
  return () => call('blocks_add', adding)
}

function bareWriter({ file }: WriteTarget): () => void {
  const sqlite = openBare(file)
  const insert = sqlite.prepare<[string]>('INSERT INTO line (text) VALUES (?)')
  return sqlite.transaction(() => void insert.run('A line.')).immediate
}

/** As durable, and as patient, as the connection that writes to a space. */
function openBare(file: string): Sqlite.Database {
  const sqlite = new Sqlite(file, { timeout: 30_000 })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  return sqlite
}
