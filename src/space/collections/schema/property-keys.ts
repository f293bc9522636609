/** Keys: what properties are called by programs. Made from the first name; names change, keys do not. */

/** The key of the title column where its name gives none, and what every collection takes for it. */
export const TITLE_KEY = 'title'

/** Characters of a key, without the number that tells it from others. */
const KEY_LENGTH = 64

/** Letters outside of ASCII that no decomposition folds. */
const ASCII_FOLDS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

/**
 * A key for a name: lower case, `_` for spaces, letters folded to ASCII or dropped, and a number when it is taken.
 *
 *     Überfällig am → uberfallig_am     🎉 → property     Due, when `due` is taken → due_2
 *
 * No key begins or ends with `_`, so that none is `__proto__`.
 */
export function createKey(name: string, taken: { has(key: string): boolean }): string {
  const folded = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøđðþłı]/g, (letter) => ASCII_FOLDS[letter] ?? '')
  const words = folded.replace(/[\s_]+/g, '_').replace(/[^a-z0-9_]/g, '')
  const key = words.replace(/_+/g, '_').replace(/^_/, '').slice(0, KEY_LENGTH).replace(/_$/, '') || 'property'
  // Validators that look at inherited properties find a constructor on every object.
  if (!taken.has(key) && !(key in Object.prototype)) return key
  let number = 2
  while (taken.has(`${key}_${number}`)) number++
  return `${key}_${number}`
}
