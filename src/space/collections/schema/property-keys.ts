/**
 * Property keys: the names that programs use. A key is made from the first name of its property. Names may change, keys
 * never do.
 */

/** The key of the title column if its name yields none. Every collection accepts it. */
export const TITLE_KEY = 'title'

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
 * is taken.
 *
 *     Überfällig am → uberfallig_am     🎉 → property     Due, when `due` is taken → due_2
 *
 * Keys never begin or end with `_`, so that none is `__proto__`.
 */
export function createKey(name: string, taken: { has(key: string): boolean }): string {
  const folded = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøđðþłı]/g, (letter) => ASCII_FOLDS.get(letter) ?? '')
  const words = folded.replace(/[\s_]+/g, '_').replace(/[^a-z0-9_]/g, '')
  const key = words.replace(/_+/g, '_').replace(/^_/, '').slice(0, KEY_LENGTH).replace(/_$/, '') || 'property'
  // Avoid names such as `constructor`: some validators look at inherited properties, and every object has those.
  if (!taken.has(key) && !Reflect.has(Object.prototype, key)) return key
  let number = 2
  while (taken.has(`${key}_${number}`)) number++
  return `${key}_${number}`
}
