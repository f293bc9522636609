/** The law of reading history in one document: it finds what reading all of it finds there. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { readChangedRows, readRowsChangedIn } from '../../src/space/history/changed-rows.ts'
import type { RowHistory } from '../../src/space/history/row-history.ts'
import { documentsOf } from '../../src/space/history/visible-history.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { changesOfCalls, lastCall } from '../../storage/history.ts'
import { historyTable } from '../../storage/history-tables.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { nextCall } from '../prove/calls/calls.ts'
import { Chooser } from '../prove/calls/chooser.ts'
import { Learned } from '../prove/calls/learned.ts'

const CALLS = 40
const RUNS = process.env.FC_RUNS === 'long' ? 100 : 6
const tools = toolCatalogFor(endpoints, 'full')

/** Makes random calls; some of them are refused. */
async function play(space: OpenSpace, seed: number): Promise<void> {
  const link = await space.createAccessLink('full', [], 'tester')
  const chooser = new Chooser(seed)
  const learned = new Learned()
  for (let count = 0; count < CALLS; count++) {
    const { tool, args } = nextCall(chooser, learned.pools)
    const answer = await runCall(tools.get(tool), args, { space, link }).catch((error) => {
      if (!(error instanceof ScriptoriumError)) throw error
    })
    if (answer !== undefined && 'object' in answer) learned.learn({ tool, args }, answer.object as object)
  }
}

/**
 * What calls did to rows while these were in the document, came to it or left it. Rows that were inserted with their
 * block go with it, and are read only where something else of the block changed.
 */
function eventsIn(histories: ReadonlyMap<string, RowHistory>, document: number, calls: ReadonlySet<number>) {
  const found = [...histories].map(([key, { table, now, events }]) => {
    const meant = events.filter(
      (event) =>
        calls.has(event.call) &&
        documentsOf(event).includes(document) &&
        (historyTable(table).isNumbered || event.before.isThere || event !== events[0]),
    )
    return { key, now, meant }
  })
  return found.filter(({ meant }) => meant.length > 0).sort((one, other) => (one.key < other.key ? -1 : 1))
}

test('what calls changed in a document is what all that they changed has of it', { timeout: 600_000 }, async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), async (seed, chosen) => {
      const { space } = await buildSpace()
      await play(space, seed)
      const chooser = new Chooser(chosen)
      await space.read(OPERATOR_LINK, async ({ tx }) => {
        const all = Array.from({ length: await lastCall(tx) }, (_, index) => index + 1)
        const some = chooser.some(all, 12)
        for (const calls of [all, some]) {
          const from = Math.min(...calls)
          const histories = await readChangedRows(tx, await changesOfCalls(tx, calls), from)
          const documents = new Set([...histories.values()].flatMap(({ events }) => events.flatMap(documentsOf)))
          for (const document of documents) {
            const wanted = eventsIn(histories, document, new Set(calls))
            const found = await readRowsChangedIn(tx, { documents: [document], calls, from, own: [] })
            expect(eventsIn(found, document, new Set(calls))).toEqual(wanted)
            compared += wanted.length
          }
        }
      })
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: RUNS },
  )
  expect(compared).toBeGreaterThan(0)
})
