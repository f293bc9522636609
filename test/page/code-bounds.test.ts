/** What the code and the drawings of a page may become. */
import { expect, test } from 'vitest'
import { CODE_LENGTH, CODES_LENGTH, CODES_OUTPUT_LENGTH, RENDER_OUTLINED_LENGTH } from '../../src/base/limits.ts'
import { colorCode } from '../../src/page/blocks/code-html.ts'
import { drawBoard } from '../../src/page/documents/board-picture.ts'

test('code beyond the limits of a part of a page stays plain', async () => {
  const block = (length: number) => ({ code: '{}'.repeat(length / 2), language: 'json' })
  // Highlighting such code makes 39 characters of each.
  const texts = Array.from({ length: 8 }, () => block(CODE_LENGTH / 2))
  const colored = await colorCode([block(CODE_LENGTH + 2), ...texts])
  const lengths = colored.map((html) => html?.length ?? 0)
  const shown = lengths.filter((length) => length > 0)
  expect(lengths[0]).toBe(0)
  expect(shown.length).toBe(Math.floor(CODES_OUTPUT_LENGTH / (shown[0] ?? 0)))
  expect(shown.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(CODES_OUTPUT_LENGTH)
  const many = await colorCode(Array.from({ length: 12 }, () => ({ code: ' '.repeat(CODE_LENGTH), language: 'json' })))
  expect(many.filter((html) => html !== undefined)).toHaveLength(CODES_LENGTH / CODE_LENGTH)
})

test('a board with much text keeps it as text, since each outline has a thousand characters', async () => {
  const text = (count: number) => ({
    elements: [{ id: 'a', type: 'text', x: 0, y: 0, width: 100, height: 20, text: 'word '.repeat(count) }],
  })
  const repeated = (count: number) => ({
    elements: Array.from({ length: count }, (_, index) => ({
      ...text(300).elements[0],
      id: `t${index}`,
      y: index * 20,
    })),
  })
  const outlined = (await drawBoard(text(2), undefined)) ?? ''
  expect(outlined).not.toContain('word')
  const long = (await drawBoard(repeated(RENDER_OUTLINED_LENGTH / 1_000), undefined)) ?? ''
  expect(long).toContain('word')
  expect(long.length).toBeLessThan(10 * RENDER_OUTLINED_LENGTH)
})
