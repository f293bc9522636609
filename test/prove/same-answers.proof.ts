/**
 * Compares the responses of two checkouts: `npm run prove -- same-answers --against DIRECTORY` compares this one with
 * another, such as the commit before a change that must not change any response. Without `--against`, it compares this
 * one with itself, which shows that no response is random.
 */
import { join } from 'node:path'
import { type Proof, times } from './proof.ts'
import { compare } from './same-answers/compare.ts'
import { PLANTED, Planting } from './same-answers/planted.ts'

const THIS = join(import.meta.dirname, '../..')
const CALLS = 5_000

export const proof: Proof = {
  promise:
    'The same calls get the same responses, except for IDs and the words of errors: in any run, and from another checkout.',
  run({ against, ...context }) {
    const calls = against === undefined ? times(context, 1_000, CALLS) : CALLS
    return compare({ ...context, directories: [against ?? THIS, THIS], calls })
  },
  async control({ against: _, ...context }) {
    const planting = new Planting(CONTROL / 2)
    const plant: Planting['plant'] = (answer) => planting.plant(answer)
    const { figures, faults } = await compare({ ...context, directories: [THIS, THIS], calls: CONTROL, plant })
    const differences = faults.filter((fault) => fault.startsWith('call '))
    const isFound = planting.planted.length === PLANTED.length && differences.length >= PLANTED.length
    const planted = { planted: planting.planted.length, found: differences.length }
    return { figures: { calls: figures.calls ?? 0, ...planted }, faults: isFound ? differences : [] }
  },
}

const CONTROL = 250
