/** What was changed between two texts, word by word. */
import { diffArrays } from 'diff/lib/diff/array.js'
import { PairCount } from './pair-count.ts'

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

/** The words of a text, and what stands between them. */
export const tokensOf = (text: string): string[] => text.match(TOKEN) ?? []

/** What replaces the tokens of a text from one index up to, and not including, another. */
export interface TokenEdit {
  from: number
  to: number
  tokens: readonly string[]
}

/** @returns undefined if more pairs have to be compared than are left */
export function editsBetween(
  before: string[],
  after: string[],
  pairs = new PairCount(MERGED_PAIRS),
): TokenEdit[] | undefined {
  const changes = pairs.within(() => diffArrays(before, after, { comparator: pairs.areEqual }))
  if (changes === undefined) return undefined
  const edits: TokenEdit[] = []
  let at = 0
  let last: TokenEdit | undefined
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

/** What replaces the characters of a text from one index up to, and not including, another. */
export interface TextEdit {
  from: number
  to: number
  text: string
}

/** The changes that make one text of another, in order. If they are too many to find, the whole text is one of them. */
export function textEdits(before: string, after: string): TextEdit[] {
  const tokens = tokensOf(before)
  const edits = editsBetween(tokens, tokensOf(after))
  if (edits === undefined) return [withoutSameEnds(before, { from: 0, to: before.length, text: after })]
  const starts = [0]
  for (const token of tokens) starts.push((starts.at(-1) ?? 0) + token.length)
  return edits.map(({ from, to, tokens: put }) =>
    withoutSameEnds(before, { from: starts[from] ?? 0, to: starts[to] ?? before.length, text: put.join('') }),
  )
}

/** Letters that a word begins or ends with before and after are no part of its change. */
function withoutSameEnds(before: string, { from, to, text }: TextEdit): TextEdit {
  const most = Math.min(to - from, text.length)
  let first = 0
  while (first < most && before[from + first] === text[first]) first++
  let last = 0
  while (last < most - first && before[to - 1 - last] === text[text.length - 1 - last]) last++
  return { from: from + first, to: to - last, text: text.slice(first, text.length - last) }
}
