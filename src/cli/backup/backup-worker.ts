/** The thread on which a server backs up a space: what SQLite checks of a copy would hold up all calls meanwhile. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BackupReport, type BackupRequest, backUpAndPrune, formatBackup, formatDamage } from './backup-command.ts'

const { file, to, keep, now } = workerData as BackupRequest

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
    return { succeeded: false, sentences: [error instanceof Error ? error.message : String(error)] }
  }
}

parentPort?.postMessage(await runRequest())
