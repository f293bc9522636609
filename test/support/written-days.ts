/** Lets days pass on which a space is written. */
import { addAuditEntry } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { BuiltSpace } from '../build.ts'

const DAY = 24 * 3600_000

/** Moves the clock of a space on, one day at a time, and writes something on each. */
export async function writeOnDays({ space, clock }: Pick<BuiltSpace, 'space' | 'clock'>, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.now += DAY
    await space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', [`day ${day}`]))
  }
}
