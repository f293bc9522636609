import { describe, expect, test } from 'vitest'
import { normalizeText, plainText } from '../../src/markdown/inline-text.ts'

describe('hostile text of 100 kB', () => {
  const SIZE = 100_000
  const pieces = [
    ...[
      '[',
      '![',
      '*a ',
      '**a ',
      '_a*',
      'a**b',
      '`a``',
      '<',
      '<!--',
      '<a b="',
      '<?',
      '[a](',
      '[a](b "',
      '[a](<b',
      '[[]()',
    ],
    ...[
      '![[]()',
      '&',
      '\\',
      '**x [',
      '[a][',
      '$a ',
      '$',
      '\n',
      '  \n',
      '~~a ',
      '==a ',
      '<highlight ',
      '**a*b***c* ',
      '*_',
    ],
    ...['`', '<a:', '<x@', '[a](u)', '![a](u)', '&#', ' ', 'a<b c>', '**a.**_b_'],
  ]
  const nested = [
    ['[', '](u)'],
    ['![', '](u)'],
    ['**a ', ' a**'],
    ['*a **b ', 'c** d*'],
    ['==a ', ' a=='],
    ["<a x='", '<a x="'],
    ['[', ']'],
  ] as const

  // A quadratic case would take minutes, far more than a test may.
  test.each(pieces)('%j repeated ends', (piece) => {
    const text = `x${piece.repeat(SIZE / piece.length)}`
    expect(normalizeText(text)).toBeTypeOf('string')
    expect(plainText(text)).toBeTypeOf('string')
  })

  test.each(nested)('%j nested, closed by %j, ends', (open, close) => {
    const text = open.repeat(SIZE / open.length / 2) + close.repeat(SIZE / close.length / 2)
    expect(normalizeText(text)).toBeTypeOf('string')
  })

  test('code that begins with a space ends', () => {
    expect(normalizeText(`x\` ${'a'.repeat(SIZE)}\``)).toHaveLength(SIZE + 4)
  })

  test('backticks of every length end', () => {
    const text = Array.from({ length: 600 }, (_, length) => `${'`'.repeat(length + 1)}a`).join('')
    expect(plainText(normalizeText(text))).toBe(text)
  })
})
