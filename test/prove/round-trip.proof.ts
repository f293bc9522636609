/** Writes trees of blocks as Markdown and reads them back: alone, and through the tools of a space. */
import { join } from 'node:path'
import fc from 'fast-check'
import { ESCAPES } from '../../src/markdown/blocks/block-escapes.ts'
import { tree } from '../markdown/trees.ts'
import { type Proof, type ProofContext, times } from './proof.ts'
import { faultOf, Tally } from './round-trip/check-trees.ts'
import { throughTools } from './round-trip/tools.ts'

/** Number of trees between two lines of progress. */
const BATCH = 5_000
/** The escapes to leave out in turn, and the number of trees in which each missing escape must be detected. */
const LEFT_OUT = ['a heading', 'a quote', 'a list item', 'the box of a task']
const PLANTED = 5_000

/** The first fault in `count` random trees. It is shrunk unless `endOnFailure` is set. */
function searched(count: number, seed: number, { tally, endOnFailure = false }: Search): string | undefined {
  const property = fc.property(tree, (blocks) => {
    tally?.add(blocks)
    return faultOf(blocks) === undefined
  })
  const { failed, counterexample } = fc.check(property, { numRuns: count, seed, endOnFailure })
  if (!failed || counterexample === null) return undefined
  return `${faultOf(counterexample[0])} (seed ${seed} of ${count} trees)`
}

interface Search {
  tally?: Tally
  endOnFailure?: boolean
}

async function run(context: ProofContext) {
  const trees = times(context, 20_000, 1_000_000)
  const tally = new Tally()
  const faults: string[] = []
  for (let done = 0; done < trees; done += BATCH) {
    const fault = searched(BATCH, context.seed * 1_000_000 + done, { tally })
    if (fault !== undefined) faults.push(fault)
    context.log(`${done + BATCH} of ${trees} trees, ${faults.length} faults`)
  }
  const figures = { trees: tally.trees, ...tally.figures() }
  const tools = await throughTools(join(context.folder, 'space.sqlite'), times(context, 200, 20_000), context)
  return { figures: { ...figures, ...tools.figures }, faults: [...faults, ...tools.faults] }
}

/** Leaves out escapes of the beginning of a line, one at a time, by changing the writer's own table temporarily. */
async function control({ seed, log }: ProofContext) {
  const faults: string[] = []
  const planted = ESCAPES.filter(({ because }) => LEFT_OUT.includes(because))
  for (const entry of planted) {
    const { write, because } = entry
    entry.write = () => undefined
    try {
      const fault = searched(PLANTED, seed, { endOnFailure: true })
      if (fault !== undefined) faults.push(`without the escape of ${because}: ${fault}`)
      log(`without the escape of ${because}: ${fault === undefined ? 'not found' : 'found'}`)
    } finally {
      entry.write = write
    }
  }
  const figures = { 'escapes left out in turn': planted.length, found: faults.length }
  return { figures, faults: faults.length === LEFT_OUT.length ? faults : [] }
}

export const proof: Proof = {
  promise: 'What is written as Markdown reads back as the same blocks, and the text is a fixed point.',
  run,
  control,
}
