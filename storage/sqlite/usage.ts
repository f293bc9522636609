/**
 * The ledger of what a space has used of its limits: a small database beside the space's file, so that counting never
 * waits for the space's own transactions, nor they for it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite, { type Database, type Statement } from 'better-sqlite3'
import { isBusy } from './open-database.ts'
import { openPrivateDatabase } from './private-files.ts'

/** What was used since `start`, in milliseconds since 1970. Whole numbers. */
export interface Window {
  start: number
  used: number
}

/** The last windows that were begun; whether they still run is for the reader to say. */
export interface UsageWindows {
  requests: Window | undefined
  blocks: Window | undefined
}

export interface Usage {
  /**
   * One step, while no other process can take one: `decide` is given what is recorded and returns what to record in
   * its place, the very same for no change. Nothing slow may happen in it, and a clock is read in it and not before,
   * since only then do the steps of all processes have one order.
   *
   * @returns what is recorded now
   * @throws what `decide` throws; nothing is changed then
   */
  record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows>
  /** Later steps are counted in memory alone. */
  close(): void
}

/** How long SQLite itself waits for another process's step, on this thread. Milliseconds. */
const BUSY_WAIT = 5
/** How long a step waits in all; a step takes microseconds, so that only a process that hangs holds it up so long. */
const STEP_WAIT = 10_000
/** How long a ledger that failed is left alone, milliseconds. Meanwhile this process counts for itself. */
const SHARED_REST_MS = 60_000

/**
 * The ledger of a file, made at the first step, or of one that is in memory (`:memory:`).
 *
 * It can lose the last steps at a power cut, never at the end of a process: a window's worth of limits is no data.
 * For the same reason it never keeps a space from being served. A file that is damaged, of another program, read-only
 * or held for long is left as it is and reported, once; for a minute this process counts alone, then it looks again.
 *
 * @param report  is given one sentence for the log
 */
export function openUsage(file: string, report: (sentence: string) => void = () => {}): Usage {
  return file === ':memory:' ? new InMemoryUsage() : new SharedUsage(file, report)
}

type UsageDecision = (used: UsageWindows) => UsageWindows

/** A step that waits for its turn. */
interface Step {
  decide: UsageDecision
  resolve(used: UsageWindows): void
  reject(error: unknown): void
}

/** What came of a step: what is recorded after it, or why it changed nothing. */
type StepResult = { used: UsageWindows } | { error: unknown }

/** Steps one after another. */
function applyDecisions(
  before: UsageWindows,
  decides: readonly UsageDecision[],
): { after: UsageWindows; outcomes: StepResult[] } {
  let after = before
  const outcomes = decides.map((decide): StepResult => {
    try {
      after = decide(after)
      return { used: after }
    } catch (error) {
      return { error }
    }
  })
  return { after, outcomes }
}

/** What one process counts by itself. */
class InMemoryUsage implements Usage {
  #used: UsageWindows = { requests: undefined, blocks: undefined }

  async record(decide: UsageDecision): Promise<UsageWindows> {
    this.#used = decide(this.#used)
    return this.#used
  }

  recordAll(decides: readonly UsageDecision[]): StepResult[] {
    const { after, outcomes } = applyDecisions(this.#used, decides)
    this.#used = after
    return outcomes
  }

  close(): void {}
}

/** Steps in one turn of the event loop that go by themselves. */
const MAX_PER_TURN = 4

class SharedUsage implements Usage {
  readonly #file: string
  readonly #report: (sentence: string) => void
  readonly #own = new InMemoryUsage()
  #ledger: UsageFile | undefined
  #waiting: Step[] = []
  #isStepping = false
  /** Steps of this turn of the event loop that went by themselves. */
  #atOnce = 0
  #closed = false
  /** When the file is worth another look, by `performance.now()`. */
  #rested = 0
  #reported = ''

  constructor(file: string, report: (sentence: string) => void) {
    this.#file = file
    this.#report = report
  }

  // Steps that wait at the same time are taken in one transaction, which costs as much as any one of them alone: the
  // first few in a turn of the event loop, such as both of one call, go at once, what comes after them goes together.
  record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ decide, resolve, reject })
      if (this.#isStepping) return
      this.#isStepping = true
      void this.#stepAll()
    })
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  async #stepAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const steps = this.#waiting.splice(0)
      const outcomes = await this.#step(steps.map(({ decide }) => decide)).catch((error: unknown) => ({ error }))
      for (const [index, { resolve, reject }] of steps.entries()) {
        const outcome = Array.isArray(outcomes) ? (outcomes[index] as StepResult) : outcomes
        const tell = () => ('used' in outcome ? resolve(outcome.used) : reject(outcome.error))
        // One after another, so that what follows of one call does not get between that of others.
        if (steps.length === 1) tell()
        else setImmediate(tell)
      }
      if (steps.length === 1 && this.#goesAtOnce()) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#isStepping = false
  }

  /** Whether another step may go at once in this turn of the event loop. */
  #goesAtOnce(): boolean {
    if (this.#atOnce === 0) setImmediate(() => (this.#atOnce = 0))
    this.#atOnce++
    return this.#atOnce < MAX_PER_TURN && this.#waiting.length === 0
  }

  // Of many calls that find the ledger held only one asks again and again.
  async #step(decides: readonly UsageDecision[]): Promise<StepResult[]> {
    const deadline = performance.now() + STEP_WAIT
    for (let pause = 1; !this.#closed && performance.now() >= this.#rested; pause = Math.min(pause * 2, 16)) {
      try {
        this.#ledger ??= openUsageFile(this.#file)
        const outcomes = this.#ledger.record(decides)
        this.#reported = ''
        return outcomes
      } catch (error) {
        if (!(error instanceof Sqlite.SqliteError || error instanceof UnusableUsageFile)) throw error
        if (!isBusy(error) || performance.now() > deadline) this.#giveUp(error)
      }
      await delay(pause * (0.5 + Math.random() / 2))
    }
    return this.#own.recordAll(decides)
  }

  #giveUp({ message }: Error): void {
    this.#drop()
    this.#rested = performance.now() + SHARED_REST_MS
    const sentence = `Expected to count requests in ${this.#file}, found that it cannot be used (${message}); the limits hold for this process alone until it can. Unless it is another program's, delete it.`
    if (sentence !== this.#reported) this.#report(sentence)
    this.#reported = sentence
  }

  #drop(): void {
    this.#ledger?.sqlite.close()
    this.#ledger = undefined
  }
}

