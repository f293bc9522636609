/** Queries on the single row that identifies the space of a file, and on its address keys. */

import { sql } from 'drizzle-orm'
import { type AddressKeyRow, addressKey, type SpaceRow, space } from './schema.ts'
import { insertInto, integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const GET = statement<SpaceRow>(() => selectFrom(space))

/** The space of this file; undefined in a newly created file. */
export function getSpaceRow(tx: Transaction): Promise<SpaceRow | undefined> {
  return tx.get(GET)
}

const INSERT = insertInto(space)
const UPDATE = statement(
  () => sql`UPDATE space SET name = ${param('name')}, timezone = ${param('timezone')},
    week_start = ${integer('weekStart')}, date_language = ${param('dateLanguage')}`,
)

export async function insertSpace(tx: Transaction, row: Omit<SpaceRow, 'n'>): Promise<void> {
  await tx.run(INSERT, { n: 1, ...row })
}

const KEYS = statement<AddressKeyRow>(() => sql`${selectFrom(addressKey)} ORDER BY is_current DESC, id_prefix`)

/** What addresses are made with, the current one first. There is always one, except in a newly created file. */
export function addressKeys(tx: Transaction): Promise<AddressKeyRow[]> {
  return tx.all(KEYS, {})
}

const INSERT_KEY = insertInto(addressKey)

export async function insertAddressKey(tx: Transaction, row: AddressKeyRow): Promise<void> {
  await tx.run(INSERT_KEY, row)
}

/** What can be changed. */
export type SpaceSettings = Pick<SpaceRow, 'name' | 'timezone' | 'weekStart' | 'dateLanguage'>

export async function updateSpaceSettings(tx: Transaction, settings: SpaceSettings): Promise<void> {
  await tx.run(UPDATE, settings)
}
