import { expect, test } from 'vitest'
import { readme } from '../scripts/readme.ts'

test('the table of endpoints in the README is the one that the declarations make; else run npm run readme', () => {
  const { found, expected } = readme()
  expect(found).toBe(expected)
})
