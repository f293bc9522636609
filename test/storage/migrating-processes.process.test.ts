/** Several processes open an old file at the same time. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { diagnose } from '../../storage/sqlite/diagnosis/diagnose.ts'
import { BASE_SCHEMA, SCHEMA_VERSION } from '../../storage/sqlite/migrations.ts'
import { folder, run } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'

const SOUND = { schema: SCHEMA_VERSION, integrity: [], brokenReferences: [], schemaDifferences: [] }

test('it is migrated once, with one copy, and all processes continue', async () => {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  const ended = await Promise.all([1, 2, 3].map(() => run(['links', 'list', '--space', file, '--json'])))
  expect(ended.map(({ code, output }) => [code, JSON.parse(output).length])).toEqual(Array(3).fill([0, 3]))
  const copy = `${file}.before-schema-${SCHEMA_VERSION}`
  expect(ended.map(({ errors }) => errors).join('')).toBe(
    `Migrated ${file} to schema ${SCHEMA_VERSION}; a copy of the previous state is kept for a week in ${copy}.\n`,
  )
  expect(readdirSync(dirname(file)).filter((name) => name.includes('before'))).toHaveLength(1)
  expect(diagnose(file)).toMatchObject(SOUND)
  expect(diagnose(copy)).toMatchObject({ schema: BASE_SCHEMA, integrity: [], brokenReferences: [] })
})

test('--no-copy keeps no copy', async () => {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  expect(await run(['participants', 'list', '--space', file, '--no-copy'])).toMatchObject({ code: 0, errors: '' })
  expect(diagnose(file)).toMatchObject(SOUND)
  expect(existsSync(`${file}.before-schema-${SCHEMA_VERSION}`)).toBe(false)
})
