/**
 * Calls that models are likely to make, and that do not match our tools. Each either has the effect of the intended
 * call, on a space of its own, or is refused with a sentence that says what to do.
 */
import { describe, expect, test } from 'vitest'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'
import { contentsOf, type Ids, populatedSpace } from '../support/populated-space.ts'
import { BLOCK_MISTAKES } from './mistakes/block-mistakes.ts'
import { COLLECTION_MISTAKES } from './mistakes/collection-mistakes.ts'
import { DOCUMENT_MISTAKES } from './mistakes/document-mistakes.ts'
import type { Mistake } from './mistakes/mistake.ts'
import { TASK_MISTAKES } from './mistakes/task-mistakes.ts'
import { WHITEBOARD_MISTAKES } from './mistakes/whiteboard-mistakes.ts'

type Meaning = Mistake[2]

/** Makes a call, and returns its response and the content of the space. */
async function outcome(tool: string, meaning: Meaning, kind?: ConnectionKind): Promise<unknown> {
  const sameIds = idsByKind.get(kind)
  const known = sameIds && outcomes.get(JSON.stringify([kind, tool, meaning(sameIds)]))
  if (known !== undefined) return known
  const { connected, ids } = await populatedSpace(kind)
  idsByKind.set(kind, ids)
  const answer = await connected.call(tool, meaning(ids))
  const contents = await contentsOf(connected)
  const all = JSON.stringify({ answer, ...contents })
  // Cursors are encrypted with a different key in each space.
  const response = JSON.parse(all.replace(/(cursor(?:"|\\"| )+:?(?:"|\\")*)[\w-]{20,}/g, '$1…'))
  outcomes.set(JSON.stringify([kind, tool, meaning(ids)]), response)
  return response
}

/** Cached by call: all prepared spaces are the same, and many mistakes mean the same call. */
const outcomes = new Map<string, unknown>()
const idsByKind = new Map<ConnectionKind | undefined, Ids>()

const MEANT: readonly Mistake[] = [
  ...BLOCK_MISTAKES,
  ...DOCUMENT_MISTAKES,
  ...TASK_MISTAKES,
  ...COLLECTION_MISTAKES,
  ...WHITEBOARD_MISTAKES,
]

describe('is accepted with its intended meaning', () => {
  test.each(MEANT)('%s: %s', async (_, tool, wrong, right) => {
    expect(await outcome(tool, wrong)).toEqual(await outcome(tool, right))
  })

  test.each([
    [
      'blockId for documentId',
      'blocks_search',
      ({ document }: Ids) => ({ blockId: document, query: 'first' }),
      ({ document }: Ids) => ({ documentId: document, pattern: 'first' }),
    ],
  ] as const)('on a selected connection: %s', async (_, tool, wrong, right) => {
    expect(await outcome(tool, wrong, 'selected')).toEqual(await outcome(tool, right, 'selected'))
  })

  test.each([
    ['query for include', 'daily_notes_search', () => ({ query: 'needle' }), () => ({ include: ['needle'] })],
    [
      'a date beside the position',
      'blocks_add',
      () => ({ markdown: 'x', position: 'end', date: 'tomorrow' }),
      () => ({ markdown: 'x', position: { position: 'end', date: 'tomorrow' } }),
    ],
  ] as const)('on a daily connection: %s', async (_, tool, wrong, right) => {
    expect(await outcome(tool, wrong, 'daily')).toEqual(await outcome(tool, right, 'daily'))
  })
})

describe('is rejected with what to do', () => {
  test('folders of different documents', async () => {
    const { connected, ids } = await populatedSpace()
    const documents = [{ title: 'A', folderId: ids.folder }, { title: 'B' }]
    expect(await connected.refused('documents_add', { documents })).toBe(
      'Expected documents[].folderId to be the same in all entries, found others; make one call for each, with destination.folderId.',
    )
    await connected.call('documents_add', { documents: [{ title: 'A' }], destination: { folderId: ids.folder } })
  })

  test('an unknown key lists the valid ones, ten at most, and says how many more there are', async () => {
    const { connected, ids } = await populatedSpace()
    const refusal = await connected.refused('documents_list', { flavour: 'x', documentIds: [ids.document] })
    expect(refusal).toBe(
      'Expected one of location, folderId, documentIds, orderBy, createdDateGte, createdDateLte, lastModifiedDateGte, lastModifiedDateLte, dailyNoteDateGte, dailyNoteDateLte and 5 more, found the unknown key "flavour"; use one of these instead.',
    )
  })

  test('an object is shown where a text is expected', async () => {
    const { connected } = await populatedSpace()
    expect(await connected.refused('documents_add', { documents: [{ title: { value: 'A' } }] })).toBe(
      'At documents[0].title: Expected a string, found { value: "A" }.',
    )
  })

  test('an unknown key in a position never changes where something is written', async () => {
    const { connected } = await populatedSpace('daily')
    expect(
      await connected.refused('blocks_add', { markdown: 'x', position: { position: 'end', somewhere: 'a' } }),
    ).toMatch(/found the unknown key "somewhere"/)
  })
})

describe('an unknown tool', () => {
  test.each([
    ['tasks_complete', 'tasks_update'],
    ['complete_task', 'tasks_update'],
    ['documents_update', 'blocks_update'],
    ['documents_rename', 'blocks_update'],
    ['document_update', 'blocks_update'],
    ['documents_get', 'blocks_get'],
    ['get_document', 'blocks_get'],
    ['read_page', 'blocks_get'],
    ['create_document', 'documents_add'],
    ['createDocument', 'documents_add'],
    ['documents.create', 'documents_add'],
    ['search', 'documents_search'],
    ['find_documents', 'documents_search'],
    ['list_documents', 'documents_list'],
    ['tasks_get', 'tasks_list'],
    ['create_task', 'tasks_add'],
    ['todo_add', 'tasks_add'],
    ['reminders_complete', 'reminders_update'],
    ['items_get', 'items_list'],
    ['rows_add', 'items_add'],
    ['collections_create', 'collections_add'],
    ['collections_rename', 'blocks_update'],
    ['folders_create', 'folders_add'],
    ['whiteboards_get', 'elements_list'],
    ['files_upload', 'files_add'],
    ['views_edit', 'views_update'],
    ['blocks_append', 'blocks_add'],
    ['documents_remove', 'documents_delete'],
    ['delete_task', 'tasks_delete'],
    ['blok_get', 'blocks_get'],
  ])('%s leads to %s', async (name, meant) => {
    const connected = await connect()
    expect(await connected.unknownTool(name)).toMatch(
      new RegExp(
        `^Expected a tool of this connection, found ${name}; did you mean ${meant}( with \\{ [\\w?, ]+ \\})?\\?$`,
      ),
    )
  })

  test('that resembles none', async () => {
    const connected = await connect()
    expect(await connected.unknownTool('weather')).toBe(
      'Expected a tool of this connection, found weather; tools/list shows which there are.',
    )
  })
})
