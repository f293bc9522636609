/** A space that moves from a file into a database, and back. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { moveSpace } from '../../src/cli/spaces/move-space.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { addWebhook, listWebhooks } from '../../src/webhooks/webhooks.ts'
import { type DumpedRow, dumpedTables, dumpTable } from '../../storage/dump.ts'
import { parseAddress, spaceAddress } from '../../storage/postgres/address.ts'
import { releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { removeSpace } from '../../storage/postgres/remove-space.ts'
import { findSpace } from '../../storage/postgres/spaces.ts'
import { endpoints } from '../../tools/index.ts'
import { TEST_DATABASE } from '../build.ts'
import { connect } from '../connect.ts'
import { makeLink, serveBuilt } from '../http/serving.ts'
import { folder, run } from '../program.ts'
import { answersOf, unpack } from '../schemas/fixtures.ts'
import { readings } from '../schemas/readings.ts'
import { changeRows } from '../sqlite.ts'

const ADDRESS = TEST_DATABASE ?? ''
const newAddress = () => spaceAddress(ADDRESS, randomUUID())
// A password must not appear on a command line.
const env = { SCRIPTORIUM_DATABASE: ADDRESS }

async function open(place: string): Promise<OpenSpace> {
  const space = await openSpace(place, {
    timezone: 'UTC',
    mustExist: true,
    historyRetention: Infinity,
    clock: () => at,
  })
  onTestFinished(() => space.close())
  return space
}

/** The current time for all readers of a space. */
const at = answersOf('29-former').now

/** The file of a space with one thing of each kind, from an earlier version. */
function filled(): string {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  return file
}

/** Removes a space from the database after the test, so that others can move it there. */
function removeAfterwards(address: string): void {
  onTestFinished(async () => {
    const database = await useDatabase(address)
    const found = await findSpace(database, parseAddress(address).space ?? '')
    if (found !== undefined) await removeSpace(database, found)
    await releaseDatabase(database)
  })
}

/** The tables in which a space of this name has rows, now and after its removal. */
async function tablesWithRows(name: string): Promise<() => Promise<string[]>> {
  const database = await useDatabase(ADDRESS)
  onTestFinished(() => releaseDatabase(database))
  const { space } = (await findSpace(database, name)) ?? {}
  return () =>
    database.withClient(async (client) => {
      await client.query('BEGIN')
      await client.query(`SELECT set_config('scriptorium.space', $1, true)`, [space])
      const { rows } = await client.query<{ name: string }>(
        "SELECT table_name::text AS name FROM information_schema.columns WHERE column_name = 'space' AND table_schema = 'public'",
      )
      const found: string[] = []
      for (const table of rows) {
        const had = await client.query(`SELECT 1 FROM ${table.name} WHERE space = $1 LIMIT 1`, [space])
        if (had.rows.length > 0) found.push(table.name)
      }
      await client.query('COMMIT')
      return found
    })
}

/** All rows, except for the change numbers, which are shared by the whole database. */
async function rowsOf(space: OpenSpace): Promise<Record<string, DumpedRow[]>> {
  return space.read(OPERATOR_LINK, async ({ tx }) => {
    const all: Record<string, DumpedRow[]> = {}
    for (const table of dumpedTables()) {
      const rows: DumpedRow[] = []
      for await (const part of dumpTable(tx, table)) rows.push(...part.map((row) => ({ ...row })))
      if (table === 'change') for (const row of rows) delete row.n
      // Each opening increments it.
      if (table === 'change_counter') for (const row of rows) delete row.value
      // A database counts only locations that have had documents.
      all[table] = table === 'location_count' ? rows.filter(({ documents }) => documents !== 0) : rows
    }
    return all
  })
}

const signInOf = (space: OpenSpace) => {
  const signIns = space.openSignIns()
  onTestFinished(() => signIns.close())
  return signIns
}

