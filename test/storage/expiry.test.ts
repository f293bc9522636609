/** When records may expire: only after days on which the space was written. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAuditEntry } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { CONFIRMING_DAYS, expiryTime } from '../../storage/expiry.ts'
import { buildSpace, NOW } from '../build.ts'

const DAY = 24 * 3600_000

test('the time is that of the age, unless fewer days were written since', async () => {
  const { space, clock } = await buildSpace()
  const written: number[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -90, max: 90 }),
      fc.integer({ min: 0, max: DAY - 1 }),
      fc.integer({ min: 0, max: 60 }),
      async (days, milliseconds, age) => {
        clock.now = NOW + days * DAY + milliseconds
        await space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', []))
        written.push(clock.now)
        const now = NOW
        const found = await space.read(OPERATOR_LINK, ({ tx }) => expiryTime(tx, now, age * DAY))
        const wanted = age === 0 ? 0 : Math.min(Math.max(age, 2), CONFIRMING_DAYS)
        const confirming = new Set(written.filter((at) => at > found && at <= now).map((at) => Math.floor(at / DAY)))
          .size
        expect(found).toBeLessThanOrEqual(now - age * DAY)
        if (found >= 0) expect(confirming).toBeGreaterThanOrEqual(wanted)
        // It is the latest such time: with one more day, too few would be left.
        else
          expect(new Set(written.filter((at) => at <= now).map((at) => Math.floor(at / DAY))).size).toBeLessThan(wanted)
        if (found >= 0 && found < now - age * DAY) expect(confirming).toBe(wanted)
      },
    ),
    { numRuns: 150 },
  )
})
