/** Readers of events get each once, in order and with one ID, although servers and readers are killed. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { bundledProgram } from '../support/bundled-program.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { PLANTED_EVENTS } from './events/planted.ts'
import { type EventLoad, type EventRun, runEvents } from './events/run-events.ts'
import { copyMutatedSources, type Mutation } from './mutated-sources.ts'
import { type Proof, type ProofContext, times } from './proof.ts'

export const proof: Proof = {
  promise:
    'By poll, stream and webhook, no event is lost, none has two IDs, each document keeps its order, and readers are told of what history no longer has, although servers and readers are killed.',
  async run(context) {
    // Half in a file, and half in a database.
    const load = { events: times(context, 1_000, 50_000), kills: times(context, 10, 250) }
    const runs = await onBoth(context, '', await bundledProgram(), load)
    const figures = runs.flatMap(([engine, run]) =>
      Object.entries(run.figures).map(([name, figure]) => [`${name} ${engine}`, figure]),
    )
    const faults = runs.flatMap(([, run]) => run.faults)
    return { figures: { ...Object.fromEntries(figures), faults: faults.length }, faults }
  },

  /** Runs with each planted fault: IDs that change, cursors that skip, messages that are not sent again, gaps that are not told. */
  async control(context) {
    const planted = Object.entries(PLANTED_EVENTS)
    // Two at a time, since most of each is waiting.
    const lanes = [0, 1].map((lane) => planted.filter((_, index) => index % 2 === lane))
    const plantAll = async (lane: typeof planted) => {
      const found: string[] = []
      for (const [name, fault] of lane) found.push(...(await plant(context, name, fault)))
      return found
    }
    const found = (await Promise.all(lanes.map(plantAll))).flat()
    const all = 2 * planted.length
    return { figures: { planted: all, found: found.length }, faults: found.length === all ? found : [] }
  },
}

/** @returns a sentence for each engine on which the fault is found */
async function plant(
  context: ProofContext,
  name: string,
  { mutations, found }: (typeof PLANTED_EVENTS)[string],
): Promise<string[]> {
  const load = { events: 400, kills: 1, patience: 8_000 }
  const runs = await onBoth(context, name, await bundleWith(context, name, mutations), load)
  return runs.flatMap(([engine, { faults }]) => {
    const first = faults.find((fault) => found.test(fault))
    if (first === undefined) context.log(`Expected ${name} to be found ${engine}, found ${faults[0] ?? 'nothing'}.`)
    return first ?? []
  })
}

/** Runs on a file and on a database at the same time. */
async function onBoth(
  context: ProofContext,
  name: string,
  script: string,
  load: EventLoad,
): Promise<[engine: string, run: EventRun][]> {
  const database = await startPostgres()
  const [file, address] = [join(context.folder, `${name} events.sqlite`), spaceAddress(database.address, 'events')]
  try {
    return await Promise.all([
      runEvents(context, `${name} in a file`.trim(), file, script, load).then(
        (run) => ['in a file', run] as [string, EventRun],
      ),
      runEvents(context, `${name} in a database`.trim(), address, script, load).then(
        (run) => ['in a database', run] as [string, EventRun],
      ),
    ])
  } finally {
    await database.stop()
  }
}

/** Builds the program from sources with these faults. @returns the path of its script */
async function bundleWith({ folder }: ProofContext, name: string, mutations: readonly Mutation[]): Promise<string> {
  const sources = join(folder, `sources with ${name}`)
  copyMutatedSources(sources, mutations)
  await promisify(execFile)(process.execPath, [join(sources, 'scripts', 'build.ts')])
  return join(sources, 'dist', 'start.js')
}
