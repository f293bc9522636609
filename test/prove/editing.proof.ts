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
import { sharePlace } from './editing/shared-place.ts'
import { useTwoTabs } from './editing/two-tabs.ts'
import { typeInLongDocument } from './editing/typing.ts'
import { type Proof, type ProofContext, type ProofResult, times } from './proof.ts'

/** Milliseconds from a key press to the frame that shows it, for 95 of 100 keys. */
const MOST_MS = 100

export const proof: Proof = {
  promise: 'Who edits a document beside others loses no word, sees what all see, and waits for no letter.',
  runsLast: true,
  run: (context) => inBrowsers(context, {}),
  // Three planted faults: calls that are answered but never sent, a page whose buttons have no names, and slow key
  // presses.
  control: (context) => inBrowsers(context, { lost: LOST, spoil: SPOILT, slowed: SLOWED }),
}

interface Planted {
  lost?: string
  spoil?: string
  slowed?: string
}

/** Scripts that run in the page. */
const LOST = `
  const send = fetch
  let count = 0
  globalThis.fetch = async (address, options) =>
    String(address).includes('/calls') && options?.headers?.['idempotency-key'] && ++count % 4 === 0
      ? Response.json({ answer: { items: [] } })
      : send(address, options)`
const SPOILT = `for (const box of document.querySelectorAll('.box, .block-handle')) { box.removeAttribute('aria-labelledby'); box.removeAttribute('aria-label'); box.textContent = '' }`
const SLOWED = `document.addEventListener('keydown', () => { for (const end = performance.now() + 80; performance.now() < end; ); }, true)`

async function inBrowsers(context: ProofContext, { lost, spoil, slowed }: Planted): Promise<ProofResult> {
  const { folder, seed, log } = context
  const isPlanted = lost !== undefined
  const server = await EditingServer.open(folder)
  const faults: string[] = []
  try {
    const shots = process.env.PAGES ?? join(folder, 'screens')
    mkdirSync(shots, { recursive: true })
    const browser = await openBrowser()
    const day = await new EditingSession(server, browser, shots, spoil).run().finally(() => browser.close())
    faults.push(...day.faults)
    log('a day of work done')
    faults.push(...(await writeOffline(server)), ...(await checkConflicts(server)))
    log('written without a connection')
    faults.push(...(await sharePlace(server)), ...(await useTwoTabs(server)), ...(await fillInForms(server)))
    log('shared a browser')
    faults.push(...(await closeQuickly(server)))
    log('closed tabs at once')
    const typed = await typeInLongDocument(server, isPlanted ? 20 : times(context, 80, 1_000), slowed)
    if (typed.p95 > MOST_MS) faults.push(`Expected letters within ${MOST_MS} ms, found ${typed.p95} ms for 95 of 100.`)
    log('typed in a long document')
    const seconds = isPlanted ? 8 : Number(process.env.EDITING_SECONDS ?? times(context, 15, 300))
    const planted = lost === undefined ? {} : { planted: lost }
    const results = [await writeConcurrently({ server, seed, seconds, ...planted })]
    if (!isPlanted) {
      log('written beside others')
      results.push(await onPostgres(folder, (other) => writeBesideOthers(other, seed, seconds)))
    }
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
    const server = await EditingServer.open(folder, spaceAddress(database.address, 'editing'))
    return await work(server).finally(() => server.close())
  } finally {
    await database.stop()
  }
}
