/**
 * Imports over HTTP: one at a time per space. Their progress is stored in the space, so that any process that serves it
 * can report them. The process of an import renews it every few seconds; if it was killed, the import counts as stopped
 * once that time is over.
 */
import { randomUUID } from 'node:crypto'
import {
  deleteImportJob,
  importJobById,
  insertImportJob,
  runningImportJob,
  updateImportJob,
} from '../../../storage/import-jobs.ts'
import type { ImportJobRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { IMPORT_PROBLEMS_LENGTH, IMPORT_PROBLEMS_PER_ANSWER, IMPORTS_KEPT } from '../../base/limits.ts'
import { secondsLeft } from '../../import/import-options.ts'
import type { ImportReport } from '../../import/import-report.ts'
import type { ImportProblem } from '../../import/import-source.ts'
import type { ImportProgress } from '../../import/run-import.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'

/** The response about an import. */
export interface ImportStatus extends ImportOutcome {
  id: string
  name: string
  /**
   * `stopped` if the server ended before the import did, or a quota was used up. Sending the same zip again continues
   * it.
   */
  status: ImportJobRow['status']
  documents: { done: number; total: number }
  documentsPerSecond: number
  secondsLeft?: number
  /** What the import waits for, while it runs. */
  note?: string
}

interface ImportOutcome {
  /** Present once the import has ended, unless its server was killed. */
  report?: ImportReport
  /** The number of problems that the report leaves out. */
  problemsLeftOut?: number
  error?: { error: string; code: string }
}

/** Milliseconds after which progress is saved if there is any, and otherwise. */
const SAVE_MS = 1_000
const RENEW_MS = 5_000
/** Milliseconds after which an import that was not saved counts as stopped. */
const ALIVE_MS = 15_000
/** How far the clocks of two servers may differ. */
const CLOCK_DIFFERENCE_MS = ALIVE_MS

/** An import that this process runs. */
export class ImportJob {
  readonly id = randomUUID()
  readonly #space: OpenSpace
  readonly #name: string
  readonly #lost = new AbortController()
  #progress: Pick<ImportProgress, 'done' | 'total' | 'elapsed'> = { done: 0, total: 0, elapsed: 0 }
  #savedProgress = this.#progress
  /** The time (by the process's clock) until which no other process considers this import stopped. */
  #aliveUntil = performance.now() + ALIVE_MS
  #isPaced = false
  /** Seconds that it will take, before its first document is done. */
  #expected: number | undefined
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined

  private constructor(space: OpenSpace, name: string) {
    this.#space = space
    this.#name = name
  }

  /** @throws CONFLICT while another import of the space runs */
  static async begin(space: OpenSpace, name: string): Promise<ImportJob> {
    const job = new ImportJob(space, name)
    await space.write(OPERATOR_LINK, async ({ tx, now }) => {
      const running = await runningImportJob(tx)
      if (running !== undefined && isAlive(running, now)) throw otherRuns(running.id)
      // Also tells its process, if it still runs, that another import has begun.
      if (running !== undefined) await updateImportJob(tx, { ...running, status: 'stopped' })
      await insertImportJob(tx, job.#rowAt(now), IMPORTS_KEPT)
    })
    job.#timer = setInterval(() => {
      if (job.#isSaveDue()) job.#saving ??= job.#save().finally(() => (job.#saving = undefined))
    }, SAVE_MS).unref()
    return job
  }

  /** Aborted when another process may consider this import stopped, so that never two of a space run. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  get status(): ImportStatus {
    return statusOf({ ...this.#rowAt(0), outcome: this.#waiting })
  }

  /** @param isPaced  true if it had to wait for the limit of blocks */
  note({ done, total, elapsed }: ImportProgress, isPaced = false): void {
    this.#progress = { done, total, elapsed: Math.round(elapsed) }
    this.#isPaced ||= isPaced
  }

  /** @param seconds  that it will take, as is known before its first document is done */
  expect(seconds: number): void {
    this.#expected = seconds
  }

  /** @param isAborted  true if the server ended the import */
  async end({ stopped, ...report }: ImportReport, isAborted: boolean): Promise<void> {
    const outcome = { ...reported(report), ...(stopped && { error: stopped }) }
    await this.#finish(isAborted || stopped !== undefined ? 'stopped' : 'done', outcome)
  }

  async fail(error: unknown): Promise<void> {
    const isRefusal = error instanceof ScriptoriumError
    const message = isRefusal ? error.message : 'The import failed; the log of the server says why.'
    await this.#finish('failed', { error: { error: message, code: isRefusal ? error.code : 'INTERNAL_ERROR' } })
  }

  /** Removes a job that never started. */
  async drop(): Promise<void> {
    await this.#stopSaving()
    await this.#space
      .write(OPERATOR_LINK, ({ tx }) => deleteImportJob(tx, this.id))
      // Otherwise it counts as stopped soon.
      .catch(() => {})
  }

  async #finish(status: ImportJobRow['status'], outcome: ImportOutcome): Promise<void> {
    await this.#stopSaving()
    await this.#space.write(OPERATOR_LINK, ({ tx, now }) =>
      updateImportJob(tx, { ...this.#rowAt(now), status, outcome: JSON.stringify(outcome) }),
    )
  }

  async #stopSaving(): Promise<void> {
    clearInterval(this.#timer)
    await this.#saving
  }

  #isSaveDue(): boolean {
    return this.#progress !== this.#savedProgress || this.#aliveUntil - performance.now() < ALIVE_MS - RENEW_MS
  }

  async #save(): Promise<void> {
    const [progress, aliveUntil] = [this.#progress, performance.now() + ALIVE_MS]
    try {
      const isRunning = await this.#space.write(OPERATOR_LINK, ({ tx, now }) =>
        updateImportJob(tx, { ...this.#rowAt(now), outcome: this.#waiting }),
      )
      if (!isRunning) return this.#lost.abort()
      this.#savedProgress = progress
      this.#aliveUntil = aliveUntil
    } catch {
      // The next time tries again.
      if (performance.now() > this.#aliveUntil) this.#lost.abort()
    }
  }

  /** Its description while it runs, as JSON. */
  get #waiting(): string | null {
    const isExpected = this.#progress.done === 0 && this.#expected !== undefined
    if (!this.#isPaced && !isExpected) return null
    return JSON.stringify({
      ...(this.#isPaced && { note: PACED }),
      ...(isExpected && { secondsLeft: this.#expected }),
    })
  }

  #rowAt(now: number): Omit<ImportJobRow, 'n' | 'outcome'> {
    const state = { status: 'running' as const, aliveUntil: now + ALIVE_MS }
    return { id: this.id, name: this.#name, ...this.#progress, ...state }
  }
}

const otherRuns = (id: string) =>
  new ScriptoriumError(
    'CONFLICT',
    `Expected no other import of this space to run, found ${id}; ask GET /import/${id} until it is done.`,
  )

/** The ID of the import that runs in a space, whichever process runs it. */
export const runningImport = (space: OpenSpace): Promise<string | undefined> =>
  space.read(OPERATOR_LINK, async ({ tx, now }) => {
    const running = await runningImportJob(tx)
    return running !== undefined && isAlive(running, now) ? running.id : undefined
  })

/** @throws CONFLICT */
export async function assertNoImportRuns(space: OpenSpace): Promise<void> {
  const id = await runningImport(space)
  if (id !== undefined) throw otherRuns(id)
}

const PACED =
  'It takes at most half of the blocks that others leave of the limit of each minute, spread over it, so that they can go on meanwhile.'

/** What {@link ImportJob} gives. Databases cannot look for every text. */
const IMPORT_ID = /^[\da-f-]{36}$/

/** The progress or the report of one of the last imports of a space, whichever process ran it. @throws NOT_FOUND_ERROR */
export async function importStatus(space: OpenSpace, id: string): Promise<ImportStatus> {
  const { row, now } = await space.read(OPERATOR_LINK, async ({ tx, now }) => ({
    row: IMPORT_ID.test(id) ? await importJobById(tx, id) : undefined,
    now,
  }))
  if (row !== undefined) {
    const hasStopped = row.status === 'running' && !isAlive(row, now)
    return statusOf(hasStopped ? { ...row, status: 'stopped', outcome: null } : row)
  }
  throw new ScriptoriumError(
    'NOT_FOUND_ERROR',
    `Expected the ID of one of the last ${IMPORTS_KEPT} imports of this space, found ${id.slice(0, 100)}; send the zip again under the same name: what came in already is not written again.`,
  )
}

/** A time that is too far ahead was set by a wrong clock. It must not block other imports until then. */
function isAlive({ aliveUntil }: ImportJobRow, now: number): boolean {
  return aliveUntil > now && aliveUntil <= now + ALIVE_MS + CLOCK_DIFFERENCE_MS
}

function statusOf({ id, name, status, done, total, elapsed, outcome }: Omit<ImportJobRow, 'n' | 'aliveUntil'>) {
  const rate = done / Math.max(elapsed / 1000, 0.001)
  const left = status === 'running' && done > 0 ? { secondsLeft: secondsLeft({ done, total, elapsed }) } : {}
  const progress = { documents: { done, total }, documentsPerSecond: Math.round(rate), ...left }
  return {
    id,
    name,
    status,
    ...progress,
    ...(outcome === null ? {} : (JSON.parse(outcome) as ImportOutcome & Pick<ImportStatus, 'note' | 'secondsLeft'>)),
  }
}

/** The report with as many problems as are kept. */
function reported(report: ImportReport): ImportOutcome {
  const problems: ImportProblem[] = []
  let length = 0
  for (const problem of report.problems) {
    length += JSON.stringify(problem).length
    if (problems.length === IMPORT_PROBLEMS_PER_ANSWER || length > IMPORT_PROBLEMS_LENGTH) break
    problems.push(problem)
  }
  const problemsLeftOut = report.problems.length - problems.length
  return { report: { ...report, problems }, ...(problemsLeftOut > 0 && { problemsLeftOut }) }
}