/** Not SQLite's own refusal, but as final. */
class UnusableUsageFile extends Error {}

interface Row {
  requests_start: number | null
  requests: number
  blocks_start: number | null
  blocks: number
}

class UsageFile {
  readonly sqlite: Database
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #rollback: Statement
  readonly #select: Statement<[], Row>
  readonly #upsert: Statement<[Row]>

  constructor(sqlite: Database) {
    this.sqlite = sqlite
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE')
    this.#commit = sqlite.prepare('COMMIT')
    this.#rollback = sqlite.prepare('ROLLBACK')
    this.#select = sqlite.prepare('SELECT requests_start, requests, blocks_start, blocks FROM usage WHERE one = 1')
    this.#upsert = sqlite.prepare(`
      INSERT INTO usage VALUES (1, :requests_start, :requests, :blocks_start, :blocks)
      ON CONFLICT (one) DO UPDATE SET
        requests_start = :requests_start, requests = :requests, blocks_start = :blocks_start, blocks = :blocks`)
  }

  record(decides: readonly UsageDecision[]): StepResult[] {
    this.#begin.run()
    try {
      const before = usedOf(this.#select.get())
      const { after, outcomes } = applyDecisions(before, decides)
      if (after !== before) this.#upsert.run(rowOf(after))
      this.#commit.run()
      return outcomes
    } catch (error) {
      if (this.sqlite.inTransaction) this.#rollback.run()
      throw error
    }
  }
}

const usedOf = (row: Row | undefined): UsageWindows => ({
  requests: windowOf(row?.requests_start, row?.requests),
  blocks: windowOf(row?.blocks_start, row?.blocks),
})

const windowOf = (start: number | null = null, used = 0): Window | undefined =>
  start === null ? undefined : { start, used }

const rowOf = ({ requests, blocks }: UsageWindows): Row => ({
  requests_start: requests?.start ?? null,
  requests: requests?.used ?? 0,
  blocks_start: blocks?.start ?? null,
  blocks: blocks?.used ?? 0,
})

/** `application_id` of a ledger: "ScrU" in ASCII. */
const APPLICATION_ID = 0x53637255
const VERSION = 1

// Looked at before anything is changed: WAL alone would be a change to another program's file.
function openUsageFile(file: string): UsageFile {
  const sqlite = openSqlite(file)
  try {
    // In one snapshot: another process may be making it between two looks.
    if (sqlite.transaction(isNew).deferred(sqlite)) {
      // A step writes one page: small ones are less to copy.
      sqlite.pragma('page_size = 512')
      sqlite.pragma('journal_mode = WAL')
      sqlite.transaction(makeTable).immediate(sqlite)
    }
    sqlite.pragma('synchronous = NORMAL')
    sqlite.pragma('trusted_schema = 0')
    return new UsageFile(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function openSqlite(file: string): Database {
  try {
    return openPrivateDatabase(file, { timeout: BUSY_WAIT })
  } catch (error) {
    // A folder that is not there is a TypeError.
    if (error instanceof TypeError) throw new UnusableUsageFile(error.message)
    throw error
  }
}

/** @throws UnusableUsageFile for what is neither new nor a ledger */
function isNew(sqlite: Database): boolean {
  const application = sqlite.pragma('application_id', { simple: true })
  const version = sqlite.pragma('user_version', { simple: true })
  if (application === APPLICATION_ID && version === VERSION) return false
  if (application === APPLICATION_ID) throw new UnusableUsageFile('it is of another version of Scriptorium')
  const tables = sqlite.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (application !== 0 || version !== 0 || tables !== 0)
    throw new UnusableUsageFile('it is the database of another program')
  return true
}

// Looked at again, since another process may have made it in the meantime.
function makeTable(sqlite: Database): void {
  if (!isNew(sqlite)) return
  sqlite.exec(`
    CREATE TABLE usage (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      requests_start INTEGER, requests INTEGER NOT NULL,
      blocks_start INTEGER, blocks INTEGER NOT NULL
    ) STRICT;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${VERSION}`)
}
