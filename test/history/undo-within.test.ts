/** Undo within one document of what calls did in several. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { lastCall, textsOf } from './history-calls.ts'

/** Two documents that one call changed. */
async function changedTogether() {
  const full = await connect()
  const [one, two] = [await documentOf(full, 'a', 'One'), await documentOf(full, 'b', 'Two')]
  const ids = { ...(await idsOf(full, one)), ...(await idsOf(full, two)) }
  const blocks = ['a', 'b'].map((text) => ({ id: ids[text], markdown: `${text} changed` }))
  await full.call('blocks_update', { blocks })
  const textsIn = async () => [await textsOf(full, one), await textsOf(full, two)].flat()
  return { full, one, two, ids, textsIn, call: await lastCall(full) }
}

test('a call is undone there alone, and stands elsewhere', async () => {
  const { full, one, textsIn, call } = await changedTogether()
  const within = { calls: [call], documentId: one }
  expect(await full.call('history_undo', within)).toEqual({ calls: [call], summary: '"One": 1 block changed' })
  expect(await textsIn()).toEqual(['a', 'b changed'])
  expect((await full.call('history_undo', within)).summary).toBe('Nothing: all is as it was before.')
  expect((await full.call('history_undo', { calls: [call] })).summary).toBe('"Two": 1 block changed')
  expect(await textsIn()).toEqual(['a', 'b'])
})

test('later changes in another document are not in its way', async () => {
  const { full, one, ids, textsIn, call } = await changedTogether()
  await full.call('blocks_update', { blocks: [{ id: ids.b, markdown: 'b again' }] })
  expect(await full.refused('history_undo', { calls: [call] })).toContain('found it changed later')
  expect((await full.call('history_undo', { calls: [call], documentId: one })).conflicts).toBeUndefined()
  expect(await textsIn()).toEqual(['a', 'b again'])
})

test('a connection that reaches this document alone has then undone all that it sees', async () => {
  const { full, one, two, textsIn, call } = await changedTogether()
  const { historyFrom: _, ...made } = await full.space.createAccessLink('selected', [one])
  const link = { ...made, historyFrom: 0 }
  const narrow = await connect('selected', { to: full, documents: [one], caller: { link } })
  expect(await narrow.refused('history_undo', { calls: [call], documentId: two })).toBe(
    `Expected the ID of a document within reach, found ${two}; read IDs with documents_list and name one of those.`,
  )
  const within = { calls: [call], documentId: one }
  expect(await narrow.call('history_undo', within)).toEqual({ calls: [call], summary: '"One": 1 block changed' })
  expect(await textsIn()).toEqual(['a', 'b changed'])
  const undoing = await lastCall(narrow)
  expect(await narrow.refused('history_undo', within)).toBe(
    `Expected calls that still stand, found ${call}, which call ${undoing} took back; name that one to have it again.`,
  )
  expect((await full.call('history_undo', { calls: [call] })).summary).toBe('"Two": 1 block changed')
})

test.each(['the document it came from', 'the document it is in'])(
  'a block that a call changed and moved is as before after an undo within %s',
  async (place) => {
    const full = await connect()
    const [one, two] = [await documentOf(full, 'a', 'One'), await documentOf(full, 'b', 'Two')]
    const { b } = await idsOf(full, two)
    const steps = [
      { tool: 'blocks_update', arguments: { blocks: [{ id: b, markdown: 'b changed' }] } },
      { tool: 'blocks_move', arguments: { blockIds: [b], position: { position: 'end', pageId: one } } },
    ]
    await full.call('batch', { steps })
    const within = { calls: [await lastCall(full)], documentId: place === 'the document it is in' ? one : two }
    expect((await full.call('history_undo', within)).conflicts).toBeUndefined()
    expect([await textsOf(full, one), await textsOf(full, two)]).toEqual([['a'], ['b']])
    // What was changed elsewhere by a call that did not move it stays.
    await full.call('blocks_update', { blocks: [{ id: b, markdown: 'b again' }] })
    await full.call('blocks_move', { blockIds: [b], position: { position: 'end', pageId: one } })
    await full.call('history_undo', { calls: [await lastCall(full)], documentId: one })
    expect([await textsOf(full, one), await textsOf(full, two)]).toEqual([['a'], ['b again']])
  },
)
