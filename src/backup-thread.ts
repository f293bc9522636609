/** The thread on which a server backs up a space: what SQLite checks of a copy would hold up all calls meanwhile. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BackupReport, type BackupRequest, backUpAndKeep, backupText, damageText } from './backup.ts'

const { file, to, keep, now } = workerData as BackupRequest

async function report(): Promise<BackupReport> {
  try {
    const { backup, removed } = await backUpAndKeep(file, to, keep, now)
    const isComplete = backup.damagedFiles.length === 0
    const sentences = [
      backupText(file, backup),
      ...removed.map((path) => `Removed ${path}: the last ${keep} are kept.`),
    ]
    return { isDone: true, sentences: isComplete ? sentences : [...sentences, damageText(backup)] }
  } catch (error) {
    return { isDone: false, sentences: [error instanceof Error ? error.message : String(error)] }
  }
}

parentPort?.postMessage(await report())
