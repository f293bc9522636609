/** What becomes of changes that the server refuses: each text is saved another way, or shown as a conflict. */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fields } from '../../../src/page/assets/model/block-text.ts'
import type { Step } from '../../../src/page/assets/model/page-step.ts'
import type { RefusedTarget } from '../../../src/page/assets/sync/refused-changes.ts'
import { stubPage } from './page-stubs.ts'

type Refusal = { error: string; code: string; status: number }
const CONFLICT = { error: 'Others changed it.', code: 'CONFLICT', status: 409 }
const GONE = { error: 'Not there.', code: 'NOT_FOUND_ERROR', status: 404 }
const FULL = { error: 'The space is full.', code: 'QUOTA_EXCEEDED', status: 507 }

let spaces = 0
/** What the server refuses, by what its body contains. */
let refusals: [part: string, refusal: Refusal][]
/** The text of blocks that are read; that of others is `theirs`. */
let stored: Record<string, string>
/** Calls that were carried out: the tool, and the arguments. */
let done: { tool: string; arguments: Record<string, unknown> }[]

beforeEach(() => {
  refusals = []
  done = []
  stored = {}
  vi.resetModules()
  vi.stubGlobal('indexedDB', new IDBFactory())
  stubPage({ base: `/refused/${spaces++}`, token: 't', session: 'a'.repeat(16) })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    const [, refusal] = refusals.find(([part]) => body.includes(part)) ?? []
    if (refusal !== undefined) return Response.json(refusal, { status: refusal.status })
    const call = JSON.parse(body)
    if (call.tool === 'blocks_get') {
      const { id } = call.arguments
      return Response.json({ answer: { type: 'text', markdown: stored[id] ?? 'theirs' } })
    }
    done.push({ tool: call.tool, arguments: call.arguments })
    return Response.json({ answer: {} })
  })
})
afterEach(() => vi.unstubAllGlobals())

/** A page with these blocks, in order. */
async function pageOf(blocks: Record<string, Fields> = {}) {
  const { calls } = await import('../../../src/page/assets/calls.ts')
  const { RefusedChanges } = await import('../../../src/page/assets/sync/refused-changes.ts')
  const { UnsavedTextStore } = await import('../../../src/page/assets/sync/unsaved-text.ts')
  const store = new UnsavedTextStore('/', 's', 'd', 'tab')
  const ids = Object.keys(blocks)
  const heard: { conflicts: string[]; removed: string[]; announced: string[] } = {
    conflicts: [],
    removed: [],
    announced: [],
  }
  const keep = (steps: readonly Step[]) => {
    const [{ tool, arguments: input, added = [] }, ...others] = steps as [Step, ...Step[]]
    if (others.length > 0) return calls.keep({ document: 'd', tool: 'batch', arguments: { steps }, isKept: true })
    const names = Object.fromEntries(added.map((name, at) => [name, `items.${at}.id`]))
    return calls.keep({ document: 'd', tool, arguments: input, names, isKept: true })
  }
  const target: RefusedTarget = {
    page: { documentId: 'd', pageId: 'p' },
    store,
    keep,
    onConflict: (id) => heard.conflicts.push(id),
    onGone: () => false,
    fieldsOf: (id) => blocks[id],
    blockBefore: (id) => (ids.includes(id) ? (ids[ids.indexOf(id) - 1] ?? 'start') : undefined),
    removeBlock: (name) => heard.removed.push(name),
    announce: (text) => heard.announced.push(text),
  }
  const refused = new RefusedChanges(target)
  /** Sends a call, and then what becomes of it. */
  const send = async (call: { tool: string; arguments: Record<string, unknown>; names?: Record<string, string> }) => {
    await calls.keep({ document: 'd', isKept: true, ...call })
    await calls.settled('d')
    await refused.saveAll()
    await calls.settled('d')
    await refused.saveAll()
    await calls.settled('d')
  }
  return { send, store, heard }
}

const update = (id: string, markdown: string, base: string) => ({
  tool: 'blocks_update',
  arguments: { blocks: [{ id, markdown, base }] },
})

