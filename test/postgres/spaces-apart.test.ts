/** Row-level security isolates the spaces of a database, whatever a statement contains. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabaseSpace } from '../../src/space/open-space.ts'
import { type Database, releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { buildSpace, TEST_DATABASE } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { changeRows, rowsOf } from '../sqlite.ts'

const ADDRESS = TEST_DATABASE ?? ''

let database: Database
beforeAll(async () => {
  database = await useDatabase(ADDRESS)
})
afterAll(() => releaseDatabase(database))

/** Tables of the database itself. Those with usage have no content. */
const SHARED = ['address_usage', 'link_use', 'schema_version', 'space_usage', 'tenant']

test('every other table has a policy that also applies to its owner', async () => {
  const { rows } = await database.withClient((client) =>
    client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND NOT (relrowsecurity AND relforcerowsecurity
           AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid AND polcmd = '*'))
       ORDER BY relname`,
    ),
  )
  expect(rows.map(({ name }) => name)).toEqual(SHARED)
})

test('a statement outside of a space is an error', async () => {
  const read = database.withClient((client) => client.query('SELECT n FROM block'))
  await expect(read).rejects.toThrow(/scriptorium\.space|invalid input syntax for type bigint/)
})

test('a transaction reads, changes and deletes rows of its space only, and adds none to another', async () => {
  const [one, other] = [await connect(), await connect()]
  await documentOf(one, 'words of the first')
  await documentOf(other, 'words of the second')
  const link = await one.space.createAccessLink('full', [], 'tester')
  const [before] = await one.space.read(link, ({ tx }) =>
    rowsOf<{ space: number; count: number }>(tx, 'SELECT space, count(*) AS count FROM block GROUP BY space'),
  )
  const spaces = await other.space.read(link, ({ tx }) =>
    rowsOf<{ space: number }>(tx, 'SELECT DISTINCT space FROM block'),
  )
  expect(spaces).toHaveLength(1)
  expect(spaces[0]?.space).not.toBe(before?.space)
  const foreign = before?.space ?? 0
  await other.space.write(link, async ({ tx }) => {
    expect(await rowsOf(tx, 'SELECT n FROM block WHERE space = ?', foreign)).toEqual([])
    expect(await changeRows(tx, "UPDATE block SET text = 'taken' WHERE space = ?", foreign)).toBe(0)
    expect(await changeRows(tx, 'DELETE FROM folder WHERE space = ?', foreign)).toBe(0)
  })
  const add = other.space.write(link, ({ tx }) =>
    changeRows(tx, 'INSERT INTO retired_id (space, id) VALUES (?, 100000000001)', foreign),
  )
  await expect(add).rejects.toThrow(
    'Expected the role of the server to own the tables of the space, found that it may not use one; nothing was written. Ask the person who runs the server to read its log, then try again.',
  )
  const after = await one.space.read(link, ({ tx }) =>
    rowsOf(tx, 'SELECT space, count(*) AS count FROM block GROUP BY space'),
  )
  expect(after).toEqual([before])
})

test('a role that bypasses row-level security is rejected', async () => {
  const address = ADDRESS.replace('//scriptorium@', '//admin@')
  await expect(openDatabaseSpace(`${address}#${randomUUID()}`)).rejects.toThrow(
    'Expected a role that row-level security holds for, found admin, which is a superuser; make a role of its own for Scriptorium, which owns the database.',
  )
})

test('an address without the name of a space is rejected', async () => {
  await expect(openDatabaseSpace('postgres://scriptorium@localhost/notes')).rejects.toThrow(
    'Expected the name of a space behind a #, as in postgres://scriptorium@localhost/notes#notes, found none.',
  )
})

test('a space is found again under its name', async () => {
  const name = randomUUID()
  const first = await openDatabaseSpace(`${ADDRESS}#${name}`, { name: 'Kept', timezone: 'UTC' })
  await first.close()
  const second = await openDatabaseSpace(`${ADDRESS}#${name}`, { name: 'Other' })
  expect([first.isNew, second.isNew]).toEqual([true, false])
  expect(second.info).toMatchObject({ id: first.info.id, name: 'Kept' })
  await second.close()
  expect((await buildSpace()).space.info.id).not.toBe(first.info.id)
})
