/** A server in a process of its own receives large files with little memory. */
import { createHash, randomFillSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { send } from './files-asker.ts'
import { memoryGrowth } from './memory.ts'
import { startServe } from './serve-process.ts'

const MIB = 1024 * 1024

test('100 MiB are uploaded and downloaded with less memory than that; 200 MiB are rejected at once', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const server = await startServe(join(folder, 'space.sqlite'))
  onTestFinished(() => server.close())
  const url = `${server.restUrl}/upload?position=end&date=today`
  // The first file loads code, whatever its size.
  await send('POST', url, Buffer.from('first'))
  const bytes = randomFillSync(Buffer.alloc(100 * MIB))
  const wanted = createHash('sha256').update(bytes).digest('hex')
  let assetUrl = ''
  const taken = await memoryGrowth(server.pid, async () => {
    const { status, json } = await send('POST', url, bytes)
    expect(status).toBe(200)
    assetUrl = json.assetUrl
  })
  const given = await memoryGrowth(server.pid, async () => {
    const hash = createHash('sha256')
    for await (const piece of (await fetch(assetUrl)).body ?? []) hash.update(piece)
    expect(hash.digest('hex')).toBe(wanted)
  })
  const refused = await memoryGrowth(server.pid, async () => {
    const { status, json } = await send('POST', url, Buffer.alloc(200 * MIB))
    expect([status, json.error]).toEqual([413, 'Expected a file of at most 100 MiB, found more; nothing was kept.'])
  })
  for (const growth of [taken, refused]) expect(growth / MIB).toBeLessThan(90)
  expect(given / MIB).toBeLessThan(100)
})
