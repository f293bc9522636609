/** Large spaces are migrated in a thread: the process serves its other spaces, and says what it waits for. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { spaceKeyOf } from '../../src/auth/access-links/access-links.ts'
import { migrateInWorker } from '../../src/space/migrate-in-worker.ts'
import { openSpace } from '../../src/space/open-space.ts'
import type { MigrationProgress } from '../../storage/migration-progress.ts'
import { isLongMigration } from '../../storage/sqlite/long-migration.ts'
import { BASE_SCHEMA, SCHEMA_VERSION, schemaVersion } from '../../storage/sqlite/migrations.ts'
import { UnusableFile } from '../../storage/sqlite/unusable-file.ts'
import { connect } from '../connect.ts'
import { askAt, documentBy, makeLink } from '../http/serving.ts'
import { folder, start, startServe } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'
import { eventually } from '../support/eventually.ts'

/** Makes the file of a space so large that it is migrated in a thread. */
const PAD = `INSERT INTO write_log (at, author, endpoint, ids) SELECT 1, 'a', 'b', '["${'1'.repeat(100_000)}"]'
  FROM (VALUES (1), (2), (3), (4), (5), (6)) CROSS JOIN (VALUES (1), (2), (3), (4))`

function change(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}

/** Creates a space with a link and a document. */
async function makeSpace(file: string): Promise<string> {
  const space = await openSpace(file, { name: 'Quince' })
  const { secret } = await makeLink({ space, clock: { now: Date.now() } }, 'http://localhost')
  await space.close()
  return secret
}

/** A large space whose words have to be indexed. */
async function makeUnindexed(file: string): Promise<string> {
  const secret = await makeSpace(file)
  const space = await openSpace(file)
  const { call } = await connect('full', { to: { space, clock: { now: Date.now() } } })
  await call('documents_add', { documents: [{ title: 'Orchard', markdown: 'Pears in May' }] })
  await space.close()
  change(file, `${PAD}; INSERT INTO unindexed_block SELECT n FROM block`)
  return secret
}

/** Keeps a space from being written until it is released, so that its migration waits. */
function hold(file: string): () => void {
  const sqlite = new Sqlite(file)
  sqlite.exec('BEGIN IMMEDIATE')
  const release = () => {
    if (sqlite.open) sqlite.exec('ROLLBACK').close()
  }
  onTestFinished(release)
  return release
}

const MIGRATING =
  /^Expected a space of this version of Scriptorium, found that it is being migrated to it: .+\. Nothing was done; try again in 5 seconds\.$/

/** Tries a space over REST, MCP and the pages. */
async function expectMigrating(origin: string, secret: string): Promise<void> {
  const ask = askAt(origin)
  const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const answers = [
    await ask(`GET /links/${secret}/api/v1/connection`),
    await ask(`POST /links/${secret}/mcp`, mcp, { accept: 'application/json, text/event-stream' }),
    await ask(`GET /view/${spaceKeyOf(secret)}/`),
  ]
  for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  for (const { json } of answers.slice(0, 2)) {
    expect(json).toEqual({ error: expect.stringMatching(MIGRATING), code: 'MIGRATING' })
  }
  expect(answers[2]?.text).toContain('it is being migrated to it')
}

test('a space of a folder is migrated while the others are served', async () => {
  const path = folder()
  const file = join(path, 'old.sqlite')
  const old = await makeUnindexed(file)
  const other = await makeSpace(join(path, 'other.sqlite'))
  const release = hold(file)
  const server = await startServe('--spaces', path)
  const ask = askAt(server.origin)
  await expectMigrating(server.origin, old)
  expect((await ask('GET /health')).json).toMatchObject({ status: 'ok', migratingSpaces: 1 })
  await documentBy({ ask: askAt(`${server.origin}/links/${other}/api/v1`) }, 'words')
  await expectMigrating(server.origin, old)
  release()
  const search = `GET /links/${old}/api/v1/documents/search?include=pears`
  const { json } = await eventually(async () => {
    const answer = await ask(search)
    expect(answer.status).toBe(200)
    return answer
  })
  expect(JSON.stringify(json)).toContain('**Pears** in May')
  expect((await ask('GET /health')).json).not.toHaveProperty('migratingSpaces')
  expect(await server.end()).toBe(0)
  expect(server.errors()).toContain(`${file} is being migrated before it is used: it has just begun.`)
})

