/**
 * The worker thread that backs up a space for a server. SQLite's integrity check of the copy would block all calls
 * otherwise.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../base/errors.ts'
import { setProcessOrigin } from '../../base/origin.ts'
import { terminalOrigin } from '../terminal-origin.ts'
import { type BackupReport, type BackupRequest, backUpAndPrune, formatBackup, formatDamage } from './backup-command.ts'

const { file, to, keep, now } = workerData as BackupRequest
setProcessOrigin(terminalOrigin())

async function runRequest(): Promise<BackupReport> {
  try {
    const { backup, removed } = await backUpAndPrune(file, to, keep, now)
    const isComplete = backup.damagedFiles.length === 0
    const sentences = [
      formatBackup(file, backup),
      ...removed.map((path) => `Removed ${path}: the last ${keep} are kept.`),
    ]
    return { succeeded: true, sentences: isComplete ? sentences : [...sentences, formatDamage(backup)] }
  } catch (error) {
    return { succeeded: false, sentences: [messageOf(error)] }
  }
}

parentPort?.postMessage(await runRequest())
