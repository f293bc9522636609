/**
 * Stores how much of its rate limits a space has used: a small database next to the space's file, so that counting and
 * the space's own transactions never wait for each other.
 */
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite, { type Database, type Statement } from 'better-sqlite3'
import { inBackground } from '../../src/base/background.ts'
import type { Usage, UsageWindow, UsageWindows } from '../usage.ts'
import { isBusy } from './open-database.ts'
import { openPrivateDatabase } from './private-files.ts'

/** Milliseconds that SQLite waits on this thread for a step of another process. */
const BUSY_TIMEOUT_MS = 5
/**
 * Milliseconds that a step waits in total. A step takes microseconds, so only a hanging process can delay it that long.
 */
const STEP_TIMEOUT_MS = 10_000
/** Milliseconds before a usage file that failed is tried again. Meanwhile this process counts on its own. */
const RETRY_AFTER_MS = 60_000

/**
 * Opens a usage file, which is created at the first step, or usage in memory (`:memory:`).
 *
 * A power failure can lose the last steps, but the end of a process cannot. That is acceptable, since usage is not user
 * data. For the same reason it never prevents a space from being served: a file that is damaged, read-only, locked for
 * long or of another program is left unchanged and reported once. For a minute this process counts on its own, then it
 * tries the file again.
 *
 * @param report  receives one sentence for the log
 */
export function openUsage(file: string, report: (sentence: string) => void = () => {}): Usage {
  return file === ':memory:' ? new InMemoryUsage() : new SharedUsage(file, report)
}

type UsageDecision = (used: UsageWindows) => UsageWindows

/** A queued step. */
interface Step {
  decide: UsageDecision
  resolve(used: UsageWindows): void
  reject(error: unknown): void
}

/** Result of a step: the stored windows after it, or the error that kept it from changing anything. */
type StepResult = { used: UsageWindows } | { error: unknown }

/** Applies steps in order. */
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

/** Usage counted by one process on its own. */
class InMemoryUsage implements Usage {
  #used: UsageWindows = { requests: undefined, blocks: undefined }
  readonly #linkUses = new Map<string, number>()

  async record(decide: UsageDecision): Promise<UsageWindows> {
    this.#used = decide(this.#used)
    return this.#used
  }

  recordAll(decides: readonly UsageDecision[]): StepResult[] {
    const { after, outcomes } = applyDecisions(this.#used, decides)
    this.#used = after
    return outcomes
  }

  noteLinkUse(link: string, at: number): void {
    this.#linkUses.set(link, at)
  }

  async linkUses(): Promise<ReadonlyMap<string, number>> {
    return this.#linkUses
  }

  close(): void {}
}

/** Steps per turn of the event loop that run at once, without batching. */
const MAX_STEPS_PER_TICK = 4

class SharedUsage implements Usage {
  readonly #file: string
  readonly #report: (sentence: string) => void
  readonly #fallback = new InMemoryUsage()
  #usageFile: UsageFile | undefined
  #queue: Step[] = []
  #isStepping = false
  /** Steps of this turn of the event loop that ran at once. */
  #immediateSteps = 0
  #isClosed = false
  /** Time of the next attempt to use the file, by `performance.now()`. */
  #retryAt = 0
  #lastReport = ''

  constructor(file: string, report: (sentence: string) => void) {
    this.#file = file
    this.#report = report
  }

