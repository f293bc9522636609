/** Documents from before there were tags have theirs after the migration. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { sql } from '../../storage/sqlite/migrations/0044-tags.ts'
import { connect } from '../connect.ts'
import { folder } from '../program.ts'

test('tags of texts and of properties are found after the migration, those in code are not', async () => {
  const file = join(folder(), 'space.sqlite')
  const options = { timezone: 'UTC', clock: () => Date.UTC(2026, 10, 28) }
  const space = await openSpace(file, options)
  const { call } = await connect('full', { to: { space, clock: { now: options.clock() } } })
  await call('documents_add', {
    documents: [
      { title: 'Text', markdown: 'A #project/alpha and `#code`' },
      { title: 'Front', markdown: '```yaml\ntags: [project, ruhe]\n```\n\nb' },
      { title: 'Neither', markdown: '```\n#project\n```' },
    ],
  })
  await call('tasks_add', { tasks: [{ markdown: 'Call #project' }] })
  await space.close()
  const sqlite = new Sqlite(file)
  sqlite.exec('DROP TABLE block_tag')
  sqlite.exec(sql)
  sqlite.close()

  const migrated = await openSpace(file, options)
  onTestFinished(() => migrated.close())
  const after = await connect('full', { to: { space: migrated, clock: { now: options.clock() } } })
  const titled = async (tag: string) =>
    (await after.call('documents_list', { tags: [tag] })).items.map(({ title }: { title: string }) => title).sort()
  expect(await titled('project')).toEqual(['Front', 'Text'])
  expect(await titled('ruhe')).toEqual(['Front'])
  expect(await titled('code')).toEqual([])
  expect((await after.call('tasks_list', { scope: 'inbox', tags: ['project'] })).items).toHaveLength(1)
})
