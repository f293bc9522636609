/** A thread that keeps replacing a file by a symbolic link to a file outside and back, until it is stopped. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const { path, outside } = workerData as { path: string; outside: string }
const ignored = join(outside, 'aside')
mkdirSync(ignored)
parentPort?.postMessage('ready')
for (let time = 0; ; time++) {
  const next = join(ignored, String(time % 2))
  if (time % 2 === 0) symlinkSync(join(outside, 'deep', 'a.txt'), next)
  else writeFileSync(next, 'inside')
  renameSync(next, path)
}
