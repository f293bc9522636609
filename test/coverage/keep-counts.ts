/** A setup file of tests in Node: keeps the counts of the scripts that ran in them. */
import { threadId } from 'node:worker_threads'
import { afterAll } from 'vitest'
import { type Counts, writeCounts } from './counted-scripts.ts'

/** A worker counts on, so that the counts of its last file of tests contain those of the others. */
afterAll(() =>
  writeCounts((globalThis as { __coverage__?: Counts }).__coverage__ ?? {}, `worker-${process.pid}-${threadId}`),
)
