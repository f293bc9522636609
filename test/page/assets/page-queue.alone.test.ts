/** What is typed becomes calls: text after a pause, everything else at once, and undo of a deletion brings back IDs. */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { history, undo } from 'prosemirror-history'
import { EditorState, type Transaction } from 'prosemirror-state'
// Looks for a document when it is loaded, so before there is half of one.
import 'prosemirror-tables'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PageBlock } from '../../../src/page/assets/model/page-block.ts'
import { stubPage } from './page-stubs.ts'

let spaces = 0
/** Calls that arrived: the tool, and the arguments. */
let arrived: { tool: string; arguments: Record<string, unknown> }[]
let isOnline: boolean

beforeEach(() => {
  arrived = []
  isOnline = true
  vi.resetModules()
  // What is typed waits until the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('indexedDB', new IDBFactory())
  stubPage({ base: `/queue/${spaces++}`, token: 't', session: 'a'.repeat(16) })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    if (!isOnline) throw new TypeError('Failed to fetch')
    const call = JSON.parse(body)
    arrived.push({ tool: call.tool, arguments: call.arguments })
    const items = [
      { id: '77', ids: ['77'] },
      { id: '78', ids: ['78'] },
    ]
    return Response.json({ answer: { items, callId: `call ${arrived.length}` } })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function edit(...texts: string[]) {
  const { calls } = await import('../../../src/page/assets/calls.ts')
  const { schema } = await import('../../../src/page/assets/model/editor-schema.ts')
  const { PageModel } = await import('../../../src/page/assets/model/page-model.ts')
  const { PageQueue } = await import('../../../src/page/assets/sync/page-queue.ts')
  const blocks = texts.map((markdown, at): PageBlock => ({ id: `${at + 1}`, fields: { type: 'text' }, markdown }))
  const model = new PageModel('page', blocks)
  let state = EditorState.create({ schema, doc: model.createDocument(), plugins: [history({ newGroupDelay: 0 })] })
  const edited = {
    get state() {
      return state
    },
    get current() {
      return state
    },
    dispatch(transaction: Transaction) {
      const before = state.doc
      state = state.apply(transaction)
      queue.changed(before, transaction)
    },
  }
  const queue = new PageQueue({ documentId: 'd', base: '/' }, model, edited)
  queue.start()
  const settle = async () => {
    await queue.kept()
    await calls.settled('d')
    await queue.kept()
  }
  return { edited, queue, model, schema, settle }
}

test('typed text waits for a pause, as a draft, and is one call', async () => {
  const { edited, queue, settle } = await edit('one')
  edited.dispatch(edited.state.tr.insertText(' t', 4))
  edited.dispatch(edited.state.tr.insertText('wo', 6))
  await settle()
  expect([arrived, queue.store.get('draft', '1')?.text]).toEqual([[], 'one two'])
  queue.flush()
  await settle()
  const change = { id: '1', markdown: 'one two', base: 'one', indentationLevel: 0, depth: 0, listStyle: 'none' }
  expect(arrived).toEqual([{ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }])
  expect(queue.store.get('draft', '1')).toBeUndefined()
})

test('the first letter in an empty page is queued at once, so that a page that is closed has it', async () => {
  const { edited, settle } = await edit()
  edited.dispatch(edited.state.tr.insertText('a', 1))
  await settle()
  expect(arrived.map(({ tool }) => tool)).toEqual(['blocks_add'])
})

test('without a connection, changes of one text are one call, based on the first', async () => {
  isOnline = false
  const { edited, queue, settle } = await edit('one', 'x')
  // Is sent first and waits, so that the next calls can still be amended.
  edited.dispatch(edited.state.tr.insertText('y', 7))
  queue.flush()
  for (const letter of 'abc') {
    edited.dispatch(edited.state.tr.insertText(letter, 4))
    queue.flush()
  }
  await queue.kept()
  isOnline = true
  window.dispatchEvent(new Event('online'))
  await settle()
  const texts = arrived.map(({ arguments: input }) => (input.blocks as { markdown: string; base: string }[])[0])
  expect(texts.map((change) => [change?.base, change?.markdown])).toEqual([
    ['x', 'xy'],
    ['one', 'onecba'],
  ])
})

test('a block that is divided is one call at once, and gets its ID from the answer', async () => {
  const { edited, model, schema, settle } = await edit('one two')
  const { newName } = await import('../../../src/page/assets/unsent/placeholders.ts')
  const attrs = { id: newName(), fields: { type: 'text' } }
  edited.dispatch(edited.state.tr.split(4, 1, [{ type: schema.nodes.text_block, attrs }]))
  await settle()
  expect(arrived.map(({ tool }) => tool)).toEqual(['batch'])
  expect(arrived[0]?.arguments.steps).toMatchObject([
    { tool: 'blocks_update', arguments: { blocks: [{ id: '1', markdown: 'one', base: 'one two' }] } },
    { tool: 'blocks_add', arguments: { blocks: [{ markdown: 'two' }], position: { siblingId: '1' } } },
  ])
  expect(edited.state.doc.lastChild?.attrs.id).toBe('78')
  expect(model.isSent(edited.state.doc)).toBe(true)
})

test('undo of a deletion takes back its call, so that the block keeps its ID and comments', async () => {
  const { edited, settle } = await edit('one', 'two')
  edited.dispatch(edited.state.tr.delete(5, 10))
  await settle()
  undo(edited.state, edited.dispatch)
  await settle()
  expect(arrived.map(({ tool }) => tool)).toEqual(['batch', 'history_undo'])
  expect(arrived[1]?.arguments).toEqual({ calls: ['call 1'] })
  expect(edited.state.doc.lastChild?.attrs.id).toBe('2')
})

test('a text that is emptied leaves no draft behind', async () => {
  const { edited, queue, settle } = await edit('one', 'two')
  edited.dispatch(edited.state.tr.delete(1, 4))
  expect(queue.store.get('draft', '1')?.text).toBe('')
  queue.flush()
  await settle()
  expect(arrived[0]?.arguments).toMatchObject({ blocks: [{ id: '1', markdown: '<br>' }] })
  expect(queue.store.get('draft', '1')).toBeUndefined()
})

test('a draft that is shorter than what is queued stays', async () => {
  const { edited, queue, settle } = await edit('one two')
  edited.dispatch(edited.state.tr.insertText('x', 1))
  queue.flush()
  edited.dispatch(edited.state.tr.delete(1, 6))
  await settle()
  expect(queue.store.get('draft', '1')?.text).toBe('two')
})

test('a draft that was merged with what others changed is dropped once it is queued', async () => {
  const { edited, queue, model, settle } = await edit('one two')
  edited.dispatch(edited.state.tr.insertText(' mine', 8))
  const blocks: PageBlock[] = [{ id: '1', fields: { type: 'text' }, markdown: 'theirs two' }]
  edited.dispatch(model.receive(edited.state, { order: ['1'], blocks }).transaction)
  expect(queue.store.get('draft', '1')?.text).toBe('one two mine')
  queue.flush()
  await settle()
  expect(arrived.map(({ arguments: input }) => input.blocks)).toMatchObject([
    [{ markdown: 'theirs two mine', base: 'theirs two' }],
  ])
  expect(queue.store.get('draft', '1')).toBeUndefined()
})

test('the draft of a block that is joined to another one is dropped', async () => {
  const { edited, queue, settle } = await edit('one', 'two')
  edited.dispatch(edited.state.tr.insertText('x', 6))
  edited.dispatch(edited.state.tr.join(5))
  await settle()
  expect(arrived.map(({ tool }) => tool)).toEqual(['batch'])
  expect(queue.store.get('draft', '2')).toBeUndefined()
})

test('a draft of a block that gets its ID while the draft is queued is dropped', async () => {
  isOnline = false
  const { edited, queue, schema, settle } = await edit('one')
  const { newName } = await import('../../../src/page/assets/unsent/placeholders.ts')
  const name = newName()
  edited.dispatch(edited.state.tr.insert(5, schema.nodes.text_block.create({ id: name, fields: { type: 'text' } })))
  edited.dispatch(edited.state.tr.insertText('two', 6))
  isOnline = true
  queue.flush()
  window.dispatchEvent(new Event('online'))
  await settle()
  expect(Object.keys(localStorage).filter((key) => key.includes(' draft '))).toEqual([])
})
