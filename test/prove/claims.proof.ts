/** Workers share a board, and no item is held or done twice, although servers and workers are killed. */
import { join } from 'node:path'
import { bundledProgram } from '../support/bundled-program.ts'
import { PLANTED_CLAIMS } from './claims/planted.ts'
import { runClaims } from './claims/run-claims.ts'
import type { WrongClaims } from './claims/wrong-claims.ts'
import { copyMutatedSources } from './mutated-sources.ts'
import { type Proof, times } from './proof.ts'

export const proof: Proof = {
  promise:
    'Of the workers that share a board, no two hold an item at the same time, each item is done once, and none is lost, although servers and workers are killed.',
  async run(context) {
    const load = {
      ...{ items: times(context, 400, 10_000), kills: times(context, 4, 50), workersPerProcess: 8 },
      ...{ servers: times(context, 3, 5), hosts: times(context, 1, 3) },
    }
    const inFile = await runClaims(context, await bundledProgram(), load)
    // On a database, which is killed as well.
    const shared = {
      ...load,
      items: times(context, 200, 10_000),
      servers: 3,
      hosts: 0,
      restarts: times(context, 2, 20),
    }
    const inDatabase = await runClaims(context, await bundledProgram(), shared)
    const onDatabase = Object.entries(inDatabase.figures).map(([name, figure]) => [`${name} on a database`, figure])
    const both = [inFile, inDatabase]
    const count = (what: 'heldTwice' | 'doneTwice') => both.reduce((sum, { wrong }) => sum + wrong[what].length, 0)
    const lost = both.reduce((sum, one) => sum + one.lost, 0)
    return {
      figures: {
        ...{ ...inFile.figures, ...Object.fromEntries(onDatabase) },
        ...{ 'held twice': count('heldTwice'), 'done twice': count('doneTwice'), lost },
      },
      faults: [...both.flatMap(({ wrong }) => allOf(wrong)), ...(lost > 0 ? [`${lost} items were not done.`] : [])],
    }
  },

  /** Runs with each planted fault: claims that take held rows, fences that are not compared, a clock that is not shared. */
  async control(context) {
    const load = { items: 60, servers: 1, hosts: 1, workersPerProcess: 8, kills: 0 }
    const found: string[] = []
    for (const [index, [name, mutations]] of Object.entries(PLANTED_CLAIMS).entries()) {
      const sources = join(context.folder, `sources-${index}`)
      copyMutatedSources(sources, mutations)
      const { wrong } = await runClaims(context, join(sources, 'src', 'start.js'), load)
      const [first] = allOf(wrong)
      if (first === undefined) context.log(`Expected ${name} to be found.`)
      else found.push(`${name}: ${first}`)
    }
    const planted = Object.keys(PLANTED_CLAIMS).length
    return { figures: { planted, found: found.length }, faults: found.length === planted ? found : [] }
  },
}

const allOf = ({ heldTwice, doneTwice, fences }: WrongClaims): string[] => [...heldTwice, ...doneTwice, ...fences]
