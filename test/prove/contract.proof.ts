/** Every sentence of the contract, over REST and both versions of MCP, for the three kinds of connections. */
import { GROUPS } from './contract/groups.ts'
import { missedFaults, vacuousRules } from './contract/planted.ts'
import { brokenRules, checkedRules, uncheckableRules } from './contract/run.ts'
import { ContractWorld } from './contract/world.ts'
import type { Proof } from './proof.ts'

const sentences = GROUPS.reduce((sum, { rules }) => sum + rules.length, 0)

export const proof: Proof = {
  promise:
    'Every sentence of the contract holds, over each transport and for each kind of connection that it is about.',
  async run() {
    const world = await ContractWorld.open()
    try {
      const rules = checkedRules(GROUPS)
      const counts = { checks: 0, calls: 0 }
      const faults = await brokenRules(world, rules, counts)
      const uncheckable = uncheckableRules(GROUPS)
      const figures = { sentences, checked: rules.length, 'cannot be checked': uncheckable.length, ...counts }
      return { figures: { ...figures, broken: faults.length }, faults }
    } finally {
      await world.close()
    }
  },
  async control() {
    const world = await ContractWorld.open()
    try {
      const planted = await missedFaults(world)
      const vacuous = await vacuousRules(world)
      const missed = [...planted.missed, ...vacuous]
      const figures = { 'faults planted': planted.count, 'missed by their rule': planted.missed.length }
      return {
        figures: {
          ...figures,
          'rules that hold of empty answers': vacuous.length,
          ...(missed[0] && { first: missed[0] }),
        },
        faults: missed.length === 0 ? [`all ${planted.count}, such as ${planted.first}`] : [],
      }
    } finally {
      await world.close()
    }
  },
}
