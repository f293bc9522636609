/** Queries on PostgreSQL's word index. They implement the queries of {@link WordIndex}. */
import { createHash } from 'node:crypto'
import type { BlockRange, HitPlace, WordTools } from '../word-index.ts'
import type { DatabaseTransaction } from './database-transaction.ts'
import { blocksOf, toBase } from './posting-bits.ts'

/** A query whose words are replaced by their stems. */
export type StemmedQuery = readonly { stems: readonly string[]; isPrefix: boolean }[]

/** Maximum number of characters of an indexed stem. PostgreSQL limits index rows to a few kilobytes. */
const MAX_STEM_LENGTH = 100

/** A stem as it is indexed: a long one is cut off, and followed by a hash of the whole stem. */
function indexedStem(stem: string): string {
  if (stem.length <= MAX_STEM_LENGTH) return stem
  return `${stem.slice(0, MAX_STEM_LENGTH)}~${createHash('sha256').update(stem).digest('hex').slice(0, 16)}`
}

/** The stems of a block: those of its title, a bar that no phrase can match across, and those of its text. */
export function indexedStems({ split, stem }: WordTools, title: string, text: string): string {
  const stems = (part: string) => split(part).map((word) => indexedStem(stem(word)))
  const [ofTitle, ofText] = [stems(title), stems(text)]
  if (ofTitle.length === 0 && ofText.length === 0) return ''
  return ` ${[...ofTitle, '|', ...ofText].join(' ')} `
}

/**
 * Maximum number of words of a phrase to look up in postings. Each is one more table to join, and the database's
 * planning time grows exponentially with them: 1 ms for four, 20 ms for eight. The candidates are then checked for the
 * whole phrase.
 */
const LOOKED_UP = 4

/**
 * The distinct words of a phrase to look up, as they are indexed. If there are too many, the longest, since the most
 * common words are short.
 */
function lookedUp(stems: readonly string[], isPrefix: boolean): { stem: string; isBeginning: boolean }[] {
  const last = stems.length - 1
  const whole = new Set(isPrefix ? stems.slice(0, last) : stems)
  const words = [...whole].map((stem) => ({ stem: indexedStem(stem), isBeginning: false }))
  if (isPrefix) words.push({ stem: indexedStem(stems[last] ?? ''), isBeginning: true })
  return words.toSorted((one, other) => other.stem.length - one.stem.length).slice(0, LOOKED_UP)
}

/** Builds SQL on postings, and collects its numbered parameters. */
class PostingQuery {
  readonly values: unknown[] = []

  /** Adds a parameter. @returns its placeholder with a cast */
  bind(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }

  /**
   * The postings of a query: rows of document, base and bits.
   *
   * @param within  a condition on rows of `first`
   */
  select(query: StemmedQuery, within: string): string {
    const [single, ...others] = query.map((phrase) => this.#phrase(phrase, within))
    if (single === undefined) throw new Error('Expected a query with words.')
    if (others.length === 0 && !needsGrouping(query)) return single
    return `SELECT document, base, bit_or(bits) AS bits FROM (${[single, ...others].join(' UNION ALL ')}) AS found
      GROUP BY document, base`
  }

  #phrase({ stems, isPrefix }: StemmedQuery[number], within: string): string {
    const words = lookedUp(stems, isPrefix).map(({ stem, isBeginning }, index) => {
      const alias = index === 0 ? 'first' : `word_${index}`
      const bound = this.bind(stem, 'text')
      const condition = isBeginning
        ? `${alias}.word >= ${bound} AND ${alias}.word < ${this.bind(`${stem}\u{10ffff}`, 'text')}`
        : `${alias}.word = ${bound}`
      return { alias, condition }
    })
    const joins = words
      .slice(1)
      .map(
        ({ alias, condition }) =>
          `JOIN posting AS ${alias} ON ${alias}.document = first.document AND ${alias}.base = first.base AND ${condition}`,
      )
    const bits = words.map(({ alias }) => `${alias}.bits`).join(' & ')
    const select = `SELECT first.document, first.base, ${bits} AS bits FROM posting AS first ${joins.join(' ')}
      WHERE ${words[0]?.condition} AND ${within}`
    return stems.length === 1 ? select : this.#adjacent(select, stems, isPrefix)
  }

  /** Of the blocks that contain all words of a phrase, selects those that contain them one after another. */
  #adjacent(select: string, stems: readonly string[], isPrefix: boolean): string {
    const phrase = ` ${stems.map(indexedStem).join(' ')}${isPrefix ? '' : ' '}`
    return `SELECT candidate.document, candidate.base, bit_or(1 << bit.index) AS bits
      FROM (${select}) AS candidate CROSS JOIN generate_series(0, 31) AS bit (index)
        JOIN indexed_block ON indexed_block.block = candidate.base * 32 + bit.index
      WHERE candidate.bits & (1 << bit.index) <> 0 AND strpos(indexed_block.words, ${this.bind(phrase, 'text')}) > 0
      GROUP BY candidate.document, candidate.base`
  }
}

/** True if the same blocks can be in several postings, since a prefix matches several words. */
const needsGrouping = (query: StemmedQuery): boolean =>
  query.some(({ stems, isPrefix }) => isPrefix && stems.length === 1)

interface Posting {
  document: number
  base: number
  bits: number
}

const HIGHEST = Number.MAX_SAFE_INTEGER