  // Steps that wait at the same time share one transaction, which costs as much as one for a single step. The first few
  // steps in a turn of the event loop, such as both steps of one call, run at once. Later steps are batched.
  record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ decide, resolve, reject })
      if (this.#isStepping) return
      this.#isStepping = true
      inBackground('count requests', () => this.#stepAll(), this.#report)
    })
  }

  noteLinkUse(link: string, at: number): void {
    this.#tryFile((file) => file.noteLinkUse.run(link, at))
  }

  async linkUses(): Promise<ReadonlyMap<string, number>> {
    const rows = this.#tryFile((file) => file.linkUses.all()) ?? []
    return new Map(rows.map(({ link, at }) => [link, at]))
  }

  /** Runs work on the file, or does nothing if that fails: the last use of a link is not worth a wait or an error. */
  #tryFile<T>(work: (file: UsageFile) => T): T | undefined {
    if (this.#isClosed || performance.now() < this.#retryAt) return undefined
    try {
      this.#usageFile ??= openUsageFile(this.#file)
      return work(this.#usageFile)
    } catch (error) {
      if (error instanceof Sqlite.SqliteError || error instanceof UnusableUsageFile) return undefined
      throw error
    }
  }

  close(): void {
    this.#isClosed = true
    this.#closeFile()
  }

  async #stepAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const steps = this.#queue.splice(0)
      const outcomes = await this.#step(steps.map(({ decide }) => decide)).catch((error: unknown) => ({ error }))
      for (const [index, { resolve, reject }] of steps.entries()) {
        const outcome = Array.isArray(outcomes) ? (outcomes[index] as StepResult) : outcomes
        const complete = () => ('used' in outcome ? resolve(outcome.used) : reject(outcome.error))
        // One per turn, so that the continuation of one call does not interleave with that of others.
        if (steps.length === 1) complete()
        else setImmediate(complete)
      }
      if (steps.length === 1 && this.#canRunAtOnce()) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#isStepping = false
  }

  /** True if another step may run at once in this turn of the event loop. */
  #canRunAtOnce(): boolean {
    if (this.#immediateSteps === 0) setImmediate(() => (this.#immediateSteps = 0))
    this.#immediateSteps++
    return this.#immediateSteps < MAX_STEPS_PER_TICK && this.#queue.length === 0
  }

  // If many calls find the usage file locked, only one retries.
  async #step(decides: readonly UsageDecision[]): Promise<StepResult[]> {
    const deadline = performance.now() + STEP_TIMEOUT_MS
    for (let pause = 1; !this.#isClosed && performance.now() >= this.#retryAt; pause = Math.min(pause * 2, 16)) {
      try {
        this.#usageFile ??= openUsageFile(this.#file)
        const outcomes = this.#usageFile.record(decides)
        this.#lastReport = ''
        return outcomes
      } catch (error) {
        if (!(error instanceof Sqlite.SqliteError || error instanceof UnusableUsageFile)) throw error
        if (!isBusy(error) || performance.now() > deadline) this.#useFallback(error)
      }
      await delay(pause * (0.5 + Math.random() / 2))
    }
    return this.#fallback.recordAll(decides)
  }

  #useFallback({ message }: Error): void {
    this.#closeFile()
    this.#retryAt = performance.now() + RETRY_AFTER_MS
    const sentence = `Expected to count requests in ${this.#file}, found that it cannot be used (${message}); the limits hold for this process alone until it can. Unless it is another program's, delete it.`
    if (sentence !== this.#lastReport) this.#report(sentence)
    this.#lastReport = sentence
  }

  #closeFile(): void {
    this.#usageFile?.sqlite.close()
    this.#usageFile = undefined
  }
}

/** Not an error of SQLite itself, but just as final. */
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
  readonly noteLinkUse: Statement<[link: string, at: number]>
  readonly linkUses: Statement<[], { link: string; at: number }>

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
    this.noteLinkUse = sqlite.prepare(
      'INSERT INTO link_use VALUES (?, ?) ON CONFLICT (link) DO UPDATE SET at = max(at, excluded.at)',
    )
    this.linkUses = sqlite.prepare('SELECT link, at FROM link_use')
  }

  record(decides: readonly UsageDecision[]): StepResult[] {
    this.#begin.run()
    try {
      const before = toUsageWindows(this.#select.get())
      const { after, outcomes } = applyDecisions(before, decides)
      if (after !== before) this.#upsert.run(toRow(after))
      this.#commit.run()
      return outcomes
    } catch (error) {
      if (this.sqlite.inTransaction) this.#rollback.run()
      throw error
    }
  }
}

const toUsageWindows = (row: Row | undefined): UsageWindows => ({
  requests: toUsageWindow(row?.requests_start, row?.requests),
  blocks: toUsageWindow(row?.blocks_start, row?.blocks),
})

const toUsageWindow = (start: number | null = null, used = 0): UsageWindow | undefined =>
  start === null ? undefined : { start, used }

const toRow = ({ requests, blocks }: UsageWindows): Row => ({
  requests_start: requests?.start ?? null,
  requests: requests?.used ?? 0,
  blocks_start: blocks?.start ?? null,
  blocks: blocks?.used ?? 0,
})

/** `application_id` of a usage file: "ScrU" in ASCII. */
const APPLICATION_ID = 0x53637255
const VERSION = 1

// Checked before anything is changed: even WAL mode would change another program's file.
function openUsageFile(file: string): UsageFile {
  const sqlite = openSqlite(file)
  try {
    // In one snapshot, since another process may be creating it at this moment.
    if (sqlite.transaction(isNew).deferred(sqlite)) {
      // A step writes one page, and small pages are cheaper to copy.
      sqlite.pragma('page_size = 512')
      sqlite.pragma('journal_mode = WAL')
      sqlite.transaction(createTable).immediate(sqlite)
    }
    // Usage files from before this table have the same version, so that older programs can still read the rest.
    if (!hasLinkUses(sqlite)) sqlite.exec(LINK_USES)
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
    return openPrivateDatabase(file, { timeout: BUSY_TIMEOUT_MS })
  } catch (error) {
    // A missing folder causes a TypeError.
    if (error instanceof TypeError) throw new UnusableUsageFile(error.message)
    throw error
  }
}

/** @throws UnusableUsageFile for a file that is neither new nor a usage file */
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

const LINK_USES =
  'CREATE TABLE IF NOT EXISTS link_use (link TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID'

const hasLinkUses = (sqlite: Database): boolean =>
  sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'link_use'").get() !== undefined

// Checked again, since another process may have created it in the meantime.
function createTable(sqlite: Database): void {
  if (!isNew(sqlite)) return
  sqlite.exec(`
    CREATE TABLE usage (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      requests_start INTEGER, requests INTEGER NOT NULL,
      blocks_start INTEGER, blocks INTEGER NOT NULL
    ) STRICT;
    ${LINK_USES};
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${VERSION}`)
}
