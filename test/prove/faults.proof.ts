/** Scenarios of what can happen to files, disks, buckets and clocks of a running program, over stdio and `serve`. */
import { join } from 'node:path'
import type { Program } from './attack/process.ts'
import { compile } from './crash/bundle.ts'
import { type Scenario, ScenarioContext } from './faults/scenario.ts'
import { SCENARIOS } from './faults/scenarios.ts'
import { copyMutatedSources, ROOT } from './mutated-sources.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

export const proof: Proof = {
  promise:
    'Whatever happens to its files, its disk, its bucket and its clock, a running program acknowledges nothing that is lost, and says in words what is wrong.',
  runsInParallel: true,
  async run(context) {
    const outcomes = await tryAll(context, sourcesAt(ROOT))
    return shown(
      outcomes,
      outcomes.flatMap(({ scenario, faults }) => faults.map((fault) => `${scenario.name}: ${fault}`)),
    )
  },

  /** The same on sources without the guards. Each scenario has to detect that its guards are missing. */
  async control(context) {
    const folder = join(context.folder, 'sources')
    copyMutatedSources(
      folder,
      SCENARIOS.flatMap(({ planted }) => planted),
    )
    const outcomes = await tryAll(context, sourcesAt(folder))
    const missed = outcomes.filter(({ faults }) => faults.length === 0)
    for (const { scenario } of missed) context.log(`Expected a fault without its guards: ${scenario.name}.`)
    const guards = SCENARIOS.reduce((sum, { planted }) => sum + planted.length, 0)
    const { figures, faults } = shown(outcomes, missed.length > 0 ? [] : outcomes.flatMap(({ faults }) => faults))
    return { figures: { 'guards taken out': guards, ...figures }, faults }
  },
}

interface Outcome {
  scenario: Scenario
  faults: string[]
}

const shown = (outcomes: readonly Outcome[], faults: string[]): ProofResult => ({
  figures: { scenarios: outcomes.length, 'with faults': outcomes.filter(({ faults }) => faults.length > 0).length },
  faults,
})

const sourcesAt = (folder: string): Program => ({ folder, script: join(folder, 'src', 'start.js') })

/** Number of scenarios at the same time: they mostly wait. */
const AT_ONCE = 3

async function tryAll(context: ProofContext, program: Program): Promise<Outcome[]> {
  const [disk, clock] = await Promise.all([compile('disk', context.folder), compile('clock', context.folder)])
  const scenarios = new ScenarioContext(program, context.folder, { disk, clock })
  const left = [...SCENARIOS]
  const outcomes: Outcome[] = []
  const work = async () => {
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift()) {
      const from = performance.now()
      const faults = await scenario.run(scenarios).catch((error: Error) => [`it came to no end: ${error.stack}`])
      outcomes.push({ scenario, faults })
      context.log(`${scenario.name}: ${faults.length} faults (${((performance.now() - from) / 1000).toFixed(1)} s)`)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await scenarios.close()
  }
  return outcomes
}
