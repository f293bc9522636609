/**
 * Files: sends 100 MiB over HTTP, compared with writing and flushing the same bytes, and measures the memory for it.
 */
import { randomFillSync } from 'node:crypto'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { memoryGrowth } from '../http/memory.ts'
import { startServe } from '../http/serve-process.ts'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'
import { inFolder } from './workbench.ts'

const MIB = 1024 * 1024
const SIZE = 100 * MIB
const ROUNDS = 5
const PIECE = 64 * 1024

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const server = await startServe(join(folder, 'space.sqlite'))
    try {
      const bytes = randomFillSync(Buffer.alloc(SIZE))
      const url = `${server.restUrl}/upload?position=end&date=today`
      const times = await interleaved(
        ROUNDS,
        async () => timed(() => upload(url, fresh(bytes))),
        async () => timed(() => write(join(folder, 'floor'), fresh(bytes))),
      )
      const growth = await memoryGrowth(server.pid, () => upload(url, fresh(bytes)))
      const figure: Figure = {
        what: `files_add, ${SIZE / MIB} MiB over HTTP`,
        floor: 'writing and flushing the same bytes',
        ours: throughput(times.ours),
        bare: throughput(times.bare),
        ratio: 1 / times.ratio,
        unit: 'MiB/s',
        goal: { of: 'ratio', least: 0.5 },
      }
      const note = `An upload of ${SIZE / MIB} MiB takes the server ${Math.round(growth / MIB)} MiB of memory above what it had.`
      return { figures: [figure], notes: [note] }
    } finally {
      await server.close()
    }
  })

const throughput = (milliseconds: number): number => SIZE / MIB / (milliseconds / 1000)

/** Changes the bytes, so that they are not stored yet. */
function fresh(bytes: Buffer): Buffer {
  randomFillSync(bytes, 0, 16)
  return bytes
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w')
  for (let at = 0; at < bytes.length; at += PIECE) await file.write(bytes, at, PIECE)
  await file.sync()
  await file.close()
}

function upload(url: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes.length }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`Expected an upload to be taken, found ${response.statusCode}.`))
      })
    })
    sent.once('error', reject).end(bytes)
  })
}
