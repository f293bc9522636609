/** The spaces of a database. The person who runs the server names them; addresses contain their key. */
import type { ClientBase } from 'pg'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { NUMBERED_TABLES } from '../history-tables.ts'
import type { Database } from './database.ts'
import { SPACE_SETTING } from './migrations/define-table.ts'

/** Maximum number of characters of a name. */
const MAX_NAME_LENGTH = 100

export interface DatabaseSpace {
  /** Its number in the database. */
  space: number
  name: string
}

/** @throws VALIDATION_ERROR if the name is empty, too long or has control characters */
export function validateSpaceName(name: string): void {
  if (name.trim() !== '' && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return
  throw new ScriptoriumError(
    'VALIDATION_ERROR',
    `Expected a name of 1 to ${MAX_NAME_LENGTH} characters for the space, found ${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))}.`,
  )
}

const BY_NAME = 'SELECT space, name FROM tenant WHERE name = $1'

/** The space with this name, if any. */
export const findSpace = (database: Database, name: string): Promise<DatabaseSpace | undefined> =>
  database.withClient(async (client) => (await client.query<DatabaseSpace>(BY_NAME, [name])).rows[0])

const BY_KEY = 'SELECT name FROM tenant WHERE key = $1 ORDER BY space LIMIT 1'

/** The name of the space with this key in addresses; the oldest if there are several, undefined if there is none. */
export const spaceNameOfKey = (database: Database, key: string): Promise<string | undefined> =>
  database.withClient(async (client) => {
    const { rows } = await client.query<{ name: string }>({ name: 'space_of_key', text: BY_KEY, values: [key] })
    return rows[0]?.name
  })

const WITH_WEBHOOKS = 'SELECT key FROM tenant WHERE webhooks > 0 AND key IS NOT NULL ORDER BY key'

/** The keys of the spaces with webhooks that are not paused. */
export const keysOfSpacesWithWebhooks = (database: Database): Promise<string[]> =>
  database.withClient(async (client) => (await client.query<{ key: string }>(WITH_WEBHOOKS)).rows.map(({ key }) => key))

/** All spaces, by name. */
export const listSpaces = (database: Database): Promise<DatabaseSpace[]> =>
  database.withClient(
    async (client) => (await client.query<DatabaseSpace>('SELECT space, name FROM tenant ORDER BY name')).rows,
  )

/** The space with this name. If there is none, it is created with empty tables. */
export function findOrAddSpace(database: Database, name: string): Promise<DatabaseSpace> {
  return database.withClient(async (client) => {
    const found = (await client.query<DatabaseSpace>(BY_NAME, [name])).rows[0]
    if (found !== undefined) return found
    await client.query('BEGIN')
    const added = await addSpace(client, name)
    await client.query('COMMIT')
    if (added !== undefined) return { space: added, name }
    // Another process has just created it.
    const { rows } = await client.query<DatabaseSpace>(BY_NAME, [name])
    return rows[0] as DatabaseSpace
  })
}

const ZEROS = NUMBERED_TABLES.map(() => '0').join(', ')

/**
 * Creates a space in the current transaction, which belongs to that space from then on.
 *
 * @returns its number; undefined if the name is taken
 */
async function addSpace(client: ClientBase, name: string): Promise<number | undefined> {
  const space = await addTenant(client, name)
  if (space === undefined) return undefined
  await client.query(`INSERT INTO call_start (one, call, ${NUMBERED_TABLES.join(', ')}) VALUES (1, 1, ${ZEROS})`)
  return space
}

/**
 * Like {@link addSpace}, but the tables of its content stay without any row.
 *
 * @returns its number; undefined if the name is taken
 */
export async function addTenant(client: ClientBase, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ space: number }>(
    'INSERT INTO tenant (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING space',
    [name],
  )
  const space = rows[0]?.space
  if (space === undefined) return undefined
  await client.query(`SELECT set_config('${SPACE_SETTING}', $1, true)`, [space])
  await client.query('INSERT INTO space_usage (space) VALUES ($1)', [space])
  return space
}
