/** The proof changes these places of the sources. After moving one, update its mutation as well. */
import { test } from 'vitest'
import { checkMutations } from '../mutated-sources.ts'
import { TROUBLES } from './troubles.ts'

test('each planted fault changes one place of the sources', () => {
  checkMutations(TROUBLES.flatMap(({ planted }) => planted))
})
