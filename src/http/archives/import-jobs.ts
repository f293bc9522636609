/** Imports over HTTP: one at a time per space, with progress while they run. */
import { randomUUID } from 'node:crypto'
import { ScriptoriumError } from '../../base/errors.ts'
import { IMPORT_PROBLEMS_PER_ANSWER, IMPORTS_KEPT } from '../../base/limits.ts'
import type { ImportReport } from '../../import/import-report.ts'
import type { ImportProgress } from '../../import/run-import.ts'

/** The response about an import. */
export interface ImportStatus {
  id: string
  name: string
  /** `stopped` if the server or the link ended before the import did. Sending the same zip again continues it. */
  status: 'running' | 'done' | 'failed' | 'stopped'
  documents: { done: number; total: number }
  documentsPerSecond: number
  secondsLeft?: number
  /** Present once the import has ended. */
  report?: ImportReport
  /** The number of problems that the report leaves out. */
  problemsLeftOut?: number
  error?: { error: string; code: string }
}

export class ImportJob {
  readonly id = randomUUID()
  readonly #name: string
  #status: ImportStatus['status'] = 'running'
  #progress: Pick<ImportProgress, 'done' | 'total' | 'elapsed'> = { done: 0, total: 0, elapsed: 0 }
  #report: ImportReport | undefined
  #error: ImportStatus['error']

  constructor(name: string) {
    this.#name = name
  }

  get isRunning(): boolean {
    return this.#status === 'running'
  }

  note({ done, total, elapsed }: ImportProgress): void {
    this.#progress = { done, total, elapsed }
  }

  end(report: ImportReport, isStopped: boolean): void {
    this.#report = report
    this.#status = isStopped ? 'stopped' : 'done'
  }

  fail(error: unknown): void {
    this.#status = 'failed'
    const isRefusal = error instanceof ScriptoriumError
    const message = isRefusal ? error.message : 'The import failed; the log of the server says why.'
    this.#error = { error: message, code: isRefusal ? error.code : 'INTERNAL_ERROR' }
  }

  get status(): ImportStatus {
    const { done, total, elapsed } = this.#progress
    const rate = done / Math.max(elapsed / 1000, 0.001)
    const left = this.isRunning && done > 0 ? { secondsLeft: Math.ceil((total - done) / rate) } : {}
    const status = { id: this.id, name: this.#name, status: this.#status, documents: { done, total } }
    return {
      ...{ ...status, documentsPerSecond: Math.round(rate), ...left },
      ...(this.#report !== undefined && reported(this.#report)),
      ...(this.#error !== undefined && { error: this.#error }),
    }
  }
}

function reported(report: ImportReport): Pick<ImportStatus, 'report' | 'problemsLeftOut'> {
  const { problems } = report
  const leftOut = problems.length - IMPORT_PROBLEMS_PER_ANSWER
  if (leftOut <= 0) return { report }
  return { report: { ...report, problems: problems.slice(0, IMPORT_PROBLEMS_PER_ANSWER) }, problemsLeftOut: leftOut }
}

/** The imports of all spaces of a server. */
export class ImportJobs {
  /** By space ID. */
  readonly #jobs = new Map<string, ImportJob[]>()

  /** @throws CONFLICT while another import of the space runs */
  begin(space: string, name: string): ImportJob {
    const jobs = this.#jobs.get(space) ?? []
    const running = jobs.find(({ isRunning }) => isRunning)
    if (running !== undefined) {
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected no other import of this space to run, found ${running.id}; ask GET /import/${running.id} until it is done.`,
      )
    }
    const job = new ImportJob(name)
    this.#jobs.set(space, [...jobs, job].slice(-IMPORTS_KEPT))
    return job
  }

  /** Removes a job that never started. */
  drop(space: string, job: ImportJob): void {
    const jobs = this.#jobs.get(space) ?? []
    this.#jobs.set(
      space,
      jobs.filter((one) => one !== job),
    )
  }

  /** @throws NOT_FOUND_ERROR */
  find(space: string, id: string): ImportJob {
    const job = this.#jobs.get(space)?.find((one) => one.id === id)
    if (job !== undefined) return job
    throw new ScriptoriumError(
      'NOT_FOUND_ERROR',
      `Expected the ID of an import of this space that this server took, found ${id.slice(0, 100)}; a server forgets imports when it ends, and all but the last ${IMPORTS_KEPT}. Ask the server that took the zip where there are several; otherwise send the zip again under the same name: what came in already is not written again.`,
    )
  }
}
