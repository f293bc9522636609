/** The row and the keys of a space when it is opened: made from the options if it is new, otherwise its own. */
import { randomBytes } from 'node:crypto'
import { assertWritableTime } from '../../storage/clock-fault.ts'
import { insertParticipantMember } from '../../storage/members.ts'
import { insertParticipant } from '../../storage/participants.ts'
import type { AddressKeyRow, SpaceRow } from '../../storage/schema.ts'
import {
  addressKeys,
  getSpaceRow,
  insertAddressKey,
  insertSpace,
  type SpaceSettings,
} from '../../storage/space-info.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { invalid } from '../base/errors.ts'
import { generateIdPrefix, generateSeededIds } from './model/ids.ts'
import { validateName } from './model/names.ts'

/** The settings that a caller wants the space to have. */
interface WantedSettings extends Partial<Pick<SpaceSettings, 'name' | 'timezone'>> {
  report?: ((sentence: string) => void) | undefined
}

/** The name of the first participant of a space. */
export const OWNER_NAME = 'Owner'

/**
 * Loading the calendar and reading the time zone of the system are slow, so this happens only when a space is created.
 */
export async function createSpace(
  storage: Storage,
  options: WantedSettings & { defaultName: string },
  clock: () => number,
  newUuid: () => string,
) {
  const name = validateName(options.name ?? options.defaultName, 'the space')
  const timezone = await normalizeTimezoneLazily(options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  return storage.write(async (tx) => {
    // Looked up again, since another process may have made the space in the meantime.
    const found = await findSpace(tx)
    if (found !== undefined) return { stored: found, isNew: false }
    const row = {
      id: newUuid(),
      weekStart: null,
      dateLanguage: null,
      name,
      timezone,
      secret: newKey(),
      createdAt: clock(),
    }
    assertWritableTime(row.createdAt)
    await insertSpace(tx, row)
    const key = { idPrefix: generateIdPrefix(), fileKey: newKey(), isCurrent: 1 }
    await insertAddressKey(tx, key)
    // The creator of a space is a participant, under the space's own ID.
    await insertParticipant(tx, { id: row.id, name: OWNER_NAME, createdAt: row.createdAt })
    // Nothing has an ID yet, so any will do.
    const [memberId = 0] = generateSeededIds(1, row.id)
    await insertParticipantMember(tx, memberId, row.id)
    return { stored: { row, keys: [key] } satisfies StoredSpace, isNew: true }
  })
}

/** 32 random bytes in hex. */
const newKey = (): string => randomBytes(32).toString('hex')

interface StoredSpace {
  row: Omit<SpaceRow, 'n'>
  /** What addresses are made with, the current one first. */
  keys: [current: AddressKeyRow, ...former: AddressKeyRow[]]
}

/**
 * Returns undefined for a newly created file.
 * @throws VALIDATION_ERROR for a space that was put together without address keys
 */
export async function findSpace(tx: Transaction): Promise<StoredSpace | undefined> {
  const row = await getSpaceRow(tx)
  if (row === undefined) return undefined
  const [current, ...former] = await addressKeys(tx)
  if (current !== undefined) return { row, keys: [current, ...former] }
  throw invalid(
    'Expected a space with a row in the table address_key, found none; restore a backup, or export the space again.',
  )
}

/** Says that an existing space keeps its name and its time zone, if the options name others. */
export async function reportIgnored(
  row: Pick<SpaceSettings, 'name' | 'timezone'>,
  { name, timezone, report }: WantedSettings,
): Promise<void> {
  if (report === undefined) return
  if (name !== undefined && name !== row.name) {
    report(`The space keeps its name ${row.name}, not ${name}; to change it, run scriptorium settings --name.`)
  }
  if (timezone === undefined) return
  // Names of one zone may differ.
  const [wanted, stored] = [await normalizeTimezoneLazily(timezone), await normalizeTimezoneLazily(row.timezone)]
  if (wanted === stored) return
  report(
    `The space keeps its time zone ${row.timezone}, not ${wanted}; to change it, run scriptorium settings --timezone.`,
  )
}

export const normalizeTimezoneLazily = async (timezone: string): Promise<string> =>
  (await import('./model/dates.ts')).normalizeTimezone(timezone)
