/** Permanently deleted content is gone from every file of the space. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { runCompact, runEmptyTrash } from '../../src/cli/delete-for-good-commands.ts'
import { addAuditEntry } from '../../src/space/model/audit-log.ts'
import { pruneHistory } from '../../src/space/model/prune-history.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { emptyTrash } from '../../src/space/trash.ts'
import { buildSpace, NOW } from '../build.ts'
import { collectionOf, itemsOf } from '../collection.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { folder } from '../program.ts'

const DAY = 24 * 3600_000
/** A word that occurs nowhere else. It equals its own stem, so that the index of words contains it unchanged. */
const SECRET = 'xylophqz'
const KEYED = { 'scriptorium/idempotencyKey': 'k' }

/**
 * Returns the names of the files below a folder that contain a word. Closing a file that it read drops this process's
 * locks on it, which does no harm, since there is no other process.
 */
const filesWith = (path: string, word: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(word))
    .map(({ name }) => name)

const log = () => Promise.resolve()

test('the trash is emptied while a server has the space open, without any trace', async () => {
  const path = folder()
  const file = join(path, 'space.sqlite')
  const built = await buildSpace(file)
  const connected = await connect('full', { to: built })
  const { call, client } = connected
  const kept = await documentOf(connected, 'stays\n\nalso stays', 'Kept')
  const { items } = (
    await client.callTool({
      name: 'documents_add',
      arguments: { documents: [{ title: `A ${SECRET}`, markdown: `${`${SECRET} in text\n\n`.repeat(200)}` }] },
      _meta: KEYED,
    })
  ).structuredContent as { items: { id: string }[] }
  const id = items[0]?.id ?? ''
  const position = { position: 'end', pageId: id }
  const { content } = await call('blocks_get', { id })
  await call('blocks_update', { blocks: [{ id: content[0].id, markdown: `changed from ${SECRET}` }] })
  await call('comments_add', { comments: [{ blockId: content[1].id, content: `a comment with ${SECRET}` }] })
  await call('files_add', { position, text: `bytes of ${SECRET}`, fileName: `${SECRET}.txt` })
  await call('whiteboards_add', { position })
  const elsewhere = await collectionOf(connected, [], 'Elsewhere')
  expect(await itemsOf(connected, elsewhere, [{ title: 'an item' }])).toHaveLength(1)
  await call('documents_delete', { documentIds: [id] })
  expect(filesWith(path, SECRET).length).toBeGreaterThan(1)
  writeFileSync(`${file}.before-restore-2026-11-23`, '')

  const { value, lines } = await runEmptyTrash(await openSpace(file, { clock: () => NOW }), undefined)
  expect(lines.map(([line = '']) => line.replace(/[\d.]+ [KM]B/g, 'N KB'))).toEqual([
    'Deleted 1 document for good.',
    'Compacted the file from N KB to N KB.',
    `These copies in the folder of the space may still have what was deleted, with the bytes of its files: ${file}.before-restore-2026-11-23. So may backups elsewhere.`,
  ])
  expect(value).toMatchObject({ documents: [id], isFolded: true })
  expect(filesWith(path, SECRET)).toEqual([])
  const sqlite = new Sqlite(file, { readonly: true })
  sqlite.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'search', 'row')")
  const words = sqlite.prepare('SELECT term FROM vocabulary').pluck().all()
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
  sqlite.close()
  expect(words).toContain('also')
  expect(words).not.toContain(SECRET)
  // The server continues with the rest.
  expect(JSON.stringify(await call('documents_search', { include: ['also stays'] }))).toContain(kept)
  await expect(call('blocks_get', { id })).rejects.toThrow('Expected the ID of a block within reach')
  const again = await client.callTool({
    name: 'documents_add',
    arguments: { documents: [{ title: `A ${SECRET}`, markdown: `${`${SECRET} in text\n\n`.repeat(200)}` }] },
    _meta: KEYED,
  })
  expect(again.isError).toBe(true)
  expect(JSON.stringify(again.content)).toContain('the call was carried out then and nothing was written now')
})

