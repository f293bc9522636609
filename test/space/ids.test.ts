import { describe, expect, test } from 'vitest'
import {
  generateIdPrefix,
  generateIds,
  generateSeededIds,
  LARGEST_ID,
  newUuid,
  readSpelledId,
  SMALLEST_ID,
  spellId,
} from '../../src/space/model/ids.ts'

test('IDs have version 7, are unique, and sort in order of creation', () => {
  // More than one batch of random words.
  const made = Array.from({ length: 5_000 }, newUuid)
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
})

test('their random bits are random', () => {
  const ends = Array.from({ length: 2_000 }, () => newUuid().slice(-12))
  // With 48 random bits, a duplicate among 2,000 would occur once in a hundred million runs.
  expect(new Set(ends).size).toBe(ends.length)
})

describe('an ID', () => {
  const PREFIX = generateIdPrefix()

  test('has a short form, and a long one that is a UUID of version 8', () => {
    expect(spellId(942_565_573_089, 'short', PREFIX)).toBe('942565573089')
    expect(spellId(942_565_573_089, 'long', PREFIX)).toBe(`${PREFIX}-942565573089`)
    expect(`${PREFIX}-942565573089`).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-\d{12}$/)
  })

  test('IDs drawn together ascend, are within bounds, and differ between draws', () => {
    const [one, other] = [generateIds(2_000), generateIds(2_000)]
    for (const ids of [one, other]) {
      expect(ids.toSorted((a, b) => a - b)).toEqual(ids)
      expect(new Set(ids).size).toBe(2_000)
      expect(ids[0]).toBeGreaterThan(SMALLEST_ID)
      expect(ids.at(-1)).toBeLessThanOrEqual(LARGEST_ID)
    }
    expect(one[0]).not.toBe(other[0])
  })

  test('IDs drawn with a seed are reproducible, and differ with another seed', () => {
    const ids = generateSeededIds(2_000, 'a')
    expect(generateSeededIds(2_000, 'a')).toEqual(ids)
    expect(generateSeededIds(1, 'b')).not.toEqual(ids.slice(0, 1))
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids)
    expect(new Set(ids).size).toBe(2_000)
  })

  test.each([
    ['942565573089', { kind: 'number', number: 942_565_573_089 }],
    [' "942565573089" ', { kind: 'number', number: 942_565_573_089 }],
    [`${PREFIX.toUpperCase()}-942565573089`, { kind: 'number', number: 942_565_573_089, prefix: PREFIX }],
    ['block://942565573089', { kind: 'number', number: 942_565_573_089 }],
    ['scriptorium://documents/942565573089', { kind: 'number', number: 942_565_573_089 }],
    ['scriptorium://open?spaceId=S&blockId=942565573089', { kind: 'number', number: 942_565_573_089, space: 's' }],
    ['https://editor.example/d/S/942565573089', { kind: 'number', number: 942_565_573_089, space: 's' }],
    ['01900000-0000-7000-8000-00000000DEAD', { kind: 'former', uuid: '01900000-0000-7000-8000-00000000dead' }],
    ['042565573089', { kind: 'unknown' }],
    ['94256557308', { kind: 'unknown' }],
    ['trash', { kind: 'unknown' }],
  ])('%s is parsed', (text, spelled) => expect(readSpelledId(text)).toEqual(spelled))
})