describe('a refused change', () => {
  test('of a text becomes a conflict with what was typed', async () => {
    refusals = [['mine', CONFLICT]]
    const { send, store, heard } = await pageOf({ one: { type: 'text' } })
    await send(update('one', 'mine', 'base'))
    expect(heard.conflicts).toEqual(['one'])
    expect(store.conflict('one')).toMatchObject({ text: 'mine', expected: 'base' })
  })

  test('is none where both sides wrote the same', async () => {
    refusals = [['"base"', CONFLICT]]
    const { send, store, heard } = await pageOf({ one: { type: 'text' } })
    await send(update('one', 'theirs', 'base'))
    expect([heard.conflicts, store.conflict('one')]).toEqual([[], undefined])
  })

  test('of several texts is made text by text, so that only one of them becomes a conflict', async () => {
    const { send, store } = await pageOf({ '1': { type: 'text' }, '2': { type: 'text' } })
    refusals = [['"2"', CONFLICT]]
    const blocks = [
      { id: '1', markdown: 'one', base: '' },
      { id: '2', markdown: 'two', base: '' },
    ]
    await send({ tool: 'blocks_update', arguments: { blocks } })
    expect(done).toEqual([{ tool: 'blocks_update', arguments: { blocks: [blocks[0]] } }])
    expect([...store.conflicts]).toEqual(['2'])
  })

  test('with several steps is made step by step, and what others changed is not deleted', async () => {
    refusals = [
      ['"batch"', CONFLICT],
      ['blocks_delete', CONFLICT],
    ]
    const { send, heard } = await pageOf({ one: { type: 'text' } })
    const steps = [
      { tool: 'blocks_update', arguments: { blocks: [{ id: 'one', markdown: 'mine', base: 'base' }] } },
      { tool: 'blocks_add', arguments: { blocks: [{ markdown: 'two' }, { markdown: 'three' }], position: {} } },
      { tool: 'blocks_update', arguments: { blocks: [{ id: 'four', expectedMarkdown: 'four' }] } },
      { tool: 'blocks_delete', arguments: { blockIds: ['four'] } },
    ]
    await send({ tool: 'batch', arguments: { steps }, names: { 'new-3': 'items.1.ids.1', 'new-2': 'items.1.ids.0' } })
    expect(done.map(({ tool }) => tool)).toEqual(['blocks_update', 'blocks_add'])
    expect(heard.announced).toEqual(['Others changed what you deleted. It stays.'])
    expect(heard.removed).toEqual([])
  })

  describe('that joins a block with one that others have changed meanwhile', () => {
    const joined = (markdown: string) => ({
      tool: 'batch',
      arguments: {
        steps: [
          { tool: 'blocks_update', arguments: { blocks: [{ id: 'one', markdown, base: 'first words' }] } },
          { tool: 'blocks_update', arguments: { blocks: [{ id: 'two', expectedMarkdown: 'last words' }] } },
          { tool: 'blocks_delete', arguments: { blockIds: ['two'] } },
        ],
      },
    })
    const blocks: Record<string, Fields> = { one: { type: 'text' }, two: { type: 'text' } }

    test('joins it with their words, which then stand there once', async () => {
      refusals = [['"expectedMarkdown":"last words"', CONFLICT]]
      const { send, heard } = await pageOf(blocks)
      stored = { one: 'first words', two: '**last** words of others' }
      await send(joined('first words, last words'))
      const [again, ...more] = done
      expect(more).toEqual([])
      expect(again?.arguments.steps).toEqual([
        {
          tool: 'blocks_update',
          arguments: {
            blocks: [
              {
                ...{ id: 'one', markdown: 'first words, **last** words of others', base: 'first words' },
                listStyle: 'none',
              },
            ],
          },
        },
        {
          tool: 'blocks_update',
          arguments: { blocks: [{ id: 'two', expectedMarkdown: '**last** words of others' }] },
        },
        { tool: 'blocks_delete', arguments: { blockIds: ['two'] } },
      ])
      expect(heard.announced).toEqual([])
    })

    test('leaves it if both changed the same words', async () => {
      refusals = [['"expectedMarkdown":"last words"', CONFLICT]]
      const { send, heard } = await pageOf(blocks)
      stored = { one: 'first words', two: 'their words' }
      await send(joined('first words, my words'))
      expect(done.map(({ tool }) => tool)).toEqual(['blocks_update'])
      expect(heard.announced).toEqual(['Others changed what you deleted. It stays.'])
    })

    test('leaves it if it was deleted, not joined', async () => {
      refusals = [['"expectedMarkdown":"last words"', CONFLICT]]
      const { send, heard } = await pageOf(blocks)
      stored = { one: 'first words', two: 'last words and more' }
      await send(joined('first'))
      expect(done.map(({ tool }) => tool)).toEqual(['blocks_update'])
      expect(heard.announced).toEqual(['Others changed what you deleted. It stays.'])
    })
  })

  test('beside a block that is gone is made after the block before that', async () => {
    refusals = [['"siblingId":"two"', GONE]]
    const { send } = await pageOf({ one: { type: 'text' }, two: { type: 'text' }, 'new-1': { type: 'text' } })
    const position = { position: 'after', siblingId: 'two' }
    await send({
      tool: 'blocks_add',
      arguments: { blocks: [{ markdown: 'mine' }], position },
      names: { 'new-1': 'items.0.id' },
    })
    expect(done).toEqual([
      {
        tool: 'blocks_add',
        arguments: { blocks: [{ markdown: 'mine' }], position: { position: 'after', siblingId: 'one' } },
      },
    ])
  })

  test('that adds text to a full space keeps the text to be copied', async () => {
    refusals = [['mine', FULL]]
    const { send, store, heard } = await pageOf({ 'new-1': { type: 'text' } })
    const blocks = [{ markdown: 'mine' }, { markdown: 'too' }]
    await send({ tool: 'blocks_add', arguments: { blocks, position: {} }, names: { 'new-1': 'items.0.id' } })
    expect(heard.removed).toEqual(['new-1'])
    const [id = ''] = heard.conflicts
    expect(store.conflict(id)).toMatchObject({ text: 'mine\n\ntoo', reason: FULL.error })
  })
})
