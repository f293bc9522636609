/**
 * Starts worker threads of the program in their bundled form if it was built from exactly these sources, as before a
 * whole `npm test`. A thread that starts from the sources takes five times as much CPU time: it reads hundreds of files.
 * Without the bundle, as in a run of a few files after an edit, threads start from the sources.
 */
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'
import { bundleFolder } from './sources-hash.ts'

const SOURCES = join(import.meta.dirname, '../../src') + sep

const { Worker } = workerThreads
let folder: string | undefined

function bundledForm(file: string | URL): string | URL {
  if (!(file instanceof URL) || file.protocol !== 'file:') return file
  const path = fileURLToPath(file)
  if (!path.startsWith(SOURCES)) return file
  folder ??= bundleFolder()
  const bundled = join(folder, `${basename(path, '.ts')}.js`)
  return existsSync(bundled) ? bundled : file
}

class BundledWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(bundledForm(file), options)
  }
}

// Files of tests that share a process each run this file.
if (Worker.name !== BundledWorker.name) {
  workerThreads.Worker = BundledWorker
  syncBuiltinESMExports()
}
