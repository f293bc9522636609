/** Processes that write to one file concurrently, with the tools' own code or bare SQLite. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import Sqlite from 'better-sqlite3'
import { newSpace } from './http-requests.ts'
import { openWorkbench } from './workbench.ts'

/** What a process writes: blocks of a space with `blocks_add`, or rows of a bare database. */
export type Way = 'space' | 'bare'

export interface WriteTarget {
  file: string
  /** The page that blocks are added to. */
  pageId?: string
}

export interface Written {
  /** Writes per second of all processes together. */
  rate: number
  /** The longest write in milliseconds, including waits for other processes. */
  longest: number
}

export interface Writers {
  /** Writes for this number of milliseconds. */
  run(time: number): Promise<Written>
  close(): void
}

/** Creates the file to write to. */
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
      const responses = await Promise.all(children.map((child) => ask(child, time)))
      const written = responses.reduce((sum, { count }) => sum + count, 0)
      return { rate: (written * 1000) / time, longest: Math.max(...responses.map(({ longest }) => longest)) }
    },
    close: () => children.forEach((child) => void child.disconnect()),
  }
}

/** The results of one process. */
interface WriterResult {
  count: number
  longest: number
}

async function ask(child: ChildProcess, time: number): Promise<WriterResult> {
  child.send(time)
  const [result] = (await once(child, 'message')) as [WriterResult]
  return result
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const [way, target] = process.argv.slice(2) as [Way, string]
  const write = await (way === 'space' ? spaceWriter : bareWriter)(JSON.parse(target))
  process.on('message', async (time: number) => {
    let before = performance.now()
    const until = before + time
    const result: WriterResult = { count: 0, longest: 0 }
    while (before < until) {
      await write()
      const now = performance.now()
      result.longest = Math.max(result.longest, now - before)
      result.count++
      before = now
    }
    process.send?.(result)
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

/** Opens a database with the same durability and timeout as a space's connection for writing. */
function openBare(file: string): Sqlite.Database {
  const sqlite = new Sqlite(file, { timeout: 30_000 })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  return sqlite
}
