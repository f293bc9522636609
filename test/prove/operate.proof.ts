/** Breaks what a running server stands on, and looks at what those who operate it see: probes, log, metrics, recovery. */
import { join } from 'node:path'
import { compile } from './crash/bundle.ts'
import { type Scenario, ScenarioContext } from './faults/scenario.ts'
import { copyMutatedSources, ROOT } from './mutated-sources.ts'
import { TROUBLES } from './operate/troubles.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

export const proof: Proof = {
  promise:
    'Whatever a server stands on breaks, its readiness, log and metrics say so with a code, and it goes on once it is whole.',
  runsInParallel: true,
  async run(context) {
    const outcomes = await tryAll(context, ROOT)
    return shown(
      outcomes,
      outcomes.flatMap(({ scenario, faults }) => faults.map((fault) => `${scenario.name}: ${fault}`)),
    )
  },

  /** The same on sources without what is shown. Each scenario has to detect that it is missing. */
  async control(context) {
    const folder = join(context.folder, 'sources')
    copyMutatedSources(
      folder,
      TROUBLES.flatMap(({ planted }) => planted),
    )
    const outcomes = await tryAll(context, folder)
    const missed = outcomes.filter(({ faults }) => faults.length === 0)
    for (const { scenario } of missed) context.log(`Expected a fault without its guards: ${scenario.name}.`)
    return shown(outcomes, missed.length > 0 ? [] : outcomes.flatMap(({ faults }) => faults))
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

/** Number of scenarios at the same time: they mostly wait. */
const AT_ONCE = 3

async function tryAll(context: ProofContext, folder: string): Promise<Outcome[]> {
  const [disk, clock] = await Promise.all([compile('disk', context.folder), compile('clock', context.folder)])
  const program = { folder, script: join(folder, 'src', 'start.js') }
  const scenarios = new ScenarioContext(program, context.folder, { disk, clock })
  const left = [...TROUBLES]
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
