/**
 * Migrates the file of a space in a worker thread. SQLite runs each statement to its end on the thread that calls it, so
 * the migration of a large space would stop all others that the process serves.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describeMigration, type MigrationProgress, type ReportMigration } from '../../storage/migration-progress.ts'
import { isLongMigration } from '../../storage/sqlite/long-migration.ts'
import { UnusableFile } from '../../storage/sqlite/unusable-file.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import type { ErrorCode } from '../base/errors.ts'

/** Bytes from which a file is migrated in a thread. Smaller ones take less than the start of the thread. */
const MIN_SIZE = 2 * 1024 * 1024

export interface MigrationRequest {
  file: string
  keepsCopy: boolean
}

/** A message from the thread. The last one is `isDone` or `failure`. */
export type MigrationMessage =
  | { progress: MigrationProgress }
  | { sentence: string }
  | { isDone: true }
  | { failure: MigrationFailure }

export type MigrationFailure =
  | { kind: 'unusable' | 'other'; message: string }
  | { kind: 'disk'; message: string; code: ErrorCode; reason: string }

export interface MigrateOptions {
  /** True to keep a copy next to the file before a migration rebuilds its tables. Default: true. */
  keepsCopy?: boolean
  /** Receives a sentence about each step, and about a copy that was kept. */
  report?(sentence: string): void
  /** Is called before the migration, and with each step. Not called for a file that is migrated quickly. */
  onMigration?: ReportMigration
  /** Ends a migration that runs. Nothing is changed then. */
  signal?: AbortSignal
}

/**
 * Migrates and indexes a large file if it needs that. Afterwards opening it is quick.
 *
 * @param file  path without symbolic links
 * @throws {UnusableFile} if the file cannot be migrated; StorageFault if the disk fails; the reason of the signal
 */
export async function migrateInWorker(
  file: string,
  { keepsCopy = true, report, onMigration, signal }: MigrateOptions = {},
): Promise<void> {
  if (file === ':memory:' || !isLongMigration(file, MIN_SIZE)) return
  let step: MigrationProgress['step'] | undefined
  const advance = (progress: MigrationProgress) => {
    onMigration?.(progress)
    // One line per step, not one per schema or per part of the index.
    if (progress.step !== step) report?.(`${file} is being migrated before it is used: ${describeMigration(progress)}.`)
    step = progress.step
  }
  advance({ step: 'beginning' })
  await runWorker({ file, keepsCopy }, signal, (message) => {
    if ('progress' in message) advance(message.progress)
    else if ('sentence' in message) report?.(message.sentence)
  })
}

/** The worker's module next to this one, as source or as built. */
const WORKER_FILE = new URL(`migration-worker${extname(import.meta.filename)}`, import.meta.url)

function runWorker(
  workerData: MigrationRequest,
  signal: AbortSignal | undefined,
  receive: (message: MigrationMessage) => void,
): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const worker = new Worker(WORKER_FILE, { workerData })
  const stop = () => {
    reject(signal?.reason)
    // Waits for the current statement; the transaction is rolled back.
    worker.terminate().catch(reject)
  }
  signal?.addEventListener('abort', stop, { once: true })
  worker.on('message', (message: MigrationMessage) => {
    if ('isDone' in message) resolve()
    else if ('failure' in message) reject(errorOf(message.failure))
    else receive(message)
  })
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`Expected the migration to end, found its thread ended (${code}).`)))
  return promise.finally(() => signal?.removeEventListener('abort', stop))
}

function errorOf(failure: MigrationFailure): Error {
  if (failure.kind === 'unusable') return new UnusableFile(failure.message)
  if (failure.kind === 'disk') return new StorageFault(failure.code, failure.message, new Error(failure.reason))
  return new Error(failure.message)
}
