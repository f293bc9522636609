/** The guards that the proof of faults takes out stand in the sources: who moves one has to move it there as well. */
import { test } from 'vitest'
import { checkMutations } from '../mutated-sources.ts'
import { SCENARIOS } from './scenarios.ts'

test('each planted fault changes one place of the sources', () => {
  checkMutations(SCENARIOS.flatMap(({ planted }) => planted))
})
