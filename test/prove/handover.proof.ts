/** A hand-over between a person and agents ends right, although agents and the server are killed at any step. */
import { join } from 'node:path'
import { MODES } from './handover/agent-options.ts'
import { CHECKOUT } from './handover/handover-server.ts'
import { PLANTED_HANDOVER } from './handover/planted.ts'
import { type Round, type RoundResult, runRound } from './handover/run-handover.ts'
import { copyMutatedSources } from './mutated-sources.ts'
import { launchBrowser } from './pages/browser.ts'
import { type Proof, type ProofContext, times } from './proof.ts'

export const proof: Proof = {
  promise:
    'Work that a person hands over in a browser is proposed, asked about, answered and done once, by agents that have nothing but MCP, although agents and the server are killed at any step.',
  async run(context) {
    const browser = await launchBrowser()
    try {
      const results: RoundResult[] = []
      for (const round of roundsOf(context)) {
        const result = await runRound(browser, context.folder, CHECKOUT, round)
        context.log(`${round.name}: ${result.deaths} lives of agents and ${result.serverKills} of the server ended.`)
        results.push(result)
      }
      const faults = results.flatMap((result) => result.faults)
      const sum = (key: 'deaths' | 'serverKills') => results.reduce((total, result) => total + result[key], 0)
      const figures = { stories: results.length, 'agents killed': sum('deaths'), 'servers killed': sum('serverKills') }
      return { figures: { ...figures, faults: faults.length }, faults }
    } finally {
      await browser.close()
    }
  },

  async control(context) {
    const browser = await launchBrowser()
    const planted = Object.entries(PLANTED_HANDOVER)
    const found: string[] = []
    try {
      for (const [name, { mutations, found: sentence }] of planted) {
        const cwd = join(context.folder, `sources with ${name}`)
        copyMutatedSources(cwd, mutations)
        const round = { name, mode: 'poll', deaths: 8, killsServer: NEVER, patience: 12_000 } as const
        const { faults } = await runRound(browser, context.folder, { script: 'src/start.js', cwd }, round)
        const first = faults.find((fault) => sentence.test(fault))
        if (first === undefined) context.log(`Expected ${name} to be found, found ${faults[0] ?? 'nothing'}.`)
        else found.push(first)
      }
    } finally {
      await browser.close()
    }
    const figures = { planted: planted.length, found: found.length }
    return { figures, faults: found.length === planted.length ? found : [] }
  },
}

const NEVER = { every: 1, times: 0 }

/** Each way to be woken without kills, with deaths of the agents at each of their steps, and with kills of the server. */
function roundsOf(context: ProofContext): Round[] {
  const repeats = times(context, 1, 10)
  return Array.from({ length: repeats }, (_, repeat) =>
    MODES.flatMap((mode): Round[] => [
      { name: `agents killed, ${mode} ${repeat}`, mode, deaths: 12, killsServer: NEVER },
      {
        name: `server killed, ${mode} ${repeat}`,
        mode,
        deaths: 2,
        // Other steps in each repetition.
        killsServer: { every: 3 + ((repeat + context.seed) % 5), times: 3 },
      },
    ]),
  ).flat()
}
