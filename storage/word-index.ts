/** The word index. Each engine has its own, and updates it in the transactions that change blocks. */
import type { BlockRow } from './schema.ts'

/** The indexed text of a block, split into words that the index can separate, and the targets of its links. */
export interface IndexedText {
  /** For a page, item or collection. */
  title: string
  text: string
  /** The targets of its links: short IDs or former UUIDs; absent if there are none. */
  targets?: readonly string[]
  /** Its tags, each once, with the tags that contain them; absent if there are none. */
  tags?: readonly IndexedTag[]
}

/** A tag of a block. */
export interface IndexedTag {
  /** In the form in which tags are compared. */
  tag: string
  /** As it is written. */
  name: string
  /** True for a tag in front matter. It only counts while the block is the first one of its document. */
  isProperty: boolean
}

/** Extracts the indexed text from a block and its related texts, such as values of an item and comments. */
export type TextExtractor = (row: BlockRow, related: readonly string[]) => IndexedText | Promise<IndexedText>

/** Splits texts into words, for an engine without its own tokenizer. */
export interface WordTools {
  extract: TextExtractor
  /** The words of an indexed text in order, in lower case. */
  split(text: string): string[]
  /** The stem of a word in lower case: words with the same stem are forms of one word. */
  stem(word: string): string
}

/** A match: the number of its document, and of its block. */
export type HitPlace = [document: number, n: number]

/** Consecutive words of a text. Other forms of these words match too, if their stems are the same. */
export interface WordPhrase {
  /** In lower case, as texts are split into words: letters, digits and marks only. */
  words: readonly string[]
  /** True if the last word may be only the beginning of a word. */
  isPrefix?: boolean
}

/** A query: a block matches if it contains any of these phrases. */
export type WordQuery = readonly WordPhrase[]

/** Blocks with numbers in a half-open range, or blocks with the given numbers. */
export type BlockRange = { from: number; to: number } | { blocks: readonly number[] }

/**
 * The highest number of a block, and so of a document. An index may combine both in one number of 63 bits, and numbers
 * are never reused, so this bounds the blocks created in the life of a space: 1,000 a second for 24 days.
 */
export const MAX_BLOCK_NUMBER = 2 ** 31 - 1

/**
 * The index within one transaction. Code that writes a row marks it here. Marked rows are indexed once, before COMMIT,
 * so only their final state is read, even if a block changes twice or an item gets its values after its block.
 */
export interface WordIndex {
  /** Marks new rows. */
  noteInserted(rows: readonly BlockRow[]): void
  /** Marks blocks whose own or related text changed. */
  noteChanged(ns: Iterable<number>): void
  /** Marks items whose values changed. The row of a new item stays valid, since only its values changed. */
  noteValues(items: Iterable<number>): void
  /** Marks blocks before they are deleted or moved to another document. */
  noteRemoved(ns: readonly number[]): Promise<void>
  /** Marks the items that have a value of one of these properties or options. */
  noteItemsWithValues(column: 'property' | 'option', ns: readonly number[]): Promise<void>
  /** Indexes the rows marked so far, so that queries in this transaction find them. */
  indexPending(): Promise<void>

  /**
   * Blocks that match a query: at most `limit`, newest documents first, after a given place if any (by document, then
   * number, both descending).
   */
  findHits(query: WordQuery, before: HitPlace | undefined, limit: number): Promise<HitPlace[]>
  /** The blocks of one document that match a query: at most `limit`, by ascending number. */
  documentHits(query: WordQuery, document: number, limit: number): Promise<number[]>
  /**
   * The documents with matching blocks in a half-open range of document numbers, ascending, one entry per block.
   *
   * @param documents  restricts the result to these documents
   */
  documentsWithHits(query: WordQuery, from: number, to: number, documents?: readonly number[]): Promise<number[]>
  /** Like documentsWithHits, with the number of each block. */
  hitsInDocuments(query: WordQuery, from: number, to: number, documents: readonly number[]): Promise<HitPlace[]>
  /** Returns those of the given stems that occur in any block of the space. */
  knownWords(stems: readonly string[]): Promise<string[]>
  /** Stems of the space with this beginning, in order: at most `limit`. */
  wordsWithBeginning(beginning: string, limit: number): Promise<string[]>
  /**
   * Blocks whose Markdown, as shown to any connection, may contain any of these strings in upper or lower case, sorted
   * by number. A block is included if a match cannot be ruled out quickly.
   *
   * @param letters  strings of two or more lower-case ASCII letters
   */
  blocksThatMayContain(letters: readonly string[], range: BlockRange): Promise<HitPlace[]>
}
