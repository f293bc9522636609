/**
 * Property keys: the names that programs use. A key is made from the first name of its property. Names may change, keys
 * never do.
 */

import { findPlainAddresses, OUT_OF_SCOPE, replaceAddresses } from '../../../markdown/text-addresses.ts'

/** The key of the title column if its name yields none. Every collection accepts it. */
export const TITLE_KEY = 'title'

/** What clients can name by its key or its name. */
interface Named {
  key: string
  name: string
}

/**
 * Finds what a word names. Keys take precedence over names, since they never change. A word that differs from all keys
 * and names only in letter case, accents, spaces and signs is accepted if it fits only one: `dueDate` for `due_date`.
 */
export function findByWord<Entry extends Named>(entries: readonly Entry[], word: string): Entry | undefined {
  const exact = entries.find(({ key }) => key === word) ?? entries.find(({ name }) => name === word)
  if (exact !== undefined || simplify(word) === '') return exact
  const similar = entries.filter(({ key, name }) => isSameWord(key, word) || isSameWord(name, word))
  return similar.length === 1 ? similar[0] : undefined
}

/** True if two names differ at most in letter case, accents, spaces and signs. */
export const isSameWord = (one: string, other: string): boolean => one === other || simplify(one) === simplify(other)

const simplify = (word: string): string => foldToAscii(word).replace(/[^\p{L}\p{N}]/gu, '')

/** Maximum length of a key in characters, without the number that makes it unique. */
const KEY_LENGTH = 64

/** Non-ASCII letters that Unicode decomposition does not convert. */
const ASCII_FOLDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ł: 'l',
    ı: 'i',
  }),
)

/**
 * Makes a key from a name: lower case, `_` for spaces, letters converted to ASCII or dropped, and a number if the key
 * is taken. Addresses of blocks are left out: names hide them from connections that do not reach the block, and keys
 * are shown to all.
 *
 *     Überfällig am → uberfallig_am     🎉 → property     Due, when `due` is taken → due_2
 *
 * Keys never begin or end with `_`, so that none is `__proto__`.
 */
export function createKey(name: string, taken: { has(key: string): boolean }): string {
  const plain = replaceAddresses(name, findPlainAddresses(name), () => '').replaceAll(OUT_OF_SCOPE, '')
  const ascii = foldToAscii(plain)
    .replace(/[\s_]+/g, '_')
    .replace(/[^a-z0-9_]/g, '')
  const key = ascii.replace(/_+/g, '_').replace(/^_/, '').slice(0, KEY_LENGTH).replace(/_$/, '') || 'property'
  // Avoid names such as `constructor`: some validators look at inherited properties, and every object has those.
  if (!taken.has(key) && !Reflect.has(Object.prototype, key)) return key
  let number = 2
  while (taken.has(`${key}_${number}`)) number++
  return `${key}_${number}`
}

/** Returns the text in lower case, with letters converted to ASCII where they have such a form. */
const foldToAscii = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøđðþłı]/g, (letter) => ASCII_FOLDS.get(letter) ?? '')
