/** `participants erase` on a space in a database: that no table has the name is a test of both engines, in test/members. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { parseAddress, spaceAddress } from '../../storage/postgres/address.ts'
import { releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { findSpace } from '../../storage/postgres/spaces.ts'
import { TEST_DATABASE } from '../build.ts'
import { folder, run } from '../program.ts'

const NAME = 'Zwetlana Quist'

/** A new space in the database, and the tables that have a text in its rows or in their bytes. */
async function newSpace() {
  const address = spaceAddress(TEST_DATABASE ?? '', randomUUID())
  await (await openSpace(address, { timezone: 'UTC' })).close()
  const database = await useDatabase(address)
  onTestFinished(() => releaseDatabase(database))
  const { space } = (await findSpace(database, parseAddress(address).space ?? '')) ?? {}
  const tablesWith = (text: string): Promise<string[]> =>
    database.withClient(async (client) => {
      await client.query('BEGIN')
      await client.query(`SELECT set_config('scriptorium.space', $1, true)`, [space])
      const { rows } = await client.query<{ name: string }>(
        "SELECT table_name::text AS name FROM information_schema.columns WHERE column_name = 'space' AND table_schema = 'public' ORDER BY 1",
      )
      const found: string[] = []
      for (const { name } of rows) {
        const pattern = [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`]
        const had = await client.query(
          `SELECT 1 FROM ${name} AS whole WHERE space = $1 AND (whole::text ILIKE $2 OR whole::text ILIKE $3) LIMIT 1`,
          [space, ...pattern],
        )
        if (had.rows.length > 0) found.push(name)
      }
      await client.query('COMMIT')
      return found
    })
  const cli = (...args: string[]) => run([...args, '--space', address])
  return { address, cli, tablesWith }
}

test('a name is erased from the database, and listed where --list says', async () => {
  const { cli, tablesWith } = await newSpace()
  await cli('participants', 'add', NAME, '--handle', 'zwetlana')
  const link = await cli('links', 'add', '--participant', NAME, '--name', `Agent of ${NAME}`)
  const [, linkId = ''] = /^Made (\S+)/.exec(link.output) ?? []
  const { id } = JSON.parse((await cli('participants', 'list', '--json')).output)[1]
  expect((await cli('participants', 'remove', id)).code).toBe(0)
  expect((await cli('links', 'revoke', linkId)).code).toBe(0)
  expect((await tablesWith('wetlana')).length).toBeGreaterThan(2)

  const list = join(folder(), 'erased.jsonl')
  expect(await cli('participants', 'erase', NAME, '--yes')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Expected --list with a space in a database, found none'),
  })
  expect(existsSync(list)).toBe(false)
  const erased = await cli('participants', 'erase', NAME, '--yes', '--list', list)
  expect(erased.code, erased.errors).toBe(0)
  expect(erased.output).toContain('No table of the space has the name any more.')
  expect(await tablesWith('wetlana')).toEqual([])
  expect(readFileSync(list, 'utf8')).toContain(id)
  expect(readFileSync(list, 'utf8')).not.toMatch(/wetlana/i)
  expect((await cli('log', 'verify')).code).toBe(0)
  const again = await cli('participants', 'erase', list, '--again')
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('Erased 0 names again, of 1 erasure') })
})
