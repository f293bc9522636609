/** History that is deleted permanently: no byte of it is left, and everything else stays. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runEmptyTrash, runForgetHistory } from '../../src/cli/delete-for-good-commands.ts'
import { runRestoreVersion } from '../../src/cli/history/history-command.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { buildSpace, NOW } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { folder } from '../program.ts'
import { firstValue } from '../sqlite.ts'

/** A word that occurs nowhere else. It equals its own stem, so that the index of words contains it unchanged. */
const SECRET = 'xylophqz'
const HOUR = 3600 * 1000

/** Returns the names of files below a folder that contain the word. */
const filesWithSecret = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(SECRET))
    .map(({ name }) => name)

/**
 * Creates a document that once contained the secret everywhere but no longer does. Also returns the call that deleted a
 * block.
 */
async function withoutSecret(connected: Connected, title: string): Promise<{ document: string; deletion: string }> {
  const { call } = connected
  const document = await documentOf(connected, `${SECRET} one\n\n${SECRET} two\n\nstays`, title)
  const position = { position: 'end', pageId: document }
  const { items } = await call('files_add', { position, text: `bytes of ${SECRET}`, fileName: `${SECRET}.txt` }).then(
    ({ id, ...rest }: Answer) => ({ items: [{ id: id ?? rest.blockId }] }),
  )
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema: {
      name: 'Things',
      properties: [
        { type: 'singleSelect', name: `of ${SECRET}`, options: [{ name: `option ${SECRET}` }] },
        { type: 'text', name: 'Words' },
      ],
    },
    position,
  })
  await call('items_add', { collectionId, items: [{ title: 'an item', properties: { words: `value ${SECRET}` } }] })
  const ids = await idsOf(connected, document)
  const block = ids[`${SECRET} one`] ?? ''
  await call('comments_add', { comments: [{ blockId: block, content: `a comment with ${SECRET}` }] })
  // Its response is stored for a retry.
  await connected.client.callTool({
    name: 'blocks_update',
    arguments: { blocks: [{ id: ids[`${SECRET} two`] ?? '', markdown: `${SECRET} three` }] },
    _meta: { 'scriptorium/idempotencyKey': 'k' },
  })
  await call('blocks_update', { blocks: [{ id: ids[`${SECRET} two`] ?? '', markdown: 'two' }] })
  await call('blocks_delete', { blockIds: [block, collectionId, ...items.map(({ id }) => id)] })
  const { items: calls } = await call('history_list', { format: 'json', limit: 1 })
  return { document, deletion: calls[0].callId }
}

const textOf = async ({ call }: Connected, id: string): Promise<string> =>
  (await call('blocks_get', { id, format: 'markdown' })).toString()

test('the history of a document is deleted while a server has the space open, without any trace', async () => {
  const path = folder()
  const file = join(path, 'space.sqlite')
  const built = await buildSpace(file)
  const connected = await connect('full', { to: built })
  const { document, deletion } = await withoutSecret(connected, 'Plan')
  const other = await documentOf(connected, 'words', 'Other')
  const { words = '' } = await idsOf(connected, other)
  await connected.call('blocks_delete', { blockIds: [words] })
  const {
    items: [later],
  } = await connected.call('history_list', { format: 'json', limit: 1 })
  writeFileSync(`${file}.before-schema-9`, SECRET)
  expect(filesWithSecret(path).length).toBeGreaterThan(2)

  const { value, lines } = await runForgetHistory(await openSpace(file, { clock: () => NOW }), { document })
  expect(lines.map(([line = '']) => line.replace(/[\d.]+ [KM]B/g, 'N KB'))).toEqual([
    `Deleted the history of document ${document}.`,
    'Compacted the file from N KB to N KB.',
    `Removed copies from before a change of the schema: ${file}.before-schema-9.`,
  ])
  expect(value).toMatchObject({ document, isFolded: true, copies: [] })
  expect(filesWithSecret(path)).toEqual([])
  // The present content stays, and changes to other documents can still be undone.
  expect(await textOf(connected, document)).toContain('stays')
  expect(await connected.refused('history_undo', { calls: [deletion] })).toBe(
    `Expected calls whose changes are kept, found ${deletion}, of which they are not any more; leave it out.`,
  )
  expect((await connected.call('history_undo', { calls: [later.callId] })).summary).toBe('"Other": 1 block restored')
})

