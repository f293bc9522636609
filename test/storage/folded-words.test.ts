/** Blocks whose words were folded in another way are indexed again by a migration. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { sql } from '../../storage/sqlite/migrations/0041-folded-words.ts'
import { BLOCK_NUMBER_BITS } from '../../storage/sqlite/word-search.ts'
import { connect } from '../connect.ts'
import { folder } from '../program.ts'

const DOCUMENTS = [
  { title: 'Łódź', markdown: 'a' },
  { title: 'B', markdown: 'Ørsted' },
  { title: 'C', markdown: '[map](https://maputnik.github.io)' },
  { title: 'D', markdown: '![x](https://tiles.example.org/x.png)' },
  { title: 'E', markdown: 'plain' },
]

test('what has letters beyond ASCII, or addresses, is found after the migration; nothing else is indexed again', async () => {
  const file = join(folder(), 'space.sqlite')
  const space = await openSpace(file, { timezone: 'UTC' })
  const { call } = await connect('full', { to: { space, clock: { now: Date.now() } } })
  const { items } = await call('documents_add', { documents: DOCUMENTS })
  await call('comments_add', { blockId: items[4].id, content: 'smørbrød' })
  await space.close()
  const sqlite = new Sqlite(file)
  // As if the blocks had been indexed with other words. One that has to stay keeps the index from being empty.
  const rowids = `SELECT document << ${BLOCK_NUMBER_BITS} | n FROM block WHERE text <> 'B'`
  expect(sqlite.prepare(`DELETE FROM search WHERE rowid IN (${rowids})`).run().changes).toBeGreaterThan(5)
  sqlite.exec(sql)
  sqlite.close()

  const migrated = await openSpace(file)
  onTestFinished(() => migrated.close())
  const after = await connect('full', { to: { space: migrated, clock: { now: Date.now() } } })
  const found = async (include: string) =>
    (await after.call('documents_search', { include })).items.map(({ title }: { title: string }) => title)
  expect(await found('lodz')).toEqual(['Łódź'])
  expect(await found('orsted')).toEqual(['B'])
  expect(await found('github.io')).toEqual(['C'])
  expect(await found('tiles.example.org')).toEqual(['D'])
  expect(await found('smorbrod')).toEqual(['E'])
  expect(await found('plain')).toEqual([])
})
