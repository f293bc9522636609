import { expect, test } from 'vitest'
import { newUuid } from '../../src/space/model/ids.ts'

test('IDs are of version 7, each is new, and each sorts after those before', () => {
  // More than the random words that are had at once are for.
  const made = Array.from({ length: 5_000 }, newUuid)
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
})

test('what is by chance in them is', () => {
  const ends = Array.from({ length: 2_000 }, () => newUuid().slice(-12))
  // Of 48 bits by chance, two alike among 2,000 would come once in a hundred million runs.
  expect(new Set(ends).size).toBe(ends.length)
})
