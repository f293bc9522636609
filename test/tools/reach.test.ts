import { describe, expect, test } from 'vitest'
import { type Connected, connect } from '../connect.ts'
import { contentOf, documentOf, outlineOf } from '../document.ts'

const noBlock = (id: string) =>
  `Expected the ID of a block within reach, found ${id}; read IDs with blocks_get and name one of those.`

/** Creates a space with an exposed document, a hidden one, and a daily note. */
async function world() {
  const full = await connect()
  const hidden = await documentOf(full, 'hidden words')
  const [{ id: hiddenBlock }] = await contentOf(full, hidden)
  const own = await documentOf(full, `own [away](block://${hiddenBlock}) and [far *away*](block://${hidden})`)
  const [{ id: ownBlock }] = await contentOf(full, own)
  const [{ id: dailyBlock, documentId: daily }] = (
    await full.call('blocks_add', { markdown: `day [away](block://${hiddenBlock})`, position: { position: 'end' } })
  ).items
  return { full, hidden, hiddenBlock, own, ownBlock, daily, dailyBlock }
}

type World = Awaited<ReturnType<typeof world>>
const narrow: [string, (world: World) => Promise<{ connection: Connected; own: string; ownBlock: string }>][] = [
  [
    'selected',
    async ({ full, own, ownBlock }) => ({
      connection: await connect('selected', { to: full, documents: [own] }),
      own,
      ownBlock,
    }),
  ],
  [
    'daily',
    async ({ full, daily, dailyBlock }) => ({
      connection: await connect('daily', { to: full }),
      own: daily,
      ownBlock: dailyBlock,
    }),
  ],
]

describe.each(narrow)('a %s connection', (_, make) => {
  test('gets the same response for what is out of reach as for what does not exist', async () => {
    const there = await world()
    const { connection, own, ownBlock } = await make(there)
    const position = { position: 'end', pageId: own }
    for (const id of [there.hidden, there.hiddenBlock, '00000000-0000-7000-8000-999999999999']) {
      const refused = (name: string, args: object) => connection.refused(name, args)
      expect(await refused('blocks_get', { id })).toBe(noBlock(id))
      expect(await refused('blocks_add', { markdown: 'x', position: { position: 'end', pageId: id } })).toBe(
        noBlock(id),
      )
      expect(await refused('blocks_add', { markdown: 'x', position: { position: 'after', siblingId: id } })).toBe(
        noBlock(id),
      )
      expect(
        await refused('blocks_update', {
          blocks: [
            { id: ownBlock, markdown: 'x' },
            { id, markdown: 'x' },
          ],
        }),
      ).toBe(noBlock(id))
      expect(await refused('blocks_move', { blockIds: [ownBlock, id], position })).toBe(noBlock(id))
      expect(
        await refused('blocks_move', { blockIds: [ownBlock], position: { position: 'before', siblingId: id } }),
      ).toBe(noBlock(id))
      expect(await refused('blocks_delete', { blockIds: [ownBlock, id] })).toBe(noBlock(id))
    }
    expect(await outlineOf(there.full, there.hidden)).toEqual(['hidden words'])
    expect(await contentOf(there.full, own)).toHaveLength(1)
  })

  test('sees links out of reach hidden, and writing them back keeps them', async () => {
    const there = await world()
    const { connection, own, ownBlock } = await make(there)
    const before = await contentOf(there.full, own)
    const [{ markdown }] = await contentOf(connection, own)
    expect(markdown).toContain('(invalid:out_of_scope)')
    expect(markdown).not.toContain('block://')
    expect(await connection.call('blocks_get', { id: own, format: 'markdown' })).not.toContain('block://')
    await connection.call('blocks_update', { blocks: [{ id: ownBlock, markdown }] })
    expect(await contentOf(there.full, own)).toEqual(before)
    const { items } = await connection.call('blocks_update', {
      blocks: [{ id: ownBlock, markdown: `More ${markdown}` }],
    })
    expect(items[0].markdown).toBe(`More ${markdown}`)
    expect((await contentOf(there.full, own))[0].markdown).toBe(`More ${before[0].markdown}`)
  })

  test('sees links within reach unchanged', async () => {
    const { connection, own, ownBlock } = await make(await world())
    const link = `[here](block://${ownBlock})`
    await connection.call('blocks_add', { markdown: link, position: { position: 'end', pageId: own } })
    expect((await contentOf(connection, own))[1].markdown).toBe(link)
  })
})

test('links in tables are hidden cell by cell, whatever surrounds them', async () => {
  const full = await connect()
  const hidden = await documentOf(full, 'hidden')
  const link = `[b](block://${hidden})`
  const id = await documentOf(
    full,
    ['| ` | h | ` |', '| - | - | - |', `| \\\` | ${link} | \\\` |`, `| \` | ${link} | \` |`].join('\n'),
  )
  const selected = await connect('selected', { to: full, documents: [id] })
  expect(JSON.stringify(await contentOf(full, id))).toContain(hidden)
  expect(JSON.stringify(await contentOf(selected, id))).not.toContain(hidden)
})

test('a selected connection moves blocks between its documents', async () => {
  const full = await connect()
  const [one, two] = [await documentOf(full, 'a'), await documentOf(full, 'b')]
  const selected = await connect('selected', { to: full, documents: [one, two] })
  const [{ id }] = await contentOf(selected, one)
  await selected.call('blocks_move', { blockIds: [id], position: { position: 'end', pageId: two } })
  expect([await outlineOf(full, one), await outlineOf(full, two)]).toEqual([[], ['b', 'a']])
})

test('a document in the trash is out of reach of the connection that exposes it', async () => {
  const full = await connect()
  const own = await documentOf(full, 'words')
  const selected = await connect('selected', { to: full, documents: [own] })
  const [{ id }] = await contentOf(selected, own)
  await full.call('documents_delete', { documentIds: [own] })
  expect(await selected.refused('blocks_get', { id })).toBe(noBlock(id))
  expect(await selected.refused('blocks_get', { id: own })).toBe(noBlock(own))
  await full.call('documents_move', { documentIds: [own], destination: { destination: 'unsorted' } })
  expect(await outlineOf(selected, own)).toEqual(['words'])
})

test('a selected connection needs existing documents', async () => {
  const { space } = await connect()
  await expect(space.createAccessLink('selected', [], 'x')).rejects.toThrow(
    'Expected the IDs of the documents that the selected connection exposes, found none.',
  )
  await expect(space.createAccessLink('selected', ['nowhere'], 'x')).rejects.toThrow(
    'Expected IDs of documents in this space, found nowhere, which is none.',
  )
  await expect(space.createAccessLink('daily', ['nowhere'], 'x')).rejects.toThrow(
    'Expected documents on a selected connection alone, found them on a daily one; leave them out.',
  )
})
