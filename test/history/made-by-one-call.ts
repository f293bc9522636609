/** Spaces in which one call made everything, and how many rows reading them takes. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { type Asker, askerOf } from '../rest/rest-asker.ts'

const MARKDOWN = 'one\n\ntwo\n\nthree\n\nfour'
/** A document is its root block and four others. */
export const BLOCKS = 5
/** Numbers of documents. */
export const FEW = 20
export const MANY = 60

export interface Made {
  full: Connected
  /** Reaches only the daily note. */
  narrow: Connected
  /** The daily note. */
  documentId: string
  /** The call that added all documents. */
  callId: string
  /** Asks over REST, with full reach. */
  asker: Asker
}

/** A space in which one call added a daily note and this many documents, and another one changed the daily note. */
export async function madeByOneCall(documents: number): Promise<Made> {
  const full = await connect('full', { era: '2025' })
  const position = { position: 'end', date: 'today' }
  const list = Array.from({ length: documents }, (_, index) => ({ title: `D${index}`, markdown: MARKDOWN }))
  await full.call('batch', {
    steps: [
      { tool: 'blocks_add', arguments: { markdown: MARKDOWN, position } },
      { tool: 'documents_add', arguments: { documents: list } },
    ],
  })
  const [{ callId }] = (await full.call('history_list', { limit: 1 })).items
  await full.call('blocks_add', { markdown: 'more', position })
  const { id: documentId } = await full.call('blocks_get', { date: 'today', format: 'json' })
  const narrow = await connect('daily', { to: full, era: '2025' })
  return { full, narrow, documentId, callId, asker: await askerOf({ to: full }) }
}

/** Runs calls, and counts the rows that their statements return. Other work on the engine may go on meanwhile. */
export async function costOf(
  made: Made,
  work: (made: Made) => Promise<Answer>,
): Promise<{ rows: number; answer: Answer }> {
  const engine = await made.full.space.read(OPERATOR_LINK, async ({ tx }) => Object.getPrototypeOf(tx) as Transaction)
  let rows = 0
  const read = engine.all
  engine.all = async function (this: Transaction, ...args) {
    const found = await read.apply(this, args)
    if (isCounted.getStore() === true) rows += found.length
    return found
  } as typeof read
  try {
    const answer = await isCounted.run(true, () => work(made))
    return { rows, answer }
  } finally {
    engine.all = read
  }
}

const isCounted = new AsyncLocalStorage<boolean>()
