/**
 * Characters that are not seen: controls, direction marks, joiners, tags, and others without a shape. Text from others
 * may contain them to hide what it says or to reorder how it reads, so they are shown as marks wherever a person decides
 * by reading.
 *
 * What writing needs stays: joiners inside of words of the scripts that use them, joiners and variation selectors of
 * emoji, and the tags of the three flags that have them. Each stands beside a character that is seen.
 *
 *     rm -rf /⟨U+202E⟩txt.
 */

/** Scripts whose letters join or part by U+200C and U+200D. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Hanifi_Rohingya', 'Adlam'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese', 'Newa', 'Grantha'],
]
const LETTER = `[${JOINING.map((script) => String.raw`\p{scx=${script}}`).join('')}]`
/** Letters without the marks that these properties count among them. */
const JOINED = String.raw`(?:(?!\p{Cf}|\p{DI})${LETTER})+`
const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?[\uFE0E\uFE0F]?`

/** Sequences whose unseen characters belong there. */
const USUAL = [
  // The letters before a joiner, and those after it.
  String.raw`${JOINED}(?:[\u200C\u200D]${JOINED})*[\u200C\u200D]?`,
  String.raw`${PICTURE}(?:\u200D${PICTURE})*`,
  String.raw`[0-9#*]\uFE0F\u20E3?`,
  // England, Scotland, Wales.
  ...['gbeng', 'gbsct', 'gbwls'].map((region) => {
    const tags = [...region].map((letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`)
    return String.raw`\u{1F3F4}${tags.join('')}\u{E007F}`
  }),
  // Forms of Chinese characters, of Mongolian letters, and of mathematical signs.
  String.raw`\p{scx=Han}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`\p{scx=Mongolian}[\u180B-\u180D\u180F]`,
  String.raw`[\u2200-\u22FF\u2A00-\u2AFF]\uFE00`,
  // Format characters that have a shape: signs of numbers, years and verses.
  String.raw`[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]`,
]

const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u2800]`
const ANY = new RegExp(String.raw`(?![\n\t])${UNSEEN}`, 'u')
// Flags come before pictures, since a flag begins with one.
const PIECES = new RegExp(String.raw`(${USUAL.toReversed().join('|')})|(?![\n\t])${UNSEEN}`, 'gu')

/** Replaces every unseen character, except line breaks, tabs, and those that writing needs. */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  if (!ANY.test(text)) return text
  return text.replace(PIECES, (found, usual: string | undefined) => usual ?? replace(found))
}

/** The code of a character, such as `U+202E`. */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The text with a mark such as `⟨U+202E⟩` in place of every unseen character. */
export const markUnseen = (text: string): string => replaceUnseen(text, (character) => `⟨${codeOf(character)}⟩`)

/** The marks of {@link markUnseen}, each as a group. */
export const UNSEEN_MARK = /⟨(U\+[0-9A-F]{4,6})⟩/g
