/** The highest numbers that blocks can have: the index finds these blocks, and higher numbers are never assigned. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { MAX_BLOCK_NUMBER } from '../../storage/word-index.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { connectionOf } from '../sqlite.ts'

test('blocks with the largest numbers are found, and a call that would exceed them is rejected as a whole', async () => {
  const built = await buildSpace()
  const { space } = built
  const { call, client } = await connect('full', { to: built })
  const found = async (include: string) =>
    (await call('documents_search', { include })).items.map(({ documentId }: { documentId: string }) => documentId)
  const add = (title: string, markdown: string) => ({ documents: [{ title, markdown }] })
  const first = (await call('documents_add', add('First', 'apple'))).items[0].id
  const left = 4
  await space.write(OPERATOR_LINK, async ({ tx }) => {
    connectionOf(tx)
      .sql("UPDATE sqlite_sequence SET seq = ? WHERE name = 'block'")
      .run(MAX_BLOCK_NUMBER - left)
  })
  const last = (await call('documents_add', add('Last', 'apple\n\npear\n\nplum'))).items[0].id
  expect(
    await space.read(OPERATOR_LINK, async ({ tx }) => connectionOf(tx).sql('SELECT max(n) FROM block').pluck().get()),
  ).toBe(MAX_BLOCK_NUMBER)
  expect((await found('apple')).sort()).toEqual([first, last].sort())
  expect(await found('plum')).toEqual([last])

  const counted = async () => (await call('documents_list')).items.length
  const before = await counted()
  const refused = await client.callTool({ name: 'documents_add', arguments: add('Beyond', 'apple') })
  expect(refused).toMatchObject({
    isError: true,
    content: [
      {
        text: 'Expected fewer than 2147483647 blocks in the life of a space, deleted ones among them, found that this call goes beyond them; nothing was written. Ask the person who runs the server to make another space, and add new content there.',
      },
    ],
  })
  expect(await counted()).toBe(before)
  expect((await found('apple')).sort()).toEqual([first, last].sort())
})
