/** The worker thread that migrates the file of a space: see `migrate-in-worker.ts`. */

import { parentPort, workerData } from 'node:worker_threads'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import { UnusableFile } from '../../storage/sqlite/unusable-file.ts'
import { messageOf } from '../base/errors.ts'
import type { MigrationMessage, MigrationRequest } from './migrate-in-worker.ts'

const { file, keepsCopy } = workerData as MigrationRequest

const post = (message: MigrationMessage) => parentPort?.postMessage(message)

async function migrate(): Promise<void> {
  const words = async () => (await import('./search/indexed-text.ts')).indexedText
  const storage = await openStorage(file, words, {
    keepsCopy,
    report: (sentence) => post({ sentence }),
    onMigration: (progress) => post({ progress }),
  })
  await storage.close()
}

/** Only the properties of an error that the caller needs are sent, since a thread sends errors without their class. */
function failureOf(error: unknown): MigrationMessage {
  const message = messageOf(error)
  if (error instanceof UnusableFile) return { failure: { kind: 'unusable', message } }
  const fault = toDiskError(error)
  if (fault === undefined) return { failure: { kind: 'other', message } }
  return { failure: { kind: 'disk', message: fault.message, code: fault.code, reason: fault.reason } }
}

try {
  await migrate()
  post({ isDone: true })
} catch (error) {
  post(failureOf(error))
}
