/**
 * Splits texts into words, for indexing, for queries and for highlighting matches. All three must agree, so all of them
 * use this file.
 *
 * A word is a run of letters, digits and marks, folded by `foldText`. Changing that function needs a migration that indexes
 * the blocks with such letters again. Scripts without spaces between words are split by the dictionaries of `Intl.Segmenter`.
 */
import { foldText } from '../../base/fold-text.ts'

/** A run of word characters, which the tokenizer of the index also treats as one word. */
const WORD_RUN = /[\p{L}\p{N}\p{M}\p{Co}]+/gu
const BEYOND_ASCII = /[^\0-\x7f]/
const SPACELESS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u
/** A word of a text, and the range of characters that it stands for. */
export interface Word {
  word: string
  from: number
  to: number
}

/** Returns a text in which the index's tokenizer finds the same words. ASCII is unchanged. */
export function segmentText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text
  return text
    .replace(WORD_RUN, (run) => (BEYOND_ASCII.test(run) ? segmentRun(run).join(' ') : run))
    .replace(NON_WORD, ' ')
}

/**
 * Characters that are not letters here must not be letters for the index either, whose tables are of another Unicode
 * version.
 */
const NON_WORD = /[^\p{L}\p{N}\p{M}\p{Co}\0-\x7f]+/gu

/** Returns the words of a text, in order. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: run, index: from } of text.matchAll(WORD_RUN)) {
    const to = from + run.length
    if (!BEYOND_ASCII.test(run)) words.push({ word: run.toLowerCase(), from, to })
    else addPieces(run, from, to, words)
  }
  return words
}

/**
 * Adds each segment with its own range if folding kept the length. Otherwise, all of them have the range of the whole
 * run.
 */
function addPieces(run: string, from: number, to: number, words: Word[]): void {
  const pieces = segmentRun(run)
  if (pieces.length > 1 && pieces.join('').length === run.length) {
    let at = from
    for (const word of pieces) {
      words.push({ word, from: at, to: at + word.length })
      at += word.length
    }
  } else for (const word of pieces) words.push({ word, from, to })
}

/** Returns the folded words of a run that is not all ASCII. */
function segmentRun(run: string): string[] {
  const folded = foldText(run)
  const runs = folded.match(WORD_RUN) ?? []
  return runs.flatMap((one) => (SPACELESS.test(one) ? segmentWords(one) : one))
}

// Created when first needed, because its dictionaries take some milliseconds to load.
let segmenter: Intl.Segmenter | undefined

function segmentWords(run: string): string[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  return Array.from(segmenter.segment(run), ({ segment }) => segment)
}

/** True if a word is in a script without spaces, where few characters make up a word. */
export const isSpaceless = (word: string): boolean => SPACELESS.test(word)
