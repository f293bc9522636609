import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, compile } from './crash/bundle.ts'
import { cutPower } from './crash/cuts.ts'
import { synchronous } from './crash/planted.ts'
import { recordWriting } from './crash/record.ts'
import type { Step } from './crash/recording.ts'
import type { Mutation } from './mutated-sources.ts'
import { chance, type Proof, type ProofContext, type ProofResult, times } from './proof.ts'

/** Maximum number of power cuts per recording. */
const CUTS = 500

export const proof: Proof = {
  promise: 'What was acknowledged outlives a power cut at any moment, and the space is sound.',
  run: (context) => cutAll(context, times(context, 2_000, 100_000)),
  async control(context) {
    const normal = await cutAll(context, CONTROLLED, synchronous(1))
    const off = await cutAll(context, CONTROLLED, synchronous(0))
    const [lost, broken] = [normal.figures.lost, off.figures.unsound]
    return {
      figures: { 'lost with synchronous = NORMAL': lost ?? 0, 'unsound with OFF': broken ?? 0 },
      // Both faults must be detected.
      faults: lost && broken ? [...normal.faults, ...off.faults] : [],
    }
  },
}

/** Number of power cuts with each planted fault. */
const CONTROLLED = 120

async function cutAll(context: ProofContext, cuts: number, planted?: Mutation): Promise<ProofResult> {
  const folder = mkdtempSync(join(context.folder, 'recordings-'))
  const [program, library] = await Promise.all([bundle('writer', folder, planted), compile('disk', folder)])
  const random = chance(context.seed)
  const counts = { cuts: 0, steps: 0, acknowledged: 0, lost: 0, broken: 0 }
  const faults: string[] = []
  while (counts.cuts < cuts) {
    const seed = context.seed + counts.cuts
    const recording = join(folder, `recording-${counts.cuts}`)
    mkdirSync(recording)
    const recorded = await recordWriting(recording, program, library, seed)
    faults.push(...recorded.faults)
    const { steps } = recorded
    counts.steps += steps.length
    counts.acknowledged += steps.filter(({ does }) => does === 'tell').length
    const moments = momentsIn(steps, Math.min(CUTS, cuts - counts.cuts), random)
    for await (const { at, lost, broken } of cutPower(recorded, moments, random)) {
      counts.cuts++
      counts.lost += lost.length
      counts.broken += broken.length
      faults.push(...[...lost, ...broken].map((one) => `${one} (recording ${seed}, cut after step ${at})`))
    }
    rmSync(recording, { recursive: true })
    context.log(`${counts.cuts} cuts`)
  }
  return {
    figures: {
      cuts: counts.cuts,
      'calls of the system': counts.steps,
      acknowledgements: counts.acknowledged,
      lost: counts.lost,
      unsound: counts.broken,
    },
    faults,
  }
}

/** A cut near a step that changes names or truncates a file happens at most this many steps after it. */
const NEAR = 5

/**
 * Draws the moments of power cuts. Half of them are anywhere, and half soon after a step that changes names or
 * truncates a file: such steps are rare, but much depends on them.
 */
function momentsIn(steps: readonly Step[], count: number, random: () => number): number[] {
  const turns = steps.flatMap(({ does }, at) => (['write', 'sync', 'tell'].includes(does) ? [] : at))
  const moments = Array.from({ length: count }, () => {
    const turn = turns[Math.floor(random() * turns.length)] ?? 0
    return Math.floor(random() < 0.5 ? random() * (steps.length + 1) : turn + random() * NEAR)
  })
  return moments.sort((one, other) => one - other)
}
