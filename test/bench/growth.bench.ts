/**
 * Measures how the time of each tool grows with the space: the same calls in spaces of 10,000, 100,000 and 1,000,000
 * blocks. The median of all calls of a tool may be three times that in the smallest space, which is the floor. The
 * median of each kind of call must not exceed 100 ms. Calls that must read the whole space are only shown.
 */
import { join } from 'node:path'
import type { AccessLink, ConnectionKind } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { type Figure, type Measure, median, timed } from './figure.ts'
import { EXPOSED, growthCalls, ROUNDS } from './growth-calls.ts'
import { makeGrowthSpace } from './growth-space.ts'
import { callerOf, inFolder } from './workbench.ts'

/** The first size is the floor for all others. SCRIPTORIUM_BENCH_BLOCKS sets other sizes. */
const SIZES = (process.env.SCRIPTORIUM_BENCH_BLOCKS ?? '10000,100000,1000000').split(',').map(Number)
/** The number of rounds of calls that read the whole space. */
const LONG_ROUNDS = 3
const MOST_TIMES = 3
/** Milliseconds below which a call is too short to distinguish its growth from noise. */
const NOISE = 2
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
      const figureOf = (name: string, times: readonly number[], most: (bare: number) => number) => {
        const ours = median(times)
        const bare = floors.get(name) ?? ours
        floors.set(name, bare)
        if (size === SIZES[0]) return
        figures.push({
          what: `${name}, in ${size.toLocaleString('en-US')} blocks, p50`,
          floor: `in ${(SIZES[0] ?? 0).toLocaleString('en-US')} blocks`,
          ...{ ours, bare, unit: 'ms', ratio: ours / bare },
          goal: { of: 'ours', most: most(bare) },
        })
      }
      const byTool = new Map<string, number[]>()
      const open = await openSpace(file)
      const links: Record<ConnectionKind, AccessLink> = {
        full: await open.createAccessLink('full', [], 'bench'),
        selected: await open.createAccessLink('selected', space.documents.slice(0, EXPOSED), 'bench'),
        daily: await open.createAccessLink('daily', [], 'bench'),
      }
      for (const { tool, what, kind = 'full', args, mayGrow = false } of growthCalls(space)) {
        const call = callerOf(open, links[kind])
        const times: number[] = []
        for (let round = 0; round < (mayGrow ? LONG_ROUNDS : ROUNDS); round++)
          times.push(await timed(() => call(tool, args(round))))
        // The first round is a warm-up.
        times.shift()
        if (what !== undefined) figureOf(`${tool}, ${what}`, times, () => (mayGrow ? Number.POSITIVE_INFINITY : MOST))
        if (!mayGrow) byTool.set(tool, [...(byTool.get(tool) ?? []), ...times])
      }
      for (const [tool, times] of byTool) {
        figureOf(tool, times, (bare) => Math.min(MOST, MOST_TIMES * Math.max(NOISE, bare)))
      }
      await open.close()
    }
    return { figures, notes }
  })
