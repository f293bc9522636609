/** Fields of pages allow what the rules allow: their lengths come from `limits.ts`. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../src/page')

test('no length of a field is a number in the page', () => {
  const lengths = globSync('**/*.{ts,js}', { cwd: root }).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(/maxlength\W*([^"}\s]+)/gi)].map(([, length = '']) => ({ file, length }))
  })
  expect(lengths.filter(({ length }) => !/^[A-Z_]+_LENGTH$/.test(length))).toEqual([])
  expect(lengths.length).toBeGreaterThan(10)
})
