/** Edits documents in browsers while agents write to them: no typed text is lost, and typing is fast. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { closeQuickly } from './editing/closing.ts'
import { type ConcurrentResult, writeConcurrently } from './editing/concurrent-writers.ts'
import { checkConflicts } from './editing/conflicts.ts'
import { EditingServer, openBrowser } from './editing/editing-server.ts'
import { EditingSession } from './editing/editing-session.ts'
import { fillInForms } from './editing/forms.ts'
import { writeOffline } from './editing/offline.ts'
import { PLANTED_EDITING, type PlantedEditing } from './editing/planted.ts'
import { sharePlace } from './editing/shared-place.ts'
import { useTwoTabs } from './editing/two-tabs.ts'
import { letterFaults, typeInLongDocument } from './editing/typing.ts'
import { copyMutatedSources } from './mutated-sources.ts'
import { type Proof, type ProofContext, type ProofResult, times } from './proof.ts'

export const proof: Proof = {
  promise: 'Who edits a document beside others loses no word, sees what all see, and waits for no letter.',
  runsLast: true,
  run: editInBrowsers,

  /** Each planted fault has a server of its own, and is looked for by one part of the proof. */
  async control(context) {
    const planted = Object.entries(PLANTED_EDITING)
    const found: string[] = []
    for (const [name, fault] of planted) {
      const faults = await plant(context, name, fault)
      const first = faults.find((one) => fault.found.test(one))
      if (first === undefined) context.log(`Expected ${name} to be found, found ${faults[0] ?? 'nothing'}.`)
      else found.push(first)
    }
    const figures = { planted: planted.length, found: found.length }
    return { figures, faults: found.length === planted.length ? found : [] }
  },
}

async function plant(context: ProofContext, name: string, { mutations, look }: PlantedEditing): Promise<string[]> {
  const folder = join(context.folder, name)
  mkdirSync(folder)
  const cwd = join(folder, 'sources')
  if (mutations !== undefined) copyMutatedSources(cwd, mutations)
  const server = await EditingServer.open(folder, mutations === undefined ? {} : { cwd })
  try {
    return await look(server, { ...context, folder })
  } catch (error) {
    // What a person waits for never comes.
    return [(error as Error).message]
  } finally {
    await server.close()
  }
}

async function editInBrowsers(context: ProofContext): Promise<ProofResult> {
  const { folder, seed, log } = context
  const server = await EditingServer.open(folder)
  const faults: string[] = []
  try {
    const shots = process.env.PAGES ?? join(folder, 'screens')
    mkdirSync(shots, { recursive: true })
    const browser = await openBrowser()
    const day = await new EditingSession(server, browser, shots).run().finally(() => browser.close())
    faults.push(...day.faults)
    log('a day of work done')
    faults.push(...(await writeOffline(server)), ...(await checkConflicts(server)))
    log('written without a connection')
    faults.push(...(await sharePlace(server)), ...(await useTwoTabs(server)), ...(await fillInForms(server)))
    log('shared a browser')
    faults.push(...(await closeQuickly(server)))
    log('closed tabs at once')
    const typed = await typeInLongDocument(server, times(context, 80, 1_000))
    faults.push(...letterFaults(typed))
    log('typed in a long document')
    const seconds = Number(process.env.EDITING_SECONDS ?? times(context, 15, 300))
    const results = [await writeConcurrently({ server, seed, seconds })]
    log('written beside others')
    results.push(await onPostgres(folder, (other) => writeBesideOthers(other, seed, seconds)))
    faults.push(...results.flatMap((one) => one.faults))
    const sum = (name: keyof ConcurrentResult['figures']) =>
      results.reduce((total, { figures }) => total + figures[name], 0)
    return {
      figures: {
        screens: day.screens,
        'rules passed': day.rules,
        'words typed': sum('typed'),
        'words of agents': sum('written'),
        'cuts and restarts': sum('cuts'),
        'versions shown': sum('versions'),
        'letters within ms': typed.p95,
        'slowest ms': typed.slowest,
        'blocks added a second': typed.addedPerSecond,
        faults: faults.length,
      },
      faults,
    }
  } finally {
    await server.close()
  }
}

/** What several people and agents do in one document, on another database. */
async function writeBesideOthers(server: EditingServer, seed: number, seconds: number): Promise<ConcurrentResult> {
  const earlier = [...(await writeOffline(server)), ...(await useTwoTabs(server)), ...(await closeQuickly(server))]
  const { figures, faults } = await writeConcurrently({ server, seed, seconds })
  return { figures, faults: [...earlier, ...faults].map((fault) => `On PostgreSQL: ${fault}`) }
}

async function onPostgres<Result>(folder: string, work: (server: EditingServer) => Promise<Result>): Promise<Result> {
  const database = await startPostgres()
  try {
    const server = await EditingServer.open(folder, { database: spaceAddress(database.address, 'editing') })
    return await work(server).finally(() => server.close())
  } finally {
    await database.stop()
  }
}
