/** Backups that a server makes by itself: of each of its spaces, after so much time. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { listBackups } from '../../../storage/sqlite/copies/backup.ts'
import { readSpaceId } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import type { BackupReport, BackupRequest } from './backup-command.ts'

/** Milliseconds between looks at what is due, and after which a backup that failed is tried again. */
const CHECK_INTERVAL_MS = 60_000
const RETRY_DELAY_MS = 10 * 60_000

export interface ScheduleOptions {
  /** The files of the spaces, as they are at the moment. */
  files(): readonly string[]
  /** The folder of the backups, which must be there. */
  to: string
  /** Milliseconds from one backup of a space to the next. */
  every: number
  /** How many backups of a space are kept; all without. */
  keep?: number
  /** Receives a sentence for each backup, and for each that failed. */
  report(sentence: string): void
  clock?: () => number
  /** Backs up one space; on a thread of its own without. */
  backUpSpace?(request: BackupRequest): Promise<BackupReport>
}

/** Read from the folder of backups, so that a server that restarts keeps the schedule. */
export class BackupSchedule {
  readonly #options: ScheduleOptions
  readonly #timer: NodeJS.Timeout
  /** Files whose backup failed, and when to try again. */
  readonly #retryAt = new Map<string, number>()
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.runDue(), CHECK_INTERVAL_MS).unref()
  }

  /** Back up what is due, one space after another. Resolves when that is done; never rejects. */
  runDue(): Promise<void> {
    this.#running ??= this.#backUpDue().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Waits for the backup that is being made. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #backUpDue(): Promise<void> {
    const { files, to, keep, report, clock = Date.now, backUpSpace = backUpInWorker } = this.#options
    try {
      for (const file of files()) {
        const now = clock()
        if (this.#isClosed) return
        if (!this.#isDue(file, now)) continue
        const request = { file, to, now, ...(keep !== undefined && { keep }) }
        const { succeeded, sentences } = await backUpSpace(request).catch(failureReport)
        if (succeeded) this.#retryAt.delete(file)
        else this.#retryAt.set(file, now + RETRY_DELAY_MS)
        for (const sentence of sentences) report(sentence)
        if (!succeeded) report(`The backup of ${file} is tried again in ten minutes.`)
      }
    } catch (error) {
      for (const sentence of failureReport(error).sentences) report(sentence)
    }
  }

  #isDue(file: string, now: number): boolean {
    const { to, every } = this.#options
    const last = listBackups(file, to).at(-1)
    return (last === undefined || now - last.at >= every) && now >= (this.#retryAt.get(file) ?? 0)
  }
}

const failureReport = (error: unknown): BackupReport => ({
  succeeded: false,
  sentences: [`Expected to back up, found this: ${error instanceof Error ? error.message : String(error)}`],
})

/** The spaces in a folder, whether they are open or not. */
export const listSpaceFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => readSpaceId(file) !== undefined)

/** The file of the worker, in the folder of this one, as source or as built. */
const WORKER_FILE = new URL(`backup-worker${extname(import.meta.filename)}`, import.meta.url)

/** Back up a space on a thread of its own. */
export async function backUpInWorker(request: BackupRequest): Promise<BackupReport> {
  const worker = new Worker(WORKER_FILE, { workerData: request })
  const [report] = await once(worker, 'message')
  return report as BackupReport
}
