/** The memory of a space that is written to for a long time. */
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { insertAuditRow } from '../../storage/audit-log.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import { folder } from '../program.ts'

const MIB = 1024 * 1024
const SPACES = 3
/**
 * Each write uses one SQLite page of 4 KiB. If pages were retained, each would take one and a half times as much
 * memory.
 */
const WRITES = 3_000
const WRITTEN = SPACES * WRITES * 4096

/** Makes many small writes, during which the clock advances by a minute now and then. */
async function writeFor(storage: Storage, clock: { now: number }): Promise<void> {
  const row = {
    at: 0,
    link: null,
    author: 'a',
    client: null,
    endpoint: 'blocks_add',
    ids: JSON.stringify('x'.repeat(3_000)),
  }
  for (let write = 0; write < WRITES; write++) {
    if (write % 100 === 0) clock.now += 61_000
    await storage.write((tx) => insertAuditRow(tx, row))
  }
}

test('written pages are released after a minute', async () => {
  const clock = { now: performance.now() }
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  onTestFinished(() => watch.mockRestore())
  const open = () => openStorage(join(folder(), 'space.sqlite'))
  // Warm-up: code and buffers that the first writes of a process load are not measured.
  const first = await open()
  await writeFor(first, clock)
  const opened = await Promise.all(Array.from({ length: SPACES }, open))
  const before = process.memoryUsage.rss()
  for (const storage of opened) await writeFor(storage, clock)
  const grown = process.memoryUsage.rss() - before
  for (const storage of [first, ...opened]) await storage.close()
  expect(grown / MIB).toBeLessThan(WRITTEN / MIB)
  // The test makes twelve thousand COMMITs, each of which waits for the disk.
}, 120_000)
