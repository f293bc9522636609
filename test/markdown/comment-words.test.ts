/** Marks of comments on words. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutComments } from '../../src/markdown/comment-tags.ts'
import { markedPlace, markedWords, markWords, placesOf, wordsIn } from '../../src/markdown/comment-words.ts'
import { normalizeText } from '../../src/markdown/inline-text.ts'

const mark = (text: string, words: string) =>
  markWords(text, '1', placesOf(wordsIn(text), words)[0] ?? -1, words.length)
const tag = (text: string) => `<comment id="1">${text}</comment>`

test.each([
  ['one two three', 'two', `one ${tag('two')} three`],
  ['one two', 'one two', tag('one two')],
  ['**one two** three', 'two', `**one ${tag('two')}** three`],
  ['[one two](https://a.example) three', 'two', `[one ${tag('two')}](https://a.example) three`],
  ['a `code b` c', 'ode', `a ${tag('`code b`')} c`],
  [
    '<comment id="2">one two</comment> three',
    'two three',
    `<comment id="2">one ${tag('two')}</comment>${tag(' three')}`,
  ],
  ['<comment id="2">one two</comment> three', 'one two', `${tag('<comment id="2">one two</comment>')} three`],
])('%s: %s', (text, words, expected) => {
  expect(mark(text, words)).toBe(expected)
  expect(markedWords(expected, '1')).toContain(words)
})

const piece = fc.oneof(
  fc.constantFrom('one', 'two words', 'a.b', '漢字', 'é'),
  fc.constantFrom(
    '**bold text**',
    '*it*',
    '~~no~~',
    '`code`',
    '==mark it==',
    '[a link](https://a.example)',
    '<comment id="7">old mark</comment>',
  ),
)

test('a mark changes nothing but itself, covers the words, and is a fixed point', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (pieces, from, size) => {
      const text = normalizeText(pieces.join(' '))
      const visible = wordsIn(text)
      const start = from % visible.length
      const length = 1 + (size % (visible.length - start))
      const marked = markWords(text, '1', start, length)
      expect(normalizeText(marked)).toBe(marked)
      expect(wordsIn(marked)).toBe(visible)
      expect(markedWords(marked, '1')).toContain(visible.slice(start, start + length).trim())
      // Bold and the like go around white space at the edges of a mark.
      const plain = (all: string) => withoutComments(all).replace(/(\*\*|~~|[*_]) \1/g, ' ')
      expect(plain(marked)).toBe(plain(text))
    }),
  )
})

test.each([
  ['a <comment id="100000000001">b</comment> b', { words: 'b', place: 1, places: 2 }],
  ['a b **x <comment id="100000000001">b</comment>**', { words: 'b', place: 2, places: 2 }],
  ['[b](https://example.com) <comment id="100000000001">b</comment>', { words: 'b', place: 2, places: 2 }],
  ['a <comment id="100000000002">b</comment>', undefined],
])('the place of the words in %s is counted among the same words', (text, expected) => {
  expect(markedPlace(text, '100000000001')).toEqual(expected)
})
