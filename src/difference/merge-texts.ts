/**
 * Merges two changed versions of a text word by word, as diff3 does with lines.
 *
 * Source: S. Khanna, K. Kunal, B. C. Pierce, "A Formal Investigation of Diff3", 2007. Unlike there, two changes that only
 * touch each other are no conflict, and two words that were put in at the same place both stay.
 */
import { PairCount } from './pair-count.ts'
import { editsBetween, MERGED_PAIRS, type TokenEdit, tokensOf } from './text-edits.ts'

/**
 * @param base  the text that both began with
 * @param mine  what one side made of it
 * @param theirs  what the other side made of it
 * @param pairs  pairs of words that may be compared; several merges of one call share them
 * @returns the text with the changes of both; undefined if both changed the same words, or too much was changed
 */
export function mergeTexts(
  base: string,
  mine: string,
  theirs: string,
  pairs = new PairCount(MERGED_PAIRS),
): string | undefined {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (pairs.isReached) return undefined
  const tokens = tokensOf(base)
  const [one, other] = [mine, theirs].map((text) => editsBetween(tokens, tokensOf(text), pairs))
  const edits = one && other && mergeEdits(one, other, tokens)
  return edits && textWith(tokens, edits)
}

function mergeEdits(mine: TokenEdit[], theirs: TokenEdit[], base: readonly string[]): TokenEdit[] | undefined {
  const [ours, others] = [[...mine], [...theirs]]
  const merged: TokenEdit[] = []
  for (;;) {
    const [one, other] = [ours[0], others[0]]
    if (one === undefined || other === undefined) return [...merged, ...ours, ...others]
    if (!doMeet(one, other)) {
      const isFirst = one.from < other.from || (one.from === other.from && one.to <= other.to)
      merged.push(isFirst ? one : other)
      if (isFirst) ours.shift()
      else others.shift()
      continue
    }
    const joined = joinEdits(one, other, base)
    if (joined === undefined) return undefined
    ours.shift()
    others.shift()
    // What was removed may reach into the next change of the other side.
    if (one.to >= other.to) ours.unshift(joined)
    else others.unshift(joined)
  }
}

const isInsertion = ({ from, to }: TokenEdit): boolean => from === to
const isDeletion = ({ tokens }: TokenEdit): boolean => tokens.length === 0

/** True if both change the same words, or put some in at the same place. */
function doMeet(one: TokenEdit, other: TokenEdit): boolean {
  if (isInsertion(one) && isInsertion(other)) return one.from === other.from
  return one.from < other.to && other.from < one.to
}

function joinEdits(mine: TokenEdit, theirs: TokenEdit, base: readonly string[]): TokenEdit | undefined {
  const { from, to } = mine
  const [own, other] = [mine, theirs].map(({ tokens }) => tokens.join('')) as [string, string]
  if (from === theirs.from && to === theirs.to && own === other) return mine
  if (isDeletion(mine) && isDeletion(theirs)) {
    return { from: Math.min(from, theirs.from), to: Math.max(to, theirs.to), tokens: [] }
  }
  if (!isInsertion(mine) || !isInsertion(theirs)) return undefined
  // What was sent twice, once with more. The first letters of a word are not that word.
  if (isAtEdge(theirs.tokens, mine.tokens)) return mine
  if (isAtEdge(mine.tokens, theirs.tokens)) return theirs
  const [isMark, isOtherMark] = [own, other].map((text) => MARKS_ALONE.test(text))
  if (isMark !== isOtherMark) {
    const marks = isMark ? mine : theirs
    const words = isMark ? theirs : mine
    const edge = edgeOf(from, base)
    if (edge === undefined) return undefined
    const tokens = edge === 'end' ? [...marks.tokens, ...words.tokens] : [...words.tokens, ...marks.tokens]
    return { from, to, tokens }
  }
  if (![own, other].every((text) => IN_WORDS.test(text))) return undefined
  if (from === 0 && [own, other].some((text) => STARTS_KIND.test(text))) return undefined
  const isGlued = ENDS_IN_WORD.test(other) && STARTS_WITH_WORD.test(own)
  return { from, to, tokens: [...theirs.tokens, ...(isGlued ? [' '] : []), ...mine.tokens] }
}

/**
 * Which end of a marked text a mark is that is put in at a place: what stands before the end of it is marked, and what
 * stands behind its start. Undefined in the middle of a word.
 */
function edgeOf(place: number, base: readonly string[]): 'start' | 'end' | undefined {
  const [isAfterWord, isBeforeWord] = [base[place - 1], base[place]].map((token) => IN_WORDS.test(token ?? ''))
  if (isAfterWord === isBeforeWord) return undefined
  return isAfterWord ? 'end' : 'start'
}

/** True if the tokens are the first or the last ones of others. */
function isAtEdge(few: readonly string[], many: readonly string[]): boolean {
  const skipped = many.length - few.length
  return (
    skipped >= 0 &&
    (few.every((token, index) => token === many[index]) || few.every((token, index) => token === many[index + skipped]))
  )
}

/** Signs, tags and addresses that mark the words beside them. */
const MARKS_ALONE = /^(?:\*+|_+|~~|==|`+|<\/?[a-z][^<>]*>|\[|\]\([^()\s]*\))+$/i
const IN_WORDS = /[\p{L}\p{N}]/u
/** A word, or a sentence, which a space follows. */
const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}.,;:!?]$/u
const STARTS_WITH_WORD = /^[\p{L}\p{N}]/u
/** What may make another kind of block of a text: the marks of lists, headings, quotes and tables. */
const STARTS_KIND = /^\s*(?:[-+*>#|`<]|\d{1,9}[.)])/

function textWith(tokens: readonly string[], edits: readonly TokenEdit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, tokens: put } of edits) {
    parts.push(...tokens.slice(at, from), ...put)
    at = to
  }
  return [...parts, ...tokens.slice(at)].join('')
}
