import { describe, expect, test } from 'vitest'
import { markUnseen } from '../../src/base/unseen-characters.ts'

describe('characters that are not seen', () => {
  test.each([
    ['a direction mark', 'x = a\u202e;b', 'x = a⟨U+202E⟩;b'],
    ['an isolate', 'a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['a space without width', 'ad\u200bmin', 'ad⟨U+200B⟩min'],
    ['a joiner between Latin letters', 'a\u200db', 'a⟨U+200D⟩b'],
    ['a second joiner', 'می\u200c\u200cخواهم', 'می\u200c⟨U+200C⟩خواهم'],
    ['tags that spell words', '\u{e0041}\u{e0042}', '⟨U+E0041⟩⟨U+E0042⟩'],
    ['tags behind a flag that has none', '🏴\u{e0061}\u{e007f}', '🏴⟨U+E0061⟩⟨U+E007F⟩'],
    ['variation selectors that carry bytes', '😀\ufe0f\ufe0f\u{e0101}', '😀\ufe0f⟨U+FE0F⟩⟨U+E0101⟩'],
    ['a joiner at the end of a picture', '👍🏽\u200d', '👍🏽⟨U+200D⟩'],
    ['a hyphen that may not show, a byte order mark', 'a\u00adb\ufeff', 'a⟨U+00AD⟩b⟨U+FEFF⟩'],
    ['letters without a shape', '\u3164\u115f\u2800', '⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩'],
    ['controls', 'a\rb\u001b[2J\u2028', 'a⟨U+000D⟩b⟨U+001B⟩[2J⟨U+2028⟩'],
    ['half a character', '\ud800x', '⟨U+D800⟩x'],
  ])('have a mark: %s', (_, text, shown) => {
    expect(markUnseen(text)).toBe(shown)
  })

  test.each([
    ['lines and tabs', 'a\n\tb'],
    ['families, flags, hearts and keys', '👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ 1️⃣ 🏳️‍🌈 👨‍👩‍👧‍👦 ©️'],
    ['Persian, Hindi and Sinhala words', 'می\u200cخواهم क्\u200dष क्\u200c ශ්\u200dරී'],
    ['forms of Chinese and Mongolian letters', '葛\u{e0100} ᠠ\u180b'],
    ['signs of Arabic numbers', '\u0600١'],
    ['other scripts, accents, wide spaces', 'é中文עברית a\u0301 \u00a0\u3000'],
  ])('have none where writing needs them: %s', (_, text) => {
    expect(markUnseen(text)).toBe(text)
  })
})
