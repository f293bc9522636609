/**
 * The faults that proofs plant are changes of the sources, given as text. If such a change no longer fits, the proof
 * would fail before it looks for the fault. That the changed sources compile is tested in planted.slow.test.ts.
 */
import { expect, test } from 'vitest'
import { checkMutations } from './mutated-sources.ts'
import { PLANTED_SETS } from './planted-sets.ts'

test.each(Object.entries(PLANTED_SETS))('%s: each planted fault occurs once in the sources', (_, mutations) => {
  expect(() => checkMutations(mutations)).not.toThrow()
})
