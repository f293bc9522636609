import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSnippet } from '../../src/space/search/snippet.ts'
import { runs } from '../support/runs.ts'

const marked = (text: string, word: string): string =>
  createSnippet(
    text,
    [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({ from: index, to: index + word.length })),
  )

test.each([
  ['a plain word here', 'a plain **word** here'],
  ['see [the word](https://a.example/x) and word', 'see **[the word](https://a.example/x)** and **word**'],
  ['see [that](https://a.example/word/x) here', 'see **[that](https://a.example/word/x)** here'],
  ['see [word](block://942565573089) here', 'see **[word](block://942565573089)** here'],
  ['at https://a.example/word, twice', 'at **https://a.example/word,** twice'],
  ['at <https://a.example/word> too', 'at **<https://a.example/word>** too'],
  ['![word](https://a.example/w_(x).png) word', '**![word](https://a.example/w_(x).png) word**'],
  ['[word] (no link) word', '[**word**] (no link) **word**'],
])('%s', (text, expected) => {
  expect(marked(text, 'word')).toBe(expected)
})

test('a truncated link is not marked', () => {
  const text = `word ${'x'.repeat(225)} [label word](https://a.example/${'y'.repeat(50)})`
  const snippet = marked(text, 'word')
  expect(snippet.match(/\*\*/g)).toHaveLength(2)
  expect(snippet.startsWith('**word** ')).toBe(true)
})

test('without its marks a snippet is a part of the text, and its links are those of the text', () => {
  const piece = fc.constantFrom(
    'word',
    ' ',
    'other',
    '[word](https://a.example/word)',
    'https://word.example',
    '[',
    '](',
    ')',
    '(',
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      if (!text.includes('word')) return
      const snippet = marked(text, 'word')
      const plain = snippet.replaceAll('**', '').replaceAll('…', '')
      expect(text.replace(/\s+/g, ' ')).toContain(plain.trim())
      const link = '[word](https://a.example/word)'
      expect(snippet.split(link)).toHaveLength(plain.split(link).length)
    }),
    { numRuns: runs(200, 5_000) },
  )
})

test('long texts that look like links take linear time', () => {
  for (const unit of ['a.', '[', '](', 'a://', '[](', '((', 'a-']) {
    const text = `${unit.repeat(10_000)}word`
    expect(marked(text, 'word')).toContain('word')
  }
})
