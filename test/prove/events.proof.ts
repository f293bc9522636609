/** Readers of events get each once, in order and with one ID, although servers and readers are killed. */
import { join } from 'node:path'
import { bundledProgram } from '../support/bundled-program.ts'
import { RestartedDatabase } from './claims/restarted-database.ts'
import { PLANTED_EVENTS } from './events/planted.ts'
import { runEvents } from './events/run-events.ts'
import { copyMutatedSources } from './mutated-sources.ts'
import { type Proof, times } from './proof.ts'

export const proof: Proof = {
  promise:
    'By poll, stream and webhook, no event is lost, none has two IDs, and each document keeps its order, although servers and readers are killed.',
  async run(context) {
    // Half in a file, and half in a database.
    const load = { events: times(context, 1_000, 50_000), kills: times(context, 10, 250) }
    const program = await bundledProgram()
    const inFile = await runEvents(context, join(context.folder, 'events.sqlite'), program, load)
    const database = await RestartedDatabase.start()
    const inDatabase = await runEvents(context, database.space, program, load).finally(() => database.stop())
    const onDatabase = Object.entries(inDatabase.figures).map(([name, figure]) => [`${name} on a database`, figure])
    const faults = [...inFile.faults, ...inDatabase.faults]
    return { figures: { ...inFile.figures, ...Object.fromEntries(onDatabase), faults: faults.length }, faults }
  },

  /** Runs with each planted fault: IDs that change, cursors that skip, messages that are not sent again. */
  async control(context) {
    const found: string[] = []
    for (const [index, [name, mutations]] of Object.entries(PLANTED_EVENTS).entries()) {
      const sources = join(context.folder, `sources-${index}`)
      copyMutatedSources(sources, mutations)
      const space = join(context.folder, `events-${index}.sqlite`)
      const load = { events: 200, kills: 6, patience: 15_000 }
      const { faults } = await runEvents(context, space, join(sources, 'src', 'start.js'), load)
      const [first] = faults
      if (first === undefined) context.log(`Expected ${name} to be found.`)
      else found.push(`${name}: ${first}`)
    }
    const planted = Object.keys(PLANTED_EVENTS).length
    return { figures: { planted, found: found.length }, faults: found.length === planted ? found : [] }
  },
}
