/** Spaces of a database, served by their keys, and commands with the address of one. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { listAccessLinkInfos, spaceKey } from '../../src/auth/access-links/access-links.ts'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import { runEmptyTrash, runForgetHistory } from '../../src/cli/delete-for-good-commands.ts'
import { runExportCommand } from '../../src/cli/export-command.ts'
import { loadExportedSpace } from '../../src/cli/import-command.ts'
import { type Options, parseOptions } from '../../src/cli/options.ts'
import { formatResult } from '../../src/cli/printing.ts'
import { runSpaces } from '../../src/cli/spaces/spaces-command.ts'
import { DatabaseSpaceRegistry } from '../../src/http/database-registry.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { addWebhook } from '../../src/webhooks/webhooks.ts'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { type Database, releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { keysOfSpacesWithWebhooks, listSpaces, spaceNameOfKey } from '../../storage/postgres/spaces.ts'
import { recordWebhookFailure } from '../../storage/webhooks.ts'
import { noticeSources } from '../../tools/index.ts'
import { NOW, TEST_DATABASE } from '../build.ts'
import { documentBy, makeLink, serveBuilt } from '../http/serving.ts'
import { folder, run, start } from '../program.ts'

const ADDRESS = TEST_DATABASE ?? ''
let database: Database
beforeAll(async () => {
  database = await useDatabase(ADDRESS)
  return () => releaseDatabase(database)
})

async function open(name: string): Promise<OpenSpace> {
  const space = await openSpace(spaceAddress(ADDRESS, name), { timezone: 'UTC' })
  onTestFinished(() => space.close())
  return space
}

/** A server of all spaces of the database, and the names of those that it opened. */
async function serveDatabase() {
  const opened: string[] = []
  const spaces = new DatabaseSpaceRegistry({
    nameOf: (key) => spaceNameOfKey(database, key),
    async openSpace(name) {
      opened.push(name)
      const space = await openSpace(spaceAddress(ADDRESS, name), { mustExist: true })
      const limits = { requests: 0, blocks: 0 }
      return { space, rateLimiter: new RateLimiter(space.openUsage(), limits, Date.now), close: () => space.close() }
    },
    noticeSources,
  })
  onTestFinished(() => spaces.close())
  return { ...(await serveBuilt({ spaces })), opened }
}

test('a space is opened by its key on any server, and no other space is known there', async () => {
  const [one, other] = [await serveDatabase(), await serveDatabase()]
  const [name, second] = [randomUUID(), randomUUID()]
  const link = await makeLink({ space: await open(name) }, one.server.origin)
  const elsewhere = await makeLink({ space: await open(second) }, one.server.origin)
  const id = await documentBy(link, 'words')
  expect((await other.ask(`GET /links/${link.secret}/api/v1/blocks?id=${id}`)).status).toBe(200)
  expect((await other.ask(`GET /links/${elsewhere.secret}/api/v1/blocks?id=${id}`)).status).toBe(404)
  expect([one.opened, other.opened]).toEqual([[name], [name, second]])
  const mixed = `${elsewhere.secret.slice(0, 10)}${link.secret.slice(10)}`
  expect((await one.ask(`GET /links/${mixed}/api/v1/connection`)).status).toBe(401)
  expect((await one.ask('GET /links/0000000000nothing/api/v1/connection')).status).toBe(401)
})

test('concurrent requests open a space once', async () => {
  const { server, opened } = await serveDatabase()
  const name = randomUUID()
  const { ask } = await makeLink({ space: await open(name) }, server.origin)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('GET /connection')))
  expect(answers.map(({ json }) => json.space.name)).toEqual(Array.from({ length: 8 }, () => name))
  expect(opened).toEqual([name])
})

test('the key of a space is that of its links', async () => {
  const name = randomUUID()
  const space = await open(name)
  expect(await spaceNameOfKey(database, spaceKey(space.info.id))).toBe(name)
})

test('spaces with webhooks are known without being opened, until those are paused or removed', async () => {
  const space = await open(randomUUID())
  const key = spaceKey(space.info.id)
  const isKnown = async () => (await keysOfSpacesWithWebhooks(database)).includes(key)
  expect(await isKnown()).toBe(false)
  const { info } = await makeLink({ space }, 'http://localhost')
  await space.write(OPERATOR_LINK, (view) => addWebhook(view, info.id, 'https://hooks.example/a', undefined))
  expect(await isKnown()).toBe(true)
  const failure = { n: 1, failures: 1, retryAt: null, errorKind: null, lastError: 'gone', pausedAt: NOW }
  await space.write(OPERATOR_LINK, ({ tx }) => recordWebhookFailure(tx, failure))
  expect(await isKnown()).toBe(false)
})