test('a call that changed other documents, too, can be undone there', async () => {
  const file = join(folder(), 'space.sqlite')
  const connected = await connect('full', { to: await buildSpace(file) })
  const [first, second] = [await documentOf(connected, 'one', 'First'), await documentOf(connected, 'two', 'Second')]
  const { one = '' } = await idsOf(connected, first)
  const { two = '' } = await idsOf(connected, second)
  await connected.call('blocks_delete', { blockIds: [one, two] })
  const [{ callId }] = (await connected.call('history_list', { format: 'json', limit: 1 })).items
  await runForgetHistory(await openSpace(file, { clock: () => NOW }), { document: first })
  const undone = await connected.call('history_undo', { calls: [callId], documentId: second })
  expect(undone.summary).toBe('"Second": 1 block restored')
  expect(Object.keys(await idsOf(connected, first))).toEqual([])
})

test('where calls changed documents that are deleted for good is forgotten with these', async () => {
  const file = join(folder(), 'space.sqlite')
  const connected = await connect('full', { to: await buildSpace(file) })
  await connected.call('documents_delete', { documentIds: [await documentOf(connected, 'one', 'Gone')] })
  const clock = () => NOW + 60 * 24 * HOUR
  expect((await runEmptyTrash(await openSpace(file, { clock }), '2027-01-01')).value).toMatchObject({
    documents: [expect.any(String)],
  })
  const { space } = await buildSpace(file)
  const count = 'SELECT count(*) FROM call_document WHERE document NOT IN (SELECT n FROM document)'
  expect(await space.read(OPERATOR_LINK, ({ tx }) => firstValue(tx, count))).toBe(0)
})

test('history from before a time is deleted, and later calls can still be undone', async () => {
  const path = folder()
  const file = join(path, 'space.sqlite')
  const built = await buildSpace(file)
  const connected = await connect('full', { to: built })
  const { document, deletion } = await withoutSecret(connected, 'Plan')
  built.clock.now = NOW + HOUR
  const { stays = '' } = await idsOf(connected, document)
  await connected.call('blocks_delete', { blockIds: [stays] })
  const {
    items: [later],
  } = await connected.call('history_list', { format: 'json', limit: 1 })
  const { lines } = await runForgetHistory(await openSpace(file, { clock: () => NOW + 2 * HOUR }), { before: '90m' })
  expect(lines[0]).toEqual(['Deleted the history of 8 calls: what they wrote stays, and can no longer be taken back.'])
  expect(filesWithSecret(path)).toEqual([])
  expect(await connected.refused('history_undo', { calls: [deletion] })).toBe(
    `Expected calls whose changes are kept, found ${deletion}, of which they are not any more; leave it out.`,
  )
  await connected.call('history_undo', { calls: [later.callId] })
  expect(await textOf(connected, document)).toContain('stays')
})

test('either a time or an existing document must be given', async () => {
  const forget = async (flags: { before?: string; document?: string }) =>
    runForgetHistory((await buildSpace(join(folder(), 'space.sqlite'))).space, flags)
  await expect(forget({})).rejects.toThrow(
    'Expected --before or --document, found neither; say which history is to be deleted.',
  )
  await expect(forget({ before: '1d', document: '1' })).rejects.toThrow(
    'Expected --before or --document, found both; say which history is to be deleted.',
  )
  await expect(forget({ document: '100000000999' })).rejects.toThrow('100000000999')
})

test('restore-version restores one document to a moment, whoever changed it since', async () => {
  const connected = await connect()
  const document = await documentOf(connected, 'one\n\ntwo', 'Plan')
  const other = await documentOf(connected, 'words', 'Other')
  const { one = '', two = '' } = await idsOf(connected, document)
  const { words = '' } = await idsOf(connected, other)
  const {
    items: [moment],
  } = await connected.call('history_list', { format: 'json', limit: 1 })
  const ben = await connect('full', {
    to: connected,
    caller: { link: await connected.space.createAccessLink('full', [], 'Ben') },
  })
  await ben.call('blocks_delete', { blockIds: [one, words] })
  await connected.call('blocks_update', { blocks: [{ id: two, markdown: 'changed' }] })
  const flags = { at: moment.callId, dryRun: true }
  expect((await runRestoreVersion(connected.space, document, flags)).lines).toEqual([
    ['Would take back 2 calls: "Plan": 1 block changed, 1 block restored'],
  ])
  await runRestoreVersion(connected.space, document, { ...flags, dryRun: false })
  expect(await textOf(connected, document)).toMatch(/one\n\ntwo/)
  expect(await textOf(connected, other)).not.toContain('words')
  expect(() => runRestoreVersion(connected.space, document, { dryRun: false })).toThrow(
    'Expected --at with a moment, found none; scriptorium history --document lists those of a document.',
  )
})
