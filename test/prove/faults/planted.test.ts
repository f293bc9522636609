/** The proof of faults removes these guards from the sources. After moving a guard, update its mutation as well. */
import { test } from 'vitest'
import { checkMutations } from '../mutated-sources.ts'
import { SCENARIOS } from './scenarios.ts'

test('each planted fault changes one place of the sources', () => {
  checkMutations(SCENARIOS.flatMap(({ planted }) => planted))
})
