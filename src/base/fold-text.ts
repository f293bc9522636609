/**
 * Folds a text for comparing: lower case, without accents, with compatibility forms resolved (`ﬁ` is `fi`, wide letters
 * are narrow), and with letters replaced that people type in more than one way. Different words may become equal, so folded
 * texts are never shown.
 *
 * Sources: Unicode Standard Annex 15 for the forms; for Latin letters the transliteration Latin-ASCII of CLDR.
 */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  const bare = text.toLowerCase().normalize('NFKD').replace(MARKS, '')
  // Lower case again, because some compatibility forms are in upper case.
  return bare
    .normalize('NFC')
    .toLowerCase()
    .replace(VARIANTS, (letter) => FOLDED.get(letter) ?? digitOf(letter))
}

const ASCII_ONLY = /^\p{ASCII}*$/u

/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic with the tatweel, and the nukta of Devanagari: the
 * same words are written with and without them. Other signs of Indic scripts and the voice marks of Japanese change the
 * word, and stay.
 */
const MARKS =
  /(?:[\u0300-\u036f\u0483-\u0487]|[\u0591-\u05c7]|[\u0610-\u061a]|\u0640|[\u064b-\u065f]|\u0670|[\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]|\u093c|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f])+/g

/** What a letter is folded to, by script: pairs of the result and the letters that become it. */
const LETTERS_BY_SCRIPT = {
  Latin: [
    ...([
      ['ae', 'æ'],
      ['oe', 'œ'],
      ['ss', 'ß'],
      ['th', 'þ'],
      ['b', 'ƀɓƃ'],
      ['c', 'ȼƈ'],
    ] as const),
    ...([
      ['d', 'đðɖɗƌ'],
      ['e', 'ɇəǝɛ'],
      ['f', 'ƒ'],
      ['g', 'ǥɠɣ'],
      ['h', 'ħⱨ'],
      ['i', 'ıɨɩ'],
      ['j', 'ɉȷ'],
    ] as const),
    ...([
      ['k', 'ƙĸⱪ'],
      ['l', 'łƚɫⱡ'],
      ['n', 'ŋɲƞ'],
      ['o', 'øɔɵ'],
      ['p', 'ƥᵽ'],
      ['r', 'ɍɽ'],
      ['t', 'ŧƭʈⱦ'],
    ] as const),
    ...([
      ['u', 'ʉ'],
      ['v', 'ʋ'],
      ['y', 'ɏƴ'],
      ['z', 'ƶȥⱬʒ'],
      ['a', 'ⱥɑ'],
    ] as const),
  ],
  Greek: [['σ', 'ς']],
  // Forms at the end of a word.
  Hebrew: [
    ['כ', 'ך'],
    ['מ', 'ם'],
    ['נ', 'ן'],
    ['פ', 'ף'],
    ['צ', 'ץ'],
  ],
  // Forms of alef, yeh, kaf and heh that keyboards of Arabic, Persian and Urdu write in each other's place.
  Arabic: [
    ['ا', 'ٱ'],
    ['ي', 'ىیے'],
    ['ك', 'کڪ'],
    ['ه', 'ةہھە'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [folded: string, letters: string])[]>>

const FOLDED: ReadonlyMap<string, string> = new Map(
  Object.values(LETTERS_BY_SCRIPT)
    .flat()
    .flatMap(([folded, letters]) => Array.from(letters, (letter) => [letter, folded] as const)),
)

/** The letters of the table, and digits of all scripts. */
const VARIANTS = new RegExp(`[${[...FOLDED.keys()].join('')}]|(?![0-9])\\p{Nd}`, 'gu')

/** The value of a digit: a script has its ten digits in order, and those of another may follow. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (IS_DIGIT.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}
const IS_DIGIT = /\p{Nd}/u
