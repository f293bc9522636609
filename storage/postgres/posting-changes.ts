/** Collects the changes of a transaction to the postings, so that a few statements write all of them. */
import { toBase, toBit } from './posting-bits.ts'

/** Bits of one row of `posting`. */
interface PostingBits {
  word: string
  document: number
  base: number
  bits: number
}

export class PostingChanges {
  readonly #removed = new Map<string, PostingBits>()
  readonly #added = new Map<string, PostingBits>()

  /** @param words  stems of an indexed block, separated by spaces */
  remove(words: string, document: number, block: number): void {
    setBits(this.#removed, words, document, block)
  }

  add(words: string, document: number, block: number): void {
    setBits(this.#added, words, document, block)
  }

  /**
   * The statements that write the changes, to be run in this order.
   *
   * @param blocks  numbers, documents and words of indexed blocks to write along with the postings
   */
  statements(blocks?: [number[], number[], string[]]): { text: string; values: unknown[][] }[] {
    // Bits that are both removed and added stay set.
    for (const [key, added] of this.#added) {
      const removed = this.#removed.get(key)
      if (removed === undefined) continue
      const both = removed.bits & added.bits
      removed.bits &= ~both
      added.bits &= ~both
    }
    const removed = arraysOf(this.#removed)
    const added = arraysOf(this.#added)
    return [
      ...(removed === undefined
        ? []
        : [
            { text: CLEAR_BITS, values: removed },
            { text: DELETE_EMPTY, values: removed.slice(0, 3) },
          ]),
      ...writing(added, blocks),
    ]
  }
}

/** Writes bits and blocks in one statement if there are both, as in most calls. */
function writing(added: unknown[][] | undefined, blocks: unknown[][] | undefined) {
  if (added !== undefined && blocks !== undefined) return [{ text: SET_BOTH, values: [...added, ...blocks] }]
  if (added !== undefined) return [{ text: SET_BITS, values: added }]
  return blocks === undefined ? [] : [{ text: writeBlocks(1), values: blocks }]
}

function setBits(rows: Map<string, PostingBits>, words: string, document: number, block: number): void {
  const [base, bit] = [toBase(block), toBit(block)]
  for (const word of new Set(words.split(' '))) {
    if (word === '' || word === '|') continue
    const key = `${document} ${base} ${word}`
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { word, document, base, bits: bit })
    else row.bits |= bit
  }
}

function arraysOf(rows: ReadonlyMap<string, PostingBits>): unknown[][] | undefined {
  const changed = [...rows.values()].filter(({ bits }) => bits !== 0)
  if (changed.length === 0) return undefined
  return [
    changed.map(({ word }) => word),
    changed.map(({ document }) => document),
    changed.map(({ base }) => base),
    changed.map(({ bits }) => bits),
  ]
}

const GIVEN = 'unnest($1::text[], $2::bigint[], $3::bigint[], $4::integer[]) AS given (word, document, base, bits)'
const IS_GIVEN = 'posting.word = given.word AND posting.document = given.document AND posting.base = given.base'

const CLEAR_BITS = `UPDATE posting SET bits = posting.bits & ~given.bits FROM ${GIVEN} WHERE ${IS_GIVEN}`
const DELETE_EMPTY = `DELETE FROM posting
  USING unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (word, document, base)
  WHERE ${IS_GIVEN} AND posting.bits = 0`
const SET_BITS = `INSERT INTO posting (word, document, base, bits)
  SELECT given.word, given.document, given.base, given.bits FROM ${GIVEN}
  ON CONFLICT (space, word, document, base) DO UPDATE SET bits = posting.bits | excluded.bits`

/** @param first  the number of the first of its three parameters */
const writeBlocks = (first: number): string => `INSERT INTO indexed_block (block, document, words)
  SELECT given.block, given.document, given.words
  FROM unnest($${first}::bigint[], $${first + 1}::bigint[], $${first + 2}::text[]) AS given (block, document, words)
  ON CONFLICT (space, block) DO UPDATE SET document = excluded.document, words = excluded.words`
const SET_BOTH = `WITH posted AS (${SET_BITS}) ${writeBlocks(5)}`
