/** Deciding on proposals part by part, over generated proposals of all writing tools: see proposal-parts.law.test.ts. */
import { join } from 'node:path'
import { ROOT } from './mutated-sources.ts'
import { PLANTED_PARTS } from './parts/planted.ts'
import { copyWithTests, runTests } from './parts/run-tests.ts'
import { type Proof, times } from './proof.ts'

const LAW = 'test/call/proposal-parts.law.test.ts'
const TESTS = 'test/call/proposal-parts.test.ts'
/** Seeds of the law between two seeds of the proof. */
const SEEDS = 100_000

export const proof: Proof = {
  promise:
    'Accepting the parts of a proposal in any order does what approving all of it does, or is refused with a reason, and nothing is done that was not shown.',
  runsInParallel: true,
  async run(context) {
    const seed = 1 + (context.seed - 1) * SEEDS
    const environment = { FC_PROPOSALS: String(times(context, 60, 10_000)), FC_SEED: String(seed) }
    const { failed, printed } = await runTests(ROOT, LAW, join(context.folder, 'law.json'), environment)
    const [figures = '{}'] = /\{"proposals":[^{}]*\}/.exec(printed) ?? []
    return { figures: JSON.parse(figures), faults: failed.map((name) => `${name} (FC_SEED=${seed})`) }
  },

  /** Runs the tests with each planted fault. */
  async control(context) {
    const found: string[] = []
    for (const [index, [name, mutation]] of Object.entries(PLANTED_PARTS).entries()) {
      const folder = join(context.folder, `sources-${index}`)
      copyWithTests(folder, mutation)
      const { failed } = await runTests(folder, TESTS, join(context.folder, `tests-${index}.json`))
      const [first] = failed
      if (first === undefined) context.log(`Expected ${name} to be found.`)
      else found.push(`${name}: ${first}`)
    }
    const planted = Object.keys(PLANTED_PARTS).length
    return { figures: { planted, found: found.length }, faults: found.length === planted ? found : [] }
  },
}
