import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { documentOf, idsOf, outline, outlineOf } from '../../document.ts'
import { runs } from '../../support/runs.ts'

const pages = `a\n\n<page>\n<pageTitle>P</pageTitle>\n<content>\nb\n\n<page>\n<pageTitle>Q</pageTitle>\n<content>\nc\n</content>\n</page>\n</content>\n</page>\n\nd`

async function prepared() {
  const connected = await connect()
  const id = await documentOf(connected, pages)
  const ids = await idsOf(connected, id)
  const move = (names: string[], position: object) =>
    connected.call('blocks_move', { blockIds: names.map((name) => ids[name]), position })
  return { connected, id, ids, move }
}

describe('blocks_move', () => {
  test('keeps IDs, and the order of the given blocks', async () => {
    const { connected, id, ids, move } = await prepared()
    expect(await move(['d', 'a'], { position: 'start', pageId: ids.Q })).toEqual({
      items: [{ id: ids.d }, { id: ids.a }],
    })
    expect(await outlineOf(connected, id)).toEqual([['P', ['b', ['Q', ['d', 'a', 'c']]]]])
    expect(await idsOf(connected, id)).toEqual(ids)
  })

  test('moves the content of a page, to another document too', async () => {
    const { connected, id, ids, move } = await prepared()
    const other = await documentOf(connected, 'x')
    await move(['P'], { position: 'end', pageId: other })
    expect(await outlineOf(connected, id)).toEqual(['a', 'd'])
    expect(await outlineOf(connected, other)).toEqual(['x', ['P', ['b', ['Q', ['c']]]]])
    // The subtree belongs to the other document now, so deleting the first one does not affect it.
    await connected.call('documents_delete', { documentIds: [id] })
    expect((await connected.call('blocks_get', { id: ids.c })).markdown).toBe('c')
  })

  test('a page and a block in it: the block is taken out', async () => {
    const { connected, id, move } = await prepared()
    await move(['P', 'c'], { position: 'start', pageId: id })
    expect(await outlineOf(connected, id)).toEqual([['P', ['b', 'Q']], 'c', 'a', 'd'])
  })

  test('to a daily note says where it went', async () => {
    const { connected, ids, move } = await prepared()
    const { items } = await move(['a'], { position: 'end', date: 'tomorrow' })
    const note = await connected.call('blocks_get', { date: 'tomorrow' })
    expect(items).toEqual([{ id: ids.a, documentId: note.id, dailyNoteDate: '2026-11-21' }])
    expect(outline(note.content)).toEqual(['a'])
  })

  test('is recorded for the documents on both sides, and no other', async () => {
    const { connected, id, ids, move } = await prepared()
    const [other, third] = [await documentOf(connected, 'x'), await documentOf(connected, 'y')]
    const changed = async () => {
      const { items } = await connected.call('documents_list', { fetchMetadata: true, documentIds: [id, other, third] })
      return items.map(({ lastModifiedAt }: { lastModifiedAt: string }) => lastModifiedAt.slice(11, 16))
    }
    connected.clock.now += 3_600_000
    await move(['a', 'd'], { position: 'end', pageId: other })
    expect(await changed()).toEqual(['10:00', '10:00', '09:00'])
    connected.clock.now += 3_600_000
    await move(['b'], { position: 'end', pageId: ids.Q })
    expect(await changed()).toEqual(['11:00', '10:00', '09:00'])
  })

  test('next to its current neighbor changes nothing', async () => {
    const { connected, id, ids, move } = await prepared()
    await move(['a'], { position: 'before', siblingId: ids.P })
    expect(await outlineOf(connected, id)).toEqual(['a', ['P', ['b', ['Q', ['c']]]], 'd'])
  })

  test('is rejected below itself, next to itself, and for a document', async () => {
    const { connected, id, ids } = await prepared()
    const refused = (blockIds: unknown[], position: object) => connected.refused('blocks_move', { blockIds, position })
    const inside = `Expected a position outside of the moved blocks, found one inside ${ids.P}; a block cannot be moved into itself or below itself.`
    expect(await refused([ids.P], { position: 'end', pageId: ids.P })).toBe(inside)
    expect(await refused([ids.a, ids.P], { position: 'end', pageId: ids.Q })).toBe(inside)
    expect(await refused([ids.P], { position: 'after', siblingId: ids.c })).toBe(inside)
    expect(await refused([ids.a, ids.d], { position: 'after', siblingId: ids.d })).toBe(
      `Expected a siblingId that is not among the moved blocks, found ${ids.d}; name a block that stays where it is.`,
    )
    expect(await refused([id], { position: 'end', pageId: ids.P })).toBe(
      `Expected a block inside a document, found ${id}, which is a document; use documents_move for documents.`,
    )
    expect(await outlineOf(connected, id)).toEqual(['a', ['P', ['b', ['Q', ['c']]]], 'd'])
  })
})

test('any sequence of moves leaves a tree with all its blocks', async () => {
  const names = ['a', 'P', 'b', 'Q', 'c', 'd'] as const
  const step = fc.record({
    moved: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
    at: fc.constantFrom('start', 'end', 'before', 'after'),
    to: fc.constantFrom(...names),
  })
  const { connected, id, ids } = await prepared()
  const flat = (tree: unknown[]): unknown[] => tree.flatMap((one) => (Array.isArray(one) ? flat(one) : [one]))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const { moved, at, to } of steps) {
        const target = at === 'start' || at === 'end' ? { pageId: ids[to] } : { siblingId: ids[to] }
        const args = { blockIds: moved.map((name) => ids[name]), position: { position: at, ...target } }
        await connected.client.callTool({ name: 'blocks_move', arguments: args })
      }
      expect(flat(await outlineOf(connected, id)).sort()).toEqual([...names].sort())
    }),
    { numRuns: runs(10, 60) },
  )
})

describe('blocks_delete', () => {
  test('deletes blocks with their content', async () => {
    const { connected, id, ids } = await prepared()
    const blockIds = [ids.P, ids.c, ids.d]
    expect(await connected.call('blocks_delete', { blockIds })).toEqual({ items: blockIds.map((id) => ({ id })) })
    expect(await outlineOf(connected, id)).toEqual(['a'])
    expect(await connected.refused('blocks_get', { id: ids.b })).toMatch(/^Expected the ID of a block within reach/)
  })

  test('is rejected for a document, and if one ID is unknown', async () => {
    const { connected, id, ids } = await prepared()
    expect(await connected.refused('blocks_delete', { blockIds: [id] })).toBe(
      `Expected a block inside a document, found ${id}, which is a document; use documents_delete for documents.`,
    )
    expect(await connected.refused('blocks_delete', { blockIds: [ids.a, 'nowhere'] })).toBe(
      'Expected the ID of a block within reach, found nowhere; that is no ID, so find it by its words with documents_search.',
    )
    expect(await outlineOf(connected, id)).toEqual(['a', ['P', ['b', ['Q', ['c']]]], 'd'])
  })
})
