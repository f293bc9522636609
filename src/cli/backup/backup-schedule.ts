/** Automatic backups of all spaces of a server, at regular intervals. */

import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { listBackups } from '../../../storage/sqlite/copies/backup.ts'
import { readSpaceId } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { inBackground } from '../../base/background.ts'
import { messageOf } from '../../base/errors.ts'
import type { BackupReport, BackupRequest } from './backup-command.ts'

/** Milliseconds between checks for due backups, and until a failed backup is retried. */
const CHECK_INTERVAL_MS = 60_000
const RETRY_DELAY_MS = 10 * 60_000

export interface ScheduleOptions {
  /** The current files of spaces. */
  files(): readonly string[]
  /** The folder for backups, which must exist. */
  to: string
  /** Milliseconds between two backups of a space. */
  every: number
  /** Number of backups to keep per space; all if absent. */
  keep?: number
  /** Receives a line for each backup that was made. */
  note(sentence: string): void
  /** Receives a line for each backup that failed. */
  report(sentence: string): void
  clock?: () => number
  /** Backs up one space; in a worker thread by default. */
  backUpSpace?(request: BackupRequest): Promise<BackupReport>
}

export interface BackupState {
  /** When the space whose last backup is the oldest was backed up, in milliseconds since 1970; 0 if one has none. */
  oldestAt: number
  /** Bytes of the last backup of each space, without the folders of their files. */
  bytes: number
  /** The number of spaces whose last backup failed. */
  failing: number
}

/** The backups of one space. All times are in milliseconds. */
export interface SpaceBackups {
  everyMs: number
  /** The last one, without the folder of its files; undefined if there is none. */
  last: { at: number; bytes: number } | undefined
  /** When the last attempt failed, if it did. */
  failedAt: number | undefined
}

/** Reads the last backup times from the backup folder, so that a server that restarts keeps the schedule. */
export class BackupSchedule {
  readonly #options: ScheduleOptions
  readonly #timer: NodeJS.Timeout
  /** Files whose backup failed, with the time of the attempt. */
  readonly #failedAt = new Map<string, number>()
  /** Backups from the future that were reported. */
  readonly #reported = new Set<string>()
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.runInBackground(), CHECK_INTERVAL_MS).unref()
  }

  /** Like {@link runDue}, without waiting. */
  runInBackground(): void {
    inBackground('make backups', () => this.runDue(), this.#options.report)
  }

  /** Makes due backups, one space after another. Resolves when all are done; never rejects. */
  runDue(): Promise<void> {
    this.#running ??= this.#backUpDue().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** The last backups of the spaces, as the backup folder has them. */
  state(): BackupState {
    const { files, to, clock = Date.now } = this.#options
    const now = clock()
    const last = files().map((file) => listBackups(file, to).findLast(({ at }) => at <= now))
    const sizes = last.map((backup) => (backup && statSync(backup.path, { throwIfNoEntry: false })?.size) ?? 0)
    return {
      oldestAt: Math.min(...last.map((backup) => backup?.at ?? 0)),
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      failing: this.#failedAt.size,
    }
  }

  /** The backups of one space, as the backup folder has them. */
  backupsOf(file: string): SpaceBackups {
    const { to, every, clock = Date.now } = this.#options
    const last = listBackups(file, to, clock()).at(-1)
    const bytes = (last && statSync(last.path, { throwIfNoEntry: false })?.size) ?? 0
    return { everyMs: every, last: last && { at: last.at, bytes }, failedAt: this.#failedAt.get(file) }
  }

  /** Waits for a running backup. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #backUpDue(): Promise<void> {
    const { files, to, keep, note, report, clock = Date.now, backUpSpace = backUpInWorker } = this.#options
    try {
      for (const file of files()) {
        const now = clock()
        if (this.#isClosed) return
        if (!this.#isDue(file, now)) continue
        const request = { file, to, now, ...(keep !== undefined && { keep }) }
        const { succeeded, sentences } = await backUpSpace(request).catch(failureReport)
        if (succeeded) this.#failedAt.delete(file)
        else this.#failedAt.set(file, now)
        for (const sentence of sentences) succeeded ? note(sentence) : report(sentence)
        if (!succeeded) report(`The backup of ${file} is tried again in ten minutes.`)
      }
    } catch (error) {
      for (const sentence of failureReport(error).sentences) report(sentence)
    }
  }

  #isDue(file: string, now: number): boolean {
    const { to, every } = this.#options
    const backups = listBackups(file, to)
    const last = backups.filter(({ at }) => at <= now).at(-1)
    for (const { path, at } of backups) if (at > now) this.#reportFuture(path)
    const failedAgo = now - (this.#failedAt.get(file) ?? -Infinity)
    return (last === undefined || now - last.at >= every) && (failedAgo >= RETRY_DELAY_MS || failedAgo < 0)
  }

  #reportFuture(path: string): void {
    if (this.#reported.has(path)) return
    this.#reported.add(path)
    this.#options.report(
      `The backup ${path} is named after a time to come, so the clock was ahead when it was made, or is behind now; it counts neither as the last backup nor among those that are kept.`,
    )
  }
}

const failureReport = (error: unknown): BackupReport => ({
  succeeded: false,
  sentences: [`Expected to back up, found this: ${messageOf(error)}`],
})

/** The files of spaces in a folder, whether or not they are open. */
export const listSpaceFiles = (folder: string): string[] => sortFolder(folder).spaces

/** The files of a folder whose names end in `.sqlite`: spaces, and others, which cannot be served. */
export function sortFolder(folder: string): { spaces: string[]; others: string[] } {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sqlite'))
  const files = names.sort().map((name) => join(folder, name))
  const spaces = files.filter((file) => readSpaceId(file) !== undefined)
  return { spaces, others: files.filter((file) => !spaces.includes(file)) }
}

export const notServed = (file: string): string =>
  `Expected a space in ${file}, found none that can be read; it is not served.`

/** The worker's module next to this one, as source or as built. */
const WORKER_FILE = new URL(`backup-worker${extname(import.meta.filename)}`, import.meta.url)

/** Backs up a space in a worker thread. */
export async function backUpInWorker(request: BackupRequest): Promise<BackupReport> {
  const worker = new Worker(WORKER_FILE, { workerData: request })
  // An error after the report, while the thread ends, changes nothing.
  worker.on('error', () => {})
  const [report] = await once(worker, 'message')
  return report as BackupReport
}
