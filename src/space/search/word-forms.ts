/**
 * Other forms under which the index may contain a word: written as two words, or with its spelling corrected. The words
 * of the whole space only decide what is looked up; all results are within the scope of the search.
 */
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { HitReader } from './hit-reader.ts'
import type { SearchScope } from './search-scope.ts'
import { exactQuery, otherSpellings, type Term } from './search-terms.ts'
import { stem } from './stem.ts'
import { isSpaceless } from './word-segmentation.ts'

/**
 * The maximum number of words per search that are looked up in other spellings, and that are corrected. Each takes hundreds
 * of index lookups.
 */
const MAX_RESPELLED_TERMS = 20
export const MAX_CORRECTED_TERMS = 5

/**
 * Returns other spellings that exist in the scope: two consecutive words for words that may also be written together
 * (`log in` for `login`), and short words before a particle (`AI를` for `AI`).
 */
export async function termsWrittenOtherwise(
  space: Space,
  scope: SearchScope,
  terms: readonly Term[],
): Promise<Map<Term, HitReader>> {
  const forms = terms.slice(0, MAX_RESPELLED_TERMS).flatMap(otherSpellings)
  const found = new Map<Term, HitReader>()
  if (forms.length === 0) return found
  const known = new Set(await space.tx.words.knownWords([...new Set(forms.flatMap(({ words }) => words.map(stem)))]))
  for (const form of forms) {
    if (!form.words.every((word) => known.has(stem(word)))) continue
    const hits = new HitReader(exactQuery(form), false)
    await hits.read(space, scope, 1)
    if (hits.count > 0) found.set(form, new HitReader(exactQuery(form), false))
    await yieldToEventLoop()
  }
  return found
}

/**
 * The minimum length of a word that may have two letters swapped, one wrong, and two wrong. Shorter words have too many
 * similar ones.
 */
const MIN_LENGTH_SWAP = 4
const MIN_LENGTH_ONE_EDIT = 5
const MIN_LENGTH_TWO_EDITS = 6
const MAX_LENGTH = 32
/** A word with two wrong letters must match in this many first letters. */
const SAME_BEGINNING = 3
/** The maximum number of words with the same first letters that are compared. */
const MAX_NEIGHBORS = 2_000
/** Hits that are counted to find the more common of two words. */
const COUNTED_HITS = 1_000

/**
 * Returns the word in the scope that a misspelled word was probably meant to be: the one with the fewest letters
 * changed, dropped, added or swapped. Of equal ones a swap comes first, then the most common word. A word of English is
 * not misspelled, even if no text has it.
 */
export async function correctedTerm(space: Space, scope: SearchScope, term: Term): Promise<Term | undefined> {
  const [word = ''] = term.words
  const letters = lettersFor(word)
  if (term.words.length > 1 || letters === undefined || word.length < MIN_LENGTH_SWAP || word.length > MAX_LENGTH) {
    return undefined
  }
  // Loaded when first needed, since it has some 60,000 words.
  const { isEnglishWord } = await import('./english-words.ts')
  if (isEnglishWord(word)) return undefined
  for (const forms of [swaps(word), word.length < MIN_LENGTH_ONE_EDIT ? [] : edits(word, letters)]) {
    const near = await mostCommon(space, scope, term, await knownForms(space, forms))
    if (near !== undefined) return near
  }
  if (word.length < MIN_LENGTH_TWO_EDITS) return undefined
  const stemmed = stem(word)
  const beginning = stemmed.slice(0, SAME_BEGINNING)
  const neighbors = await space.tx.words.wordsWithBeginning(beginning, MAX_NEIGHBORS)
  await yieldToEventLoop()
  return mostCommon(
    space,
    scope,
    term,
    neighbors.filter((neighbor) => isWithinTwoEdits(stemmed, neighbor)),
  )
}

/** Returns those of the words of which the index has some form. */
async function knownForms(space: Space, words: readonly string[]): Promise<string[]> {
  const known = new Set(await space.tx.words.knownWords([...new Set(words.map(stem))]))
  return [...new Map(words.filter((word) => known.has(stem(word))).map((word) => [stem(word), word])).values()]
}

async function mostCommon(
  space: Space,
  scope: SearchScope,
  term: Term,
  words: readonly string[],
): Promise<Term | undefined> {
  let best: { term: Term; count: number } | undefined
  for (const word of words) {
    const form: Term = { ...term, words: [word] }
    const hits = new HitReader(exactQuery(form), false)
    await hits.read(space, scope, COUNTED_HITS)
    if (hits.count > (best?.count ?? 0)) best = { term: form, count: hits.count }
    await yieldToEventLoop()
  }
  return best?.term
}

/** Alphabets, each with the letters that may stand for a wrong one. A word is folded before it is looked up. */
const ALPHABETS: readonly (readonly [words: RegExp, letters: string])[] = [
  [/^\p{sc=Latn}+$/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/^\p{sc=Cyrl}+$/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғқңөүұһә'],
  [/^\p{sc=Grek}+$/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/^\p{sc=Armn}+$/u, 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև'],
  [/^\p{sc=Geor}+$/u, 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ'],
  [/^\p{sc=Hebr}+$/u, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/^\p{sc=Arab}+$/u, 'ءابتثجحخدذرزسشصضطظعغفقكلمنهويٹپچڈڑژگں'],
]

/**
 * The letters that a word in one alphabet may be misspelled with; none of other scripts, whose letters may still be
 * swapped or dropped. Undefined for words with digits, in two scripts, or in scripts without spaces, where no letter
 * changes by a slip.
 */
function lettersFor(word: string): string | undefined {
  if (!/^\p{L}[\p{L}\p{M}]*$/u.test(word) || isSpaceless(word)) return undefined
  const [, letters] = ALPHABETS.find(([words]) => words.test(word)) ?? []
  const isMixed = ALPHABETS.some(([words]) => Array.from(word).some((letter) => words.test(letter)))
  return letters ?? (isMixed ? undefined : '')
}

/** All words that result from swapping two neighboring letters. */
const swaps = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ).filter((form) => form !== word)

/** All words that result from dropping, changing or adding one letter. */
function edits(word: string, letters: string): string[] {
  const forms = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    if (after !== '') forms.add(before + after.slice(1))
    for (const letter of letters) {
      forms.add(before + letter + after)
      if (after !== '') forms.add(before + letter + after.slice(1))
    }
  }
  forms.delete(word)
  return [...forms].sort()
}

/**
 * True if at most two letters are changed, dropped, added or swapped with their neighbors. Source: optimal string
 * alignment distance.
 */
function isWithinTwoEdits(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwapped) distance = Math.min(distance, (before[column - 2] ?? 0) + 1)
      current.push(distance)
    }
    if (Math.min(...current) > 2) return false
    ;[before, last] = [last, current]
  }
  return (last.at(-1) ?? 0) <= 2
}
