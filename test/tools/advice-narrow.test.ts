/** A third of the refusals of `advice.ts` on narrow connections: each value in every third field of a tool. */
import { test } from 'vitest'
import { CONNECTIONS, expectGoodAdvice } from './advice.ts'

test.each(CONNECTIONS.filter(([, kind]) => kind !== 'full'))(
  'no refusal leads astray: %s',
  async (_, kind, options) => {
    await expectGoodAdvice(kind, options, (field, value) => (field + value) % 3 === 0)
  },
)
