/** Checks that a database and a role can be used, before anything else is done there. */
import type { ClientBase } from 'pg'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { OPEN_EARLIER_FIRST } from '../earlier-schemas.ts'
import { BASE_SCHEMA, SCHEMA_VERSION, schemaVersion } from './migrations.ts'

/** The oldest version of PostgreSQL that is tested. */
const MIN_VERSION = 150_000

interface Facts {
  version: number
  name: string
  role: string
  superuser: boolean
  bypasses: boolean
  encoding: string
  fsync: string
  commit: string
}

const FACTS = `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS name,
    rolname AS role, rolsuper AS superuser, rolbypassrls AS bypasses,
    current_setting('server_encoding') AS encoding,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit
  FROM pg_roles WHERE rolname = current_user`

/**
 * @param report  receives a sentence for each setting that can lose data
 * @throws VALIDATION_ERROR if the server, role or schema cannot be used
 */
export async function assertUsable(client: ClientBase, report: (sentence: string) => void = () => {}): Promise<void> {
  const facts = (await client.query<Facts>(FACTS)).rows[0]
  if (facts === undefined) throw new Error('Expected the role of the connection among those of the database.')
  const { version, name, role, superuser, bypasses, encoding, fsync, commit } = facts
  if (version < MIN_VERSION) throw unusable(`PostgreSQL 15 or newer`, `${name}`, 'upgrade it')
  if (encoding !== 'UTF8') throw unusable('a database in UTF8', `one in ${encoding}`, 'make another')
  if (superuser || bypasses) {
    throw unusable(
      'a role that row-level security holds for',
      `${role}, which ${superuser ? 'is a superuser' : 'has BYPASSRLS'}`,
      'make a role of its own for Scriptorium, which owns the database',
    )
  }
  const schema = await schemaVersion(client)
  if (schema > SCHEMA_VERSION) {
    throw unusable(
      `schema ${SCHEMA_VERSION} or older in the database`,
      `${schema}, of a newer Scriptorium`,
      'upgrade this one',
    )
  }
  if (schema > 0 && schema < BASE_SCHEMA) {
    throw unusable(`schema ${BASE_SCHEMA} or newer in the database`, `${schema}`, OPEN_EARLIER_FIRST)
  }
  if (fsync === 'off') report(losing('fsync'))
  if (commit === 'off') report(losing('synchronous_commit'))
}

/** Detects a pooler: it reports its own process numbers to clients. */
export async function hasPooler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid !== (client as ClientBase & { processID: number }).processID
}

/** The sentence to report if there is a pooler. */
export const POOLER =
  'Expected a connection of its own to the database, found a pooler between: statements are not kept prepared, and what other processes write is looked for each second; give the address of the database itself where it can be reached.'

const losing = (setting: string): string =>
  `Expected ${setting} to be on in the database, found it off: what was written can be lost when the machine of the database stops.`

const unusable = (expected: string, found: string, next: string): ScriptoriumError =>
  new ScriptoriumError('VALIDATION_ERROR', `Expected ${expected}, found ${found}; ${next}.`)
