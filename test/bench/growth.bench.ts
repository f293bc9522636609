/**
 * How the median time of each tool grows with the space: the same calls in spaces of 10,000, 100,000 and 1,000,000
 * blocks. Answers are of the same length in each. The floor is the same call in the smallest space.
 */
import { join } from 'node:path'
import { type Figure, type Measure, median, timed } from './figure.ts'
import { type GrowthCall, growthCalls } from './growth-calls.ts'
import { makeGrowthSpace } from './growth-space.ts'
import { inFolder, openWorkbench } from './workbench.ts'

/** The first is the floor of all others. SCRIPTORIUM_BENCH_BLOCKS takes other sizes. */
const SIZES = (process.env.SCRIPTORIUM_BENCH_BLOCKS ?? '10000,100000,1000000').split(',').map(Number)
const ROUNDS = 11
const MOST_TIMES = 3
/** What a call takes that is too short to tell its growth from the noise of the machine. Milliseconds. */
const NOISE = 1
const MOST = 100

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const figures: Figure[] = []
    const notes: string[] = []
    const floors = new Map<string, number>()
    for (const size of SIZES) {
      const file = join(folder, `${size}.sqlite`)
      const from = performance.now()
      const space = await makeGrowthSpace(file, size)
      const seconds = ((performance.now() - from) / 1000).toFixed(1)
      notes.push(`${space.blocks.toLocaleString('en-US')} blocks were made in ${seconds} s.`)
      const bench = await openWorkbench(file)
      for (const call of growthCalls(space)) {
        const times: number[] = []
        // The first round only warms up.
        for (let round = 0; round <= ROUNDS; round++) times.push(await timed(() => bench.call(call.tool, call.args(round))))
        const ours = median(times.slice(1))
        const name = call.what === undefined ? call.tool : `${call.tool}, ${call.what}`
        const bare = floors.get(name) ?? ours
        floors.set(name, bare)
        if (size !== SIZES[0]) figures.push(figureOf(`${name}, in ${size.toLocaleString('en-US')} blocks, p50`, call, ours, bare))
      }
      await bench.close()
    }
    return { figures, notes }
  })

function figureOf(what: string, { mayGrow = false }: GrowthCall, ours: number, bare: number): Figure {
  const grown = Math.max(NOISE, bare) * MOST_TIMES
  const most = mayGrow ? Number.POSITIVE_INFINITY : Math.min(MOST, grown)
  return {
    what,
    floor: `in ${(SIZES[0] ?? 0).toLocaleString('en-US')} blocks`,
    ...{ ours, bare, unit: 'ms', ratio: ours / bare },
    goal: { of: 'ours', most },
  }
}
