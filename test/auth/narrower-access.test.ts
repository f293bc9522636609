/** What a link and a token, or a session, allow together: never more than either. */
import { expect, test } from 'vitest'
import { isEffectAllowed } from '../../src/call/catalog/tool-list.ts'
import { mustPropose, narrowerAccess } from '../../src/space/model/access.ts'
import { ACCESS_LEVELS } from '../../src/space/model/space.ts'

const PAIRS = ACCESS_LEVELS.flatMap((one) => ACCESS_LEVELS.map((other) => [one, other] as const))
const EFFECTS = ['read', 'comment', 'add', 'change', 'delete', 'decide'] as const

test.each(PAIRS)('%s and %s', (one, other) => {
  const both = narrowerAccess(one, other)
  expect(narrowerAccess(other, one)).toBe(both)
  for (const access of [one, other]) {
    for (const effect of EFFECTS) {
      if (!isEffectAllowed(effect, both)) continue
      // What waits for approval may be proposed whoever approves it.
      expect(isEffectAllowed(effect, access) || mustPropose({ access: both })).toBe(true)
      // What waits for approval by one of them waits by both.
      if (effect !== 'read' && mustPropose({ access })) expect(mustPropose({ access: both })).toBe(true)
    }
  }
})
