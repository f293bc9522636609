import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markUnseen, UNSEEN_MARK } from '../../src/base/unseen-characters.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'

const character = fc.oneof(
  fc.constantFrom('a', '1', '👩', '❤', '🏴', 'م', 'क', '葛', ' ', '\u200d', '\ufe0f', '\u{e0067}', '\u202e'),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
)

test('marks tell which characters they stand for, and none that follows another goes unmarked', () => {
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const text = characters.join('')
      fc.pre(!text.includes('⟨U+'))
      const shown = markUnseen(text)
      const restored = shown.replace(UNSEEN_MARK, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code.slice(2), 16)),
      )
      expect(restored).toBe(text)
      // Between two pictures, a joiner follows the selector of the first.
      const flags = /\u{1F3F4}[\u{E0061}-\u{E007A}]{5}\u{E007F}/gu
      expect(shown.replace(flags, '').replace(/\uFE0F\u200D/g, '')).not.toMatch(/[\p{Cf}\p{DI}]{2}/u)
    }),
    { numRuns: runs(300, 20_000) },
  )
})