test('a server of one space listens while that is migrated, and ends when it is told to', async () => {
  const file = join(folder(), 'old.sqlite')
  const secret = await makeUnindexed(file)
  const release = hold(file)
  const first = await startServe('--space', file)
  await expectMigrating(first.origin, secret)
  expect((await askAt(first.origin)('GET /health')).json).toMatchObject({ status: 'ok', migratingSpaces: 1 })
  expect(await first.end()).toBe(0)
  const second = await startServe('--space', file)
  await expectMigrating(second.origin, secret)
  release()
  const ask = askAt(`${second.origin}/links/${secret}/api/v1`)
  await eventually(async () => expect((await ask('GET /connection')).status).toBe(200))
  expect(await second.end()).toBe(0)
})

test('stdio says what it waits for', async () => {
  const file = join(folder(), 'old.sqlite')
  await makeUnindexed(file)
  const release = hold(file)
  const running = start(['stdio', '--space', file])
  await running.until(/old\.sqlite is being migrated before it is used: it has just begun\./)
  release()
  await running.until(/old\.sqlite is being migrated before it is used: \d+ % of its words are indexed\./)
  await running.end()
})

/** A large space of an old schema. */
function oldSpace(): string {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  change(file, `${PAD}; INSERT INTO unindexed_block SELECT n FROM block`)
  return file
}

test('the steps of a migration are reported, and the file is up to date afterwards', async () => {
  const file = oldSpace()
  const [steps, sentences]: [MigrationProgress[], string[]] = [[], []]
  const options = {
    onMigration: (step: MigrationProgress) => steps.push(step),
    report: (it: string) => sentences.push(it),
  }
  await migrateInWorker(file, options)
  expect(steps.map(({ step, done }) => (done === undefined ? step : `${step} ${done}`))).toEqual([
    ...['beginning', 'copying'],
    ...Array.from({ length: SCHEMA_VERSION - BASE_SCHEMA }, (_, index) => `migrating ${index + BASE_SCHEMA}`),
    ...['checking', 'indexing 0'],
  ])
  expect(sentences).toHaveLength(6)
  expect(sentences[5]).toBe(`${file} is being migrated before it is used: 0 % of its words are indexed.`)
  expect(sentences[4]).toMatch(/^Migrated .*; a copy of the previous state is kept/)
  const sqlite = new Sqlite(file, { readonly: true })
  expect(schemaVersion(sqlite)).toBe(SCHEMA_VERSION)
  sqlite.close()
  expect(isLongMigration(file, 0)).toBe(false)
  await migrateInWorker(file, options)
  expect(sentences).toHaveLength(6)
})

test('why a file cannot be migrated is said, and a migration can be ended', async () => {
  const file = oldSpace()
  const damaged = `${file}.damaged`
  copyFileSync(file, damaged)
  change(damaged, 'CREATE TABLE property_new (n)')
  await expect(migrateInWorker(damaged)).rejects.toThrow(/property_new/)
  copyFileSync(file, damaged)
  change(damaged, 'PRAGMA application_id = 1')
  await expect(migrateInWorker(damaged)).rejects.toThrow(UnusableFile)
  const stop = new AbortController()
  const ended = migrateInWorker(file, { signal: stop.signal, onMigration: () => stop.abort(new Error('the end')) })
  await expect(ended).rejects.toThrow('the end')
  expect(isLongMigration(file, 0)).toBe(true)
})
