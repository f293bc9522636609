/**
 * Reads 10,000 blocks, writes 1,000 in one call and 50 in as many, compared with another checkout of this project in the folder `BENCH_BEFORE`.
 * Each has a process of its own, and they take turns. Processor time is compared, which other load changes less.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Figure, interleaved, type Measure } from './figure.ts'
import { inFolder } from './workbench.ts'

const ROUNDS = { read: 60, write: 60, single: 60 }
const WHAT = {
  read: 'blocks_get of 10,000 blocks, JSON',
  write: 'blocks_add of 1,000 blocks',
  single: '50 calls of blocks_add, of one block each',
}

export const measure: Measure = async () => {
  const { BENCH_BEFORE: before } = process.env
  if (before === undefined) return { figures: [], notes: ['before needs BENCH_BEFORE=FOLDER, another checkout.'] }
  return inFolder(async (folder) => {
    const now = await start(join(import.meta.dirname, 'workbench.ts'), join(folder, 'now.sqlite'))
    const then = await start(join(before, 'test/bench/workbench.ts'), join(folder, 'before.sqlite'))
    const figures: Figure[] = []
    for (const work of ['read', 'write', 'single'] as const) {
      const compared = await interleaved(ROUNDS[work], ask(now, work), ask(then, work))
      const goal = { of: 'ratio', most: 1.05 } as const
      figures.push({ what: WHAT[work], floor: 'the other checkout', ...compared, unit: 'ms', goal })
    }
    for (const child of [now, then]) {
      child.disconnect()
      await once(child, 'exit')
    }
    return { figures }
  })
}

async function start(workbench: string, file: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'before-process.ts'), [workbench, file])
  await once(child, 'message')
  return child
}

const ask = (child: ChildProcess, work: string) => async () => {
  child.send(work)
  const [milliseconds] = await once(child, 'message')
  return milliseconds as number
}