test('a space is the same in the database, and in a file again', async () => {
  const file = filled()
  const source = join(folder(), 'Notes.md')
  writeFileSync(source, 'imported')
  expect((await run(['import', source, '--space', file])).code).toBe(0)
  const first = await open(file)
  const to = { space: first, clock: { now: at } }
  const { call } = await connect('full', { to })
  await call('tasks_add', { tasks: [{ markdown: 'Later' }] })
  await (await connect('full', { to, access: 'propose' })).call('documents_add', { documents: [{ title: 'Proposed' }] })
  const { secret, info } = await makeLink({ space: first }, 'http://localhost')
  await first.write(OPERATOR_LINK, (view) => addWebhook(view, info.id, 'https://hooks.example/a', undefined))
  const issued = signInOf(first)
  await issued.save('Grant', 'a', { accountId: 'anna', grantId: 'g' }, undefined, 1)
  await issued.addKnownAddress('anna', '192.0.2.1', 1)
  const key = await issued.secret('key', randomUUID)
  const [before, rows] = [await readings(first), await rowsOf(first)]
  await first.close()
  const bytes = readFileSync(file)

  const address = newAddress()
  removeAfterwards(address)
  const response = await run(['spaces', 'move', file, address])
  const [documents, blocks] = [rows.document?.length, rows.block?.length]
  const files = new Set(rows.file?.map(({ hash }) => hash)).size
  const shown = parseAddress(address).shown
  expect(response).toEqual({
    code: 0,
    errors: '',
    output: `Moved ${file} to ${shown}: ${documents} documents, ${blocks} blocks, ${files} files, with links, sign-ins and history.
${file} is as it was, and what is written to it from now on is not in the database. Delete it with its files next to it once the database is served.
`,
  })
  expect(readFileSync(file).equals(bytes)).toBe(true)

  const second = await open(address)
  expect(await rowsOf(second)).toEqual(rows)
  expect(await readings(second)).toEqual(before)
  const there = signInOf(second)
  expect(await there.find('Grant', 'a', 2)).toEqual({ payload: { accountId: 'anna', grantId: 'g' } })
  expect(await there.isKnownAddress('anna', '192.0.2.1', 2)).toBe(true)
  expect(await there.secret('key', randomUUID)).toBe(key)

  const back = join(folder(), 'back.sqlite')
  expect((await run(['spaces', 'move', address, back])).output).toBe(
    `Moved ${shown} to ${back}: ${documents} documents, ${blocks} blocks, ${files} files, with links, sign-ins and history.
${shown} is as it was, and what is written to it from now on is not in the file. Remove it with spaces remove once the file is served.
`,
  )
  expect(readdirSync(join(back, '..')).sort()).toEqual(['back.sqlite', 'back.sqlite.files', 'back.sqlite.sign-in'])
  const third = await open(back)
  expect(await rowsOf(third)).toEqual(rows)
  for (const space of [second, third]) expect(space.info.addressKey).toEqual(first.info.addressKey)
  await second.write(OPERATOR_LINK, ({ tx }) => changeRows(tx, 'UPDATE space SET secret = ?', '5'.repeat(64)))
  const { info: later } = await open(address)
  expect([later.secret, later.addressKey]).toEqual(['5'.repeat(64), first.info.addressKey])
  expect(await readings(third)).toEqual(before)
  expect(await signInOf(third).find('Grant', 'a', 2)).toEqual({ payload: { accountId: 'anna', grantId: 'g' } })
  expect((await third.read(OPERATOR_LINK, (view) => listWebhooks(view, endpoints))).webhooks).toMatchObject([
    { url: 'https://hooks.example/a' },
  ])

  for (const space of [second, third]) {
    const { ask } = await serveBuilt({ to: { space, clock: { now: Date.now() } } })
    expect((await ask(`GET /links/${secret}/api/v1/connection`)).status).toBe(200)
  }
})

