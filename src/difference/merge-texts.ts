/**
 * Merges two changed versions of a text word by word, as diff3 does with lines.
 *
 * Source: S. Khanna, K. Kunal, B. C. Pierce, "A Formal Investigation of Diff3", 2007. Unlike there, two changes that only
 * touch each other are no conflict, and two words that were put in at the same place both stay.
 */
import { diffArrays } from 'diff/lib/diff/array.js'
import { PairCount } from './pair-count.ts'

/** What replaces the tokens of the common text from one index up to, and not including, another. */
interface Edit {
  from: number
  to: number
  tokens: readonly string[]
}

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
  const edits = one && other && mergeEdits(one, other)
  return edits && textWith(tokens, edits)
}

/** Pairs of words that one call compares. It takes about 50 ms, for which a call holds up the writes of others. */
export const MERGED_PAIRS = 300_000

/** In these scripts no spaces stand between words, so that each character counts as one. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]'
const LETTER = `(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])`
/**
 * What changes as a whole: an address with its brackets, a tag, a word or number with the signs inside of it, and a run
 * of the same sign, such as the two asterisks of bold text.
 */
const TOKEN = new RegExp(
  [
    String.raw`\]\([^()\s]*\)`,
    String.raw`https?:\/\/[^\s<>()]+`,
    String.raw`<[^<>\n]{0,200}>`,
    `${UNSPACED}\\p{M}*`,
    `${LETTER}+(?:['’.,:/@_-]${LETTER}+)*`,
    String.raw`\n`,
    String.raw`[^\S\n]+`,
    String.raw`([^\p{L}\p{N}\s])\1*`,
    '.',
  ].join('|'),
  'gsu',
)

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? []

function editsBetween(before: string[], after: string[], pairs: PairCount): Edit[] | undefined {
  const changes = pairs.within(() => diffArrays(before, after, { comparator: pairs.areEqual }))
  if (changes === undefined) return undefined
  const edits: Edit[] = []
  let at = 0
  let last: Edit | undefined
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      at += value.length
      last = undefined
      continue
    }
    if (last === undefined) {
      last = { from: at, to: at, tokens: [] }
      edits.push(last)
    }
    if (added) last.tokens = [...last.tokens, ...value]
    else {
      at += value.length
      last.to = at
    }
  }
  return edits
}

function mergeEdits(mine: Edit[], theirs: Edit[]): Edit[] | undefined {
  const [ours, others] = [[...mine], [...theirs]]
  const merged: Edit[] = []
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
    const joined = joinEdits(one, other)
    if (joined === undefined) return undefined
    ours.shift()
    others.shift()
    // What was removed may reach into the next change of the other side.
    if (one.to >= other.to) ours.unshift(joined)
    else others.unshift(joined)
  }
}

const isInsertion = ({ from, to }: Edit): boolean => from === to
const isDeletion = ({ tokens }: Edit): boolean => tokens.length === 0

/** True if both change the same words, or put some in at the same place. */
function doMeet(one: Edit, other: Edit): boolean {
  if (isInsertion(one) && isInsertion(other)) return one.from === other.from
  return one.from < other.to && other.from < one.to
}

function joinEdits(mine: Edit, theirs: Edit): Edit | undefined {
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
  if (![own, other].every((text) => IN_WORDS.test(text))) return undefined
  if (from === 0 && [own, other].some((text) => STARTS_KIND.test(text))) return undefined
  const isGlued = ENDS_IN_WORD.test(other) && STARTS_WITH_WORD.test(own)
  return { from, to, tokens: [...theirs.tokens, ...(isGlued ? [' '] : []), ...mine.tokens] }
}

/** True if the tokens are the first or the last ones of others. */
function isAtEdge(few: readonly string[], many: readonly string[]): boolean {
  const skipped = many.length - few.length
  return (
    skipped >= 0 &&
    (few.every((token, index) => token === many[index]) || few.every((token, index) => token === many[index + skipped]))
  )
}

const IN_WORDS = /[\p{L}\p{N}]/u
/** A word, or a sentence, which a space follows. */
const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}.,;:!?]$/u
const STARTS_WITH_WORD = /^[\p{L}\p{N}]/u
/** What may make another kind of block of a text: the marks of lists, headings, quotes and tables. */
const STARTS_KIND = /^\s*(?:[-+*>#|`<]|\d{1,9}[.)])/

function textWith(tokens: readonly string[], edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, tokens: put } of edits) {
    parts.push(...tokens.slice(at, from), ...put)
    at = to
  }
  return [...parts, ...tokens.slice(at)].join('')
}