test('a space that must exist is not created', async () => {
  const name = randomUUID()
  await expect(openSpace(spaceAddress(ADDRESS, name), { mustExist: true })).rejects.toThrow(
    `Expected a space of the database, found none that is called ${name}; run spaces list to see which exist, or spaces add to make one.`,
  )
  expect((await listSpaces(database)).map((space) => space.name)).not.toContain(name)
})

// A password must not appear on a command line.
const env = { SCRIPTORIUM_DATABASE: ADDRESS }

test('the program adds and lists spaces of a database', async () => {
  const name = `Notes ${randomUUID()}`
  expect((await run(['spaces', 'add', name, '--timezone', 'UTC'], env)).code).toBe(0)
  expect((await run(['spaces', 'list'], env)).output.split('\n')).toContain(name)
  const isNew = async () => false
  await expect(runSpaces('add', { database: ADDRESS, operand: name } as Options, isNew)).rejects.toThrow(
    `Expected a name that no space of the database has, found ${name}; choose another.`,
  )
  const space = await open(name)
  expect(space.info).toMatchObject({ name, timezone: 'UTC' })
})

test('the program serves the spaces of a database, and stops on request', async () => {
  const server = start(['serve', '--port', '0'], env)
  const [, origin = ''] = await server.until(/Serving at (\S+);/)
  const link = await makeLink({ space: await open(randomUUID()) }, origin)
  const id = await documentBy(link, 'words')
  expect((await link.ask(`GET /blocks?id=${id}`)).status).toBe(200)
  expect(await server.end()).toBe(0)
})

test('what is deleted permanently is gone from the rows, and remaining copies are named', async () => {
  const address = spaceAddress(ADDRESS, randomUUID())
  const space = await openSpace(address, { timezone: 'UTC' })
  const { ask } = await makeLink({ space }, (await serveDatabase()).server.origin)
  const id = await documentBy({ ask }, 'unmistakable words')
  expect((await ask('DELETE /documents', { documentIds: [id] })).status).toBe(200)
  await space.close()
  const rest =
    'Backups of the database may still have what was deleted, and its files do until they are vacuumed: VACUUM FULL overwrites them now.\n'
  const emptied = await run(['trash', 'empty', '--space', address])
  expect([emptied.code, emptied.output]).toEqual([0, `Deleted 1 document for good.\n${rest}`])
  const again = await openSpace(address, { mustExist: true })
  const forgotten = await runForgetHistory(again, { before: '2100-01-01' })
  expect(formatResult(forgotten, { json: false })).toMatch(/^Deleted the history of \d+ calls?: /)
  const nothing = await runEmptyTrash(await openSpace(address, { mustExist: true }), undefined)
  expect(nothing.lines).toEqual([['Expected documents to delete, found none in the trash; nothing was changed.']])
})

test('the export of a database space is a file of it, with its links and its history', async () => {
  const [name, path] = [randomUUID(), folder()]
  const space = await open(name)
  const { info } = await makeLink({ space }, 'http://localhost')
  const to = join(path, 'out')
  const none = () => Promise.reject(new Error('Expected no passphrase.'))
  expect(await runExportCommand(space, { to, as: 'json', documents: [], passphrase: false }, none)).toMatchObject({
    isComplete: true,
  })
  const options = parseOptions(['import', to], {})
  const file = join(path, 'space.sqlite')
  expect(await loadExportedSpace(file, options, none)).toBeDefined()
  const copy = await openSpace(file)
  onTestFinished(() => copy.close())
  expect(await copy.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([{ id: info.id }])
  await expect(loadExportedSpace(spaceAddress(ADDRESS, randomUUID()), options, none)).rejects.toThrow(
    'Expected the file of a new space for the export of a whole one, found a database; name a file with --space.',
  )
})

test('secrets of a database space are left out of an export, or encrypted with a passphrase', async () => {
  const [path, passphrase] = [folder(), async () => 'correct horse battery']
  const space = await open(randomUUID())
  const { info } = await makeLink({ space }, 'http://localhost')
  const { secret } = await space.write(OPERATOR_LINK, (view) =>
    addWebhook(view, info.id, 'https://hooks.example/a', undefined),
  )
  const textOf = async (to: string, isEncrypted: boolean) => {
    await runExportCommand(space, { to, as: 'json', documents: [], passphrase: isEncrypted }, passphrase)
    const tables = readdirSync(join(to, 'tables')).map((table) => readFileSync(join(to, 'tables', table), 'utf8'))
    return tables.join('')
  }
  const texts = [await textOf(join(path, 'out'), false), await textOf(join(path, 'sealed'), true)]
  expect(texts.map((text) => [secret, space.info.secret].filter((one) => text.includes(one)))).toEqual([[], []])
  const file = join(path, 'space.sqlite')
  await loadExportedSpace(file, parseOptions(['import', join(path, 'sealed'), '--passphrase'], {}), passphrase)
  const copy = await openSpace(file)
  onTestFinished(() => copy.close())
  expect(copy.info.secret).toBe(space.info.secret)
})