test('after a move, earlier calls can be undone, and new ones are stored', async () => {
  const file = join(folder(), 'space.sqlite')
  const first = await openSpace(file, { timezone: 'UTC' })
  const { call } = await connect('full', { to: { space: first, clock: { now: Date.now() } } })
  const { items } = await call('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }] })
  const { content } = await call('blocks_get', { id: items[0].rootBlockId })
  await first.close()
  let place = file
  for (const to of [newAddress(), join(folder(), 'back.sqlite')]) {
    const source = await open(place)
    const here = await connect('full', { to: { space: source, clock: { now: at } } })
    await here.call('blocks_update', { blocks: [{ id: content[0].id, markdown: 'two' }] })
    await source.close()
    await moveSpace(place, to)
    place = to
    const space = await open(to)
    const there = await connect('full', { to: { space, clock: { now: at } } })
    const text = async () => (await there.call('blocks_get', { id: items[0].rootBlockId })).content[0].markdown
    expect(await text()).toBe('two')
    const [latest] = (await there.call('history_list', { format: 'json', limit: 1 })).items
    await there.call('history_undo', { calls: [latest.callId] })
    expect(await text()).toBe('one')
    await there.call('documents_add', { documents: [{ title: 'Later' }] })
    expect((await there.call('documents_search', { include: ['Later'] })).items).not.toEqual([])
    await space.close()
  }
})

test('an existing target and an invalid source are rejected, and nothing is left', async () => {
  const path = folder()
  const [file, other, text] = ['space.sqlite', 'other.sqlite', 'text.sqlite'].map((name) => join(path, name))
  await (await openSpace(file ?? '', { timezone: 'UTC' })).close()
  new Sqlite(other).exec('CREATE TABLE a (b)').close()
  writeFileSync(text ?? '', 'no database '.repeat(100))
  const address = newAddress()
  const { shown, space: name } = parseAddress(address)
  const missing = newAddress()
  const refusal = (from = '', to = '') => moveSpace(from, to).catch(({ message }: Error) => message)
  expect(await refusal(join(path, 'none.sqlite'), address)).toBe(
    `Expected the file of a space, found none at ${join(path, 'none.sqlite')}; name one that Scriptorium made.`,
  )
  expect(await refusal(other, address)).toBe(
    `Expected a space, found another file in ${other}; name one that Scriptorium made.`,
  )
  expect(await refusal(text, address)).toBe(
    `Expected a space, found another file in ${text}; name one that Scriptorium made.`,
  )
  const unknown = await run(['spaces', 'move', join(path, 'none.sqlite'), address])
  expect(unknown).toEqual({ code: 2, output: '', errors: `${await refusal(join(path, 'none.sqlite'), address)}\n` })
  expect((await run(['spaces', 'list'], env)).output).not.toContain(name)
  await moveSpace(file ?? '', address)
  expect(await refusal(file, address)).toBe(
    `Expected a name that no space of the database has, found ${name}; choose another.`,
  )
  expect(await refusal(file, missing)).toBe(
    `Expected a database without this space, found it there as ${name}; its links can lead to one of the two only. Remove that with spaces remove first.`,
  )
  expect(await refusal(address, file)).toBe(`Expected a file that is not there yet, found ${file}; name another.`)
  expect(await refusal(missing, join(path, 'new.sqlite'))).toBe(
    `Expected a space of the database, found none that is called ${parseAddress(missing).space}; run spaces list to see which exist, or spaces add to make one.`,
  )
  expect(await refusal(address, missing)).toBe(
    'Expected a file and a database to move a space between, found two databases; move it to a file first, and from there to the other.',
  )
  expect(await refusal(file, join(path, 'new.sqlite'))).toBe(
    'Expected a file and a database to move a space between, found two files; copy a file with backup.',
  )
  expect(await refusal(file, ADDRESS)).toBe(
    `Expected the name of a space behind a #, as in ${shown.replace(/#.*/, '')}#notes, found none; name the space.`,
  )
  expect(readdirSync(path).sort()).toEqual(['other.sqlite', 'space.sqlite', 'text.sqlite'])
})

test('a file that the database cannot store is rejected, and the space is not created', async () => {
  const file = join(folder(), 'space.sqlite')
  const space = await openSpace(file, { timezone: 'UTC' })
  const { call } = await connect('full', { to: { space, clock: { now: Date.now() } } })
  const data = Buffer.alloc(1024 * 1024 + 1, 'a').toString('base64')
  await call('files_add', { position: { position: 'end', date: 'today' }, fileName: 'big.txt', data })
  await space.close()
  const address = newAddress()
  await expect(moveSpace(file, address)).rejects.toThrow(
    'Expected files of at most 1048576 bytes, which is what a database keeps of each, found 1048577 in big.txt; name a bucket with --files-bucket, or remove it from the space first.',
  )
  expect((await run(['spaces', 'list'], env)).output).not.toContain(parseAddress(address).space)
})

test('a space is removed after confirmation, and no other space loses anything', async () => {
  const [file, address, other] = [filled(), newAddress(), newAddress()]
  removeAfterwards(address)
  await moveSpace(file, address)
  const kept = await openSpace(other, { timezone: 'UTC' })
  onTestFinished(() => kept.close())
  await makeLink({ space: kept }, 'http://localhost')
  const rows = await rowsOf(kept)
  const { space: name = '', shown } = parseAddress(address)
  const unasked = await run(['spaces', 'remove', name], env)
  expect(unasked).toEqual({
    code: 2,
    output: '',
    errors:
      'Expected a terminal to ask on, found none; nothing was changed. Add --yes to delete it without a question.\n',
  })
  const opened = await open(address)
  const tables = await tablesWithRows(name)
  expect(await tables()).toContain('posting')
  const removed = await run(['spaces', 'remove', name, '--yes'], env)
  expect(removed).toEqual({ code: 0, output: `Deleted ${shown}. Backups of the database still have it.\n`, errors: '' })
  await expect(opened.write(OPERATOR_LINK, async () => {})).rejects.toThrow(
    'Expected the space in its database, found it removed while it was open; nothing was written.',
  )
  expect((await run(['spaces', 'remove', name, '--yes'], env)).errors).toBe(
    `Expected a space of the database, found none that is called ${name}; run spaces list to see which exist.\n`,
  )
  expect(await rowsOf(kept)).toEqual(rows)
  expect(await tables()).toEqual([])
  await moveSpace(file, address)
})
