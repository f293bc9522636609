/** The proof of attacks removes these guards from the sources. After moving a guard, update its mutation as well. */
import { expect, test } from 'vitest'
import { checkMutations, mutated } from '../mutated-sources.ts'
import { ATTACKS } from './attacks.ts'
import { PLANTED, PLANTED_APART } from './planted.ts'

test('each planted fault changes one place of the sources', () => {
  for (const mutations of [PLANTED, ...PLANTED_APART.map(({ mutations }) => mutations)]) checkMutations(mutations)
})

test('each finding has an attack', () => {
  const findings = new Set(ATTACKS.map(({ finding }) => finding))
  expect([...findings].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 29 }, (_, index) => index + 1),
  )
})

test('a fault whose text is missing or ambiguous is rejected', () => {
  expect(() => mutated('a b', { file: 'x.ts', find: 'c', replace: '' })).toThrow('found 0 times')
  expect(() => mutated('a a', { file: 'x.ts', find: 'a', replace: '' })).toThrow('found 2 times')
  expect(mutated('a b', { file: 'x.ts', find: 'a', replace: '$&' })).toBe('$& b')
})