/** Blocks that match a query: at most `limit`, newest documents first, after a given place if any. */
export async function findHits(
  tx: DatabaseTransaction,
  query: StemmedQuery,
  before: HitPlace | undefined,
  limit: number,
): Promise<HitPlace[]> {
  const postings = new PostingQuery()
  const [document, n] = before ?? [HIGHEST, 0]
  const within = `(first.document, first.base) <= (${postings.bind(document, 'bigint')}, ${postings.bind(toBase(n), 'bigint')})`
  const found = await select(tx, postings, query, within, 'document DESC, base DESC', limit)
  const hits: HitPlace[] = []
  for (const { document: of, base, bits } of found) {
    for (const block of blocksOf(base, bits).reverse()) {
      if (of === document && block >= n) continue
      hits.push([of, block])
      if (hits.length === limit) return hits
    }
  }
  return hits
}

/** The blocks of one document that match a query: at most `limit`, by ascending number. */
export async function documentHits(
  tx: DatabaseTransaction,
  query: StemmedQuery,
  document: number,
  limit: number,
): Promise<number[]> {
  const postings = new PostingQuery()
  const within = `first.document = ${postings.bind(document, 'bigint')}`
  const found = await select(tx, postings, query, within, 'base', limit)
  return found.flatMap(({ base, bits }) => blocksOf(base, bits)).slice(0, limit)
}

/** The blocks that match in a half-open range of document numbers, ascending by document and number. */
export async function hitsBetween(
  tx: DatabaseTransaction,
  query: StemmedQuery,
  from: number,
  to: number,
  documents?: readonly number[],
): Promise<HitPlace[]> {
  const postings = new PostingQuery()
  const range = `first.document >= ${postings.bind(from, 'bigint')} AND first.document < ${postings.bind(to, 'bigint')}`
  const within =
    documents === undefined ? range : `${range} AND first.document = ANY(${postings.bind(documents, 'bigint[]')})`
  const found = await select(tx, postings, query, within, 'document, base')
  return found.flatMap(({ document, base, bits }) => blocksOf(base, bits).map((block): HitPlace => [document, block]))
}

async function select(
  tx: DatabaseTransaction,
  postings: PostingQuery,
  query: StemmedQuery,
  within: string,
  order: string,
  limit?: number,
): Promise<Posting[]> {
  const rows = postings.select(query, within)
  const limited = limit === undefined ? '' : `LIMIT ${postings.bind(limit, 'bigint')}`
  const text = `SELECT document, base, bits FROM (${rows}) AS matching WHERE bits <> 0 ORDER BY ${order} ${limited}`
  return (await tx.query<Posting>(text, postings.values)).rows
}

/** Returns those of the given stems that occur in any block. */
export async function knownWords(tx: DatabaseTransaction, stems: readonly string[]): Promise<string[]> {
  const byIndexed = new Map(stems.map((stem) => [indexedStem(stem), stem]))
  const { rows } = await tx.query<{ word: string }>(
    `SELECT given.word FROM unnest($1::text[]) AS given (word)
     WHERE EXISTS (SELECT 1 FROM posting WHERE posting.word = given.word)`,
    [[...byIndexed.keys()]],
  )
  return rows.flatMap(({ word }) => byIndexed.get(word) ?? [])
}

/** Stems with this beginning, in order: at most `limit`, with one index lookup for each. */
export async function wordsWithBeginning(tx: DatabaseTransaction, beginning: string, limit: number): Promise<string[]> {
  const next = (after: string) =>
    `SELECT word FROM posting WHERE word > ${after} AND word < $2::text ORDER BY word LIMIT 1`
  const { rows } = await tx.query<{ word: string }>(
    `WITH RECURSIVE found (word, count) AS (
       SELECT (${next('$1::text')}), 1
       UNION ALL
       SELECT (${next('found.word')}), found.count + 1 FROM found WHERE found.word IS NOT NULL AND found.count < $3::bigint
     ) SELECT word FROM found WHERE word IS NOT NULL ORDER BY count`,
    [beginning, `${beginning}\u{10ffff}`, limit],
  )
  return rows.map(({ word }) => word)
}

/** ASCII letters that have a non-ASCII case variant: the long s and the Kelvin sign. */
const FOLDING_LETTERS = [
  ['s', '\u017f'],
  ['k', '\u212a'],
] as const

/** The same condition as in the SQLite engine; see there. */
const MAY_CONTAIN = `CASE
  WHEN type = 'text' AND attributes IS NULL THEN has OR text = '' OR text ~ '[<:&[]'
  WHEN type IN ('page', 'collection', 'collectionItem') THEN has OR text ~ '[^-a-zA-Z0-9 .,]'
  ELSE true END`

/** Blocks whose Markdown, as shown to any connection, may contain any of these strings in upper or lower case. */
export async function blocksThatMayContain(
  tx: DatabaseTransaction,
  letters: readonly string[],
  range: BlockRange,
): Promise<HitPlace[]> {
  const others = FOLDING_LETTERS.filter(([letter]) => letters.some((text) => text.includes(letter)))
  const mayHave = [MAY_CONTAIN, ...others.map(([, other]) => `strpos(text, '${other}') > 0`)].join(' OR ')
  const [where, values] =
    'blocks' in range
      ? ['n = ANY($2::bigint[])', [range.blocks]]
      : ['n >= $2::bigint AND n < $3::bigint', [range.from, range.to]]
  const { rows } = await tx.query<{ document: number; n: number }>(
    `SELECT document, n FROM (
       SELECT document, n, type, text, attributes,
         EXISTS (SELECT 1 FROM unnest($1::text[]) AS part WHERE strpos(lower(text), part) > 0) AS has
       FROM block WHERE ${where}) AS examined
     WHERE ${mayHave} ORDER BY n`,
    [letters, ...values],
  )
  return rows.map(({ document, n }) => [document, n])
}
