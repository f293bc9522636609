/** Calls of one client, the same on both engines, in a space whose documents have realistic word frequencies. */
import { type Figure, type Goal, interleaved, median, timed } from './figure.ts'
import { makeSentences, wordOf } from './growth-space.ts'
import { addDocument, type Workbench } from './workbench.ts'

const DOCUMENTS = 1_000
/** The number of documents that one call adds. */
const PER_CALL = 50
const BLOCKS_A_DOCUMENT = 20
const BLOCKS_OF_BULK = 10
/** Ranks of words: the first occurs in about a tenth of the blocks, the second in about a thousandth. */
const COMMON = 30
const RARE = 3_000
const SMALL_ROUNDS = 100
const BULK_ROUNDS = 12

/** A call whose arguments differ in each round. */
export interface BenchCall {
  what: string
  tool: string
  args(turn: number): object
  rounds: number
}

interface Filled {
  bench: Workbench
  /** The documents to read. */
  read: readonly string[]
  /** The document to write to. */
  write: string
}

/** Fills a space with documents, always the same ones. */
export async function fillSpace(bench: Workbench): Promise<Filled> {
  const sentence = makeSentences()
  const read: string[] = []
  for (let made = 0; made < DOCUMENTS; made += PER_CALL) {
    const documents = newDocuments(PER_CALL, BLOCKS_A_DOCUMENT, sentence)
    const { items } = await bench.call<{ items: { id: string }[] }>('documents_add', { documents })
    read.push(...items.map(({ id }) => id))
  }
  return { bench, read, write: await addDocument(bench, 'Written to') }
}

function newDocuments(count: number, blocks: number, sentence: () => string): object[] {
  return Array.from({ length: count }, () => ({
    title: sentence().slice(0, 40),
    markdown: Array.from({ length: blocks }, sentence).join('\n\n'),
  }))
}

const sentence = makeSentences()

/** @param space  IDs of documents, which correspond to those in other spaces */
export const callsOf = ({ read, write }: Filled): Record<'read' | 'write' | 'common' | 'rare' | 'bulk', BenchCall> => ({
  read: {
    what: `blocks_get of ${BLOCKS_A_DOCUMENT + 1} blocks`,
    tool: 'blocks_get',
    args: (turn) => ({ id: read[(turn * 37) % read.length] }),
    rounds: SMALL_ROUNDS,
  },
  write: {
    what: 'blocks_add of one block',
    tool: 'blocks_add',
    args: () => ({ markdown: 'A line that **says** something.', position: { position: 'end', pageId: write } }),
    rounds: SMALL_ROUNDS,
  },
  common: {
    what: 'documents_search, a common word',
    tool: 'documents_search',
    args: (turn) => ({ include: wordOf(COMMON + (turn % 20)) }),
    rounds: SMALL_ROUNDS,
  },
  rare: {
    what: 'documents_search, a rare word',
    tool: 'documents_search',
    args: (turn) => ({ include: wordOf(RARE + turn) }),
    rounds: SMALL_ROUNDS,
  },
  bulk: {
    what: `documents_add of ${PER_CALL} documents of ${BLOCKS_OF_BULK} blocks`,
    tool: 'documents_add',
    args: () => ({ documents: newDocuments(PER_CALL, BLOCKS_OF_BULK, sentence) }),
    rounds: BULK_ROUNDS,
  },
})

/** Times corresponding calls on two spaces in turns. */
export async function compareInTurns(
  [ours, ourCall]: [Workbench, BenchCall],
  [bare, bareCall]: [Workbench, BenchCall],
  goal: Goal,
): Promise<Figure> {
  let turn = 0
  const timeOf =
    (bench: Workbench, { tool, args }: BenchCall) =>
    () =>
      timed(() => bench.call(tool, args(Math.floor(turn++ / 2))))
  const result = await interleaved(ourCall.rounds, timeOf(ours, ourCall), timeOf(bare, bareCall))
  return { what: ourCall.what, floor: 'SQLite', ...result, unit: 'ms', goal }
}

/** Returns the median of a call's times in milliseconds. */
export async function timeOfCall(bench: Workbench, { tool, args, rounds }: BenchCall): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn <= rounds; turn++) times.push(await timed(() => bench.call(tool, args(turn))))
  return median(times.slice(1))
}
