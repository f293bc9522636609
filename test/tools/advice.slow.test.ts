/** All refusals of `advice.ts`. */
import { test } from 'vitest'
import { CONNECTIONS, expectGoodAdvice } from './advice.ts'

test.each(CONNECTIONS)('no refusal leads astray: %s', async (_, kind, options) => {
  await expectGoodAdvice(kind, options)
})