describe('of the trash', () => {
  /** Moves documents to the trash, one per day, the last of them today. */
  async function thrownAway(count: number) {
    const built = await buildSpace()
    const connected = await connect('full', { to: built })
    const ids: string[] = []
    for (let day = count - 1; day >= 0; day--) {
      built.clock.now = NOW - day * DAY
      const id = await documentOf(connected, `text ${day}`, `Document ${day}`)
      await connected.call('documents_delete', { documentIds: [id] })
      ids.push(id)
    }
    return { ...connected, ids }
  }

  test('documents deleted before a time are removed, and the rest stays', async () => {
    const { space, ids, call } = await thrownAway(3)
    expect((await emptyTrash(space, NOW - DAY, log)).documents).toEqual([ids[0]])
    expect((await call('documents_list', { location: 'trash' })).items.map(({ id }: { id: string }) => id)).toEqual([
      ids[1],
      ids[2],
    ])
  })

  test('a restored document stays, and counts from its next deletion', async () => {
    const { space, ids, call, clock } = await thrownAway(2)
    clock.now = NOW + DAY
    await call('documents_move', { documentIds: ids, destination: { destination: 'unsorted' } })
    expect((await emptyTrash(space, Infinity, log)).documents).toEqual([])
    await call('documents_delete', { documentIds: ids })
    clock.now = NOW + 2 * DAY
    await call('documents_delete', { documentIds: ids })
    expect((await emptyTrash(space, NOW + DAY, log)).documents).toEqual([])
    expect((await emptyTrash(space, NOW + DAY + 1, log)).documents).toEqual(ids)
  })

  test('with a collection the relations to its items are removed', async () => {
    const connected = await connect()
    const { call, space } = connected
    const people = await collectionOf(connected, [], 'People')
    const [ada = ''] = await itemsOf(connected, people, [{ title: 'Ada' }])
    const books = await collectionOf(
      connected,
      [{ name: 'Author', type: 'relation', targetCollectionId: people }],
      'Books',
    )
    await itemsOf(connected, books, [{ title: 'Notes', properties: { author: { relations: [{ blockId: ada }] } } }])
    const { items } = await call('documents_list')
    const [first] = items
    await call('documents_delete', { documentIds: [first.id] })
    expect(
      (await emptyTrash(space, Infinity, (view, ids) => addAuditEntry(view, 'trash_empty', ids))).documents,
    ).toEqual([first.id])
    const left = await call('items_list', { collectionId: books }).catch((error: Error) => error.message)
    expect(JSON.stringify(left)).not.toContain(ada)
  })
})

test.each([
  ['2026-11-20', 'the start of a day in the space'],
  ['2026-11-19T23:00:00Z', 'a time'],
  ['10h', 'a while ago'],
])('--before %s is %s', async (before) => {
  const path = folder()
  const file = join(path, 'space.sqlite')
  const built = await buildSpace(file)
  const connected = await connect('full', { to: built })
  const ids: string[] = []
  for (const time of ['2026-11-19T22:59:59Z', '2026-11-19T23:00:00Z']) {
    built.clock.now = Date.parse(time)
    ids.push(await documentOf(connected))
    await connected.call('documents_delete', { documentIds: ids.slice(-1) })
  }
  const space = await openSpace(file, { clock: () => NOW })
  expect((await runEmptyTrash(space, before)).value).toMatchObject({ documents: ids.slice(0, 1) })
})

test('an invalid --before is rejected', async () => {
  const { space } = await buildSpace()
  await expect(runEmptyTrash(space, 'soon')).rejects.toThrow('a while ago such as 12h or 30d as --before, found soon.')
})

test('compact frees the space of what was deleted, and reports sizes', async () => {
  const file = join(folder(), 'space.sqlite')
  const connected = await connect('full', { to: await buildSpace(file, { historyRetention: 0 }) })
  const id = await documentOf(connected, 'some words that take room\n\n'.repeat(1000))
  const { content } = await connected.call('blocks_get', { id, maxBlocks: 20_000 })
  await connected.call('blocks_delete', { blockIds: content.map((block: { id: string }) => block.id) })
  await connected.space.write(OPERATOR_LINK, pruneHistory)
  const { value, lines } = await runCompact(file, true)
  const { before, after } = value as { before: number; after: number }
  expect(after).toBeLessThan(before / 2)
  expect(lines).toEqual([[expect.stringMatching(/^Compacted the file from [\d.]+ [KM]B to [\d.]+ [KM]B\.$/)]])
  expect((await connected.call('documents_list')).items).toHaveLength(1)
})
