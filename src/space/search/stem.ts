/**
 * Stems of English words, exactly as the index makes them (Porter, 1980, as FTS5 has it): words with the same stem are
 * forms of one word. What the index finds can so be found again in a text, to show it.
 */

/** Shortest and longest words that have a stem other than themselves, in bytes of UTF-8. */
const MIN_STEMMED_BYTES = 3
const MAX_STEMMED_BYTES = 64

const stemCache = new Map<string, string>()
/** Stems that are remembered. */
const MAX_CACHED_STEMS = 50_000

/** The stem of a word in lower case. */
export function stem(word: string): string {
  const found = stemCache.get(word)
  if (found !== undefined) return found
  // The algorithm is one of bytes, and takes those beyond ASCII for consonants.
  const isAscii = /^[\0-\x7f]*$/.test(word)
  const bytes = isAscii ? word : Buffer.from(word, 'utf8').toString('latin1')
  const stemmed = bytes.length < MIN_STEMMED_BYTES || bytes.length > MAX_STEMMED_BYTES ? bytes : stemBytes(bytes)
  const result = isAscii ? stemmed : Buffer.from(stemmed, 'latin1').toString('utf8')
  if (stemCache.size >= MAX_CACHED_STEMS) stemCache.clear()
  stemCache.set(word, result)
  return result
}

function stemBytes(word: string): string {
  let text = removePastTense(removePlural(word))
  if (text.endsWith('y') && hasVowel(text.slice(0, -1))) text = `${text.slice(0, -1)}i`
  text = replaceSuffix(text, STEP_2, hasMeasureOver0)
  text = replaceSuffix(text, STEP_3, hasMeasureOver0)
  text = removeSuffix(text)
  return removeLastLetter(text)
}

const isVowel = (letter: string | undefined, yIsOne: boolean): boolean =>
  (letter !== undefined && 'aeiou'.includes(letter) && letter !== '') || (yIsOne && letter === 'y')

/** From after the first consonant that follows a vowel; 0 where there is none. A y is a vowel after a consonant. */
function endOfMeasure(text: string, from: number, afterConsonant: boolean): number {
  let consonant = afterConsonant
  let at = from
  for (; at < text.length; at++) {
    consonant = !isVowel(text[at], consonant)
    if (!consonant) break
  }
  for (at++; at < text.length; at++) {
    consonant = !isVowel(text[at], consonant)
    if (consonant) return at + 1
  }
  return 0
}

/** Whether a vowel is followed by a consonant: at least once, more than once, just once. */
const hasMeasureOver0 = (text: string): boolean => endOfMeasure(text, 0, false) > 0
const hasMeasureOver1 = (text: string): boolean => {
  const after = endOfMeasure(text, 0, false)
  return after > 0 && endOfMeasure(text, after, true) > 0
}
const hasMeasure1 = (text: string): boolean => {
  const after = endOfMeasure(text, 0, false)
  return after > 0 && endOfMeasure(text, after, true) === 0
}

function hasVowel(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isVowel(text[at], at > 0)) return true
  return false
}

/** Ends in consonant, vowel, consonant, the last none of w, x and y. */
function endsInCvc(text: string): boolean {
  if (text === '' || 'wxy'.includes(text.at(-1) ?? '')) return false
  let last = 0
  let consonant = false
  for (const letter of text) {
    consonant = !isVowel(letter, consonant)
    last = ((last << 1) | (consonant ? 1 : 0)) & 7
  }
  return last === 5
}

function removePlural(word: string): string {
  if (!word.endsWith('s')) return word
  if (!word.endsWith('es')) return word.endsWith('ss') ? word : word.slice(0, -1)
  const isDouble = (word.length > 4 && word.endsWith('sses')) || (word.length > 3 && word.endsWith('ies'))
  return word.slice(0, isDouble ? -2 : -1)
}

function removePastTense(word: string): string {
  if (word.length > 3 && word.endsWith('eed')) return hasMeasureOver0(word.slice(0, -3)) ? word.slice(0, -1) : word
  const length = word.length > 2 && word.endsWith('ed') ? 2 : word.length > 3 && word.endsWith('ing') ? 3 : 0
  if (length === 0 || !hasVowel(word.slice(0, -length))) return word
  const text = word.slice(0, -length)
  if (text.length > 2 && /(?:at|bl|iz)$/.test(text)) return `${text}e`
  const last = text.at(-1)
  if (!isVowel(last, false) && !'lsz'.includes(last ?? '') && last === text.at(-2)) return text.slice(0, -1)
  return hasMeasure1(text) && endsInCvc(text) ? `${text}e` : text
}

type SuffixRules = readonly (readonly [ending: string, instead: string])[]

// Of each step the first ending that fits counts, whether or not what is before it is long enough.
const STEP_2: SuffixRules = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]
const STEP_3: SuffixRules = [
  ['ical', 'ic'],
  ['ness', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ful', ''],
  ['ative', ''],
  ['alize', 'al'],
]
const STEP_4 = [
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent', 'ion', 'ou', 'ism', 'ate'],
  ...['iti', 'ous', 'ive', 'ize'],
]

function replaceSuffix(text: string, endings: SuffixRules, isEnough: (before: string) => boolean): string {
  const found = endings.find(([ending]) => text.length > ending.length && text.endsWith(ending))
  if (found === undefined) return text
  const before = text.slice(0, -found[0].length)
  return isEnough(before) ? before + found[1] : text
}

function removeSuffix(text: string): string {
  const ending = STEP_4.find((one) => text.length > one.length && text.endsWith(one))
  if (ending === undefined) return text
  const before = text.slice(0, -ending.length)
  const fits = ending !== 'ion' || /[st]$/.test(before)
  return fits && hasMeasureOver1(before) ? before : text
}

function removeLastLetter(word: string): string {
  let text = word
  const before = text.slice(0, -1)
  if (text.endsWith('e') && (hasMeasureOver1(before) || (hasMeasure1(before) && !endsInCvc(before)))) text = before
  return text.length > 1 && text.endsWith('ll') && hasMeasureOver1(text.slice(0, -1)) ? text.slice(0, -1) : text
}
