/** Any character but half of a pair, as a unit of generated text. */
import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/**
 * The same characters as the unit `binary` of fast-check, which makes a table of a million characters when it is first
 * used: a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('Expected one character.')
    if (code >= FIRST_SURROGATE && code < FIRST_SURROGATE + SURROGATES) throw new Error('Expected no surrogate.')
    return code < FIRST_SURROGATE ? code : code - SURROGATES
  },
)
