/** The number of statements per call: each of them is a round trip to the database. */
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { callerOf, type Workbench } from '../bench/workbench.ts'
import { buildSpace } from '../build.ts'

/** A call on a space without listeners, since listeners also read whenever something has changed. */
async function callSpace(): Promise<Workbench['call']> {
  const { space } = await buildSpace()
  return callerOf(space, await space.createAccessLink('full', []))
}

/** What gives entries of the log their hashes, in two round trips, once for all calls that share a COMMIT. */
const LOG_CHAIN = 3

/**
 * Includes the ends of its transactions, but not other statements of a process: notifications of other processes are
 * sent at most once in a while for all calls together, so that those of earlier calls may fall into this one; a
 * connection that is new to the pool is checked for write access; and after an earlier test with a listener, the
 * process checks every half minute whether that still works.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const texts = sent.mock.calls.map(([query]) => textOf(query))
  sent.mockRestore()
  return texts.filter((text) => !OF_THE_PROCESS.test(text)).length
}

const OF_THE_PROCESS = /^(?:SELECT pg_notify\(|SHOW transaction_read_only$|SELECT 1$|SELECT space, value FROM tenant )/
const textOf = (query: string | { text?: string }): string => (typeof query === 'string' ? query : (query.text ?? ''))

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n\n')

const DOCUMENTS = Array.from({ length: 50 }, (_, at) => ({ title: `Document ${at}` }))
const FILLED_DOCUMENTS = DOCUMENTS.map((document) => ({ ...document, markdown: lines(10) }))

const FOLDERS = Array.from({ length: 50 }, (_, at) => ({ name: `Folder ${at}`, folders: [{ name: 'inner' }] }))

test.each([
  ['blocks_get', 8, (id: string) => ({ id })],
  ['documents_list', 6, () => ({})],
  ['blocks_search', 7, (documentId: string) => ({ documentId, pattern: 'two' })],
  ['documents_search', 12, () => ({ include: 'two' })],
  ['tasks_list', 12, (documentId: string) => ({ scope: 'document', documentId })],
  ['blocks_add', 12, (pageId: string) => ({ markdown: 'more', position: { position: 'end', pageId } })],
  ['blocks_add', 12, (pageId: string) => ({ markdown: lines(500), position: { position: 'end', pageId } })],
  // The IDs of several documents are drawn first, so that those of each document are neighbors.
  ['documents_add', 11, () => ({ documents: DOCUMENTS })],
  ['documents_add', 15, () => ({ documents: FILLED_DOCUMENTS })],
  ['folders_add', 10, () => ({ folders: FOLDERS })],
] as const)('%s sends at most %i, including those of its transaction', async (tool, bound, args) => {
  const call = await callSpace()
  const { items } = await call<{ items: { id: string }[] }>('documents_add', {
    documents: [{ title: 'Document', markdown: 'one\n\ntwo\n\n- [ ] three' }],
  })
  expect(await statementsOf(() => call(tool, args(items[0]?.id ?? '')))).toBeLessThanOrEqual(bound + LOG_CHAIN)
})

test.each([
  ['folders_move', 10, ([parentFolderId, ...folderIds]: string[]) => ({ folderIds, destination: { parentFolderId } })],
  ['folders_delete', 9, (folderIds: string[]) => ({ folderIds })],
  ['folders_update', 9, (ids: string[]) => ({ folders: ids.map((id) => ({ id, name: 'renamed' })) })],
] as const)('%s of fifty folders sends at most %i', async (tool, bound, args) => {
  const call = await callSpace()
  type Added = { items: { id: string; parentFolderId?: string }[] }
  const { items } = await call<Added>('folders_add', { folders: FOLDERS, answer: 'full' })
  const outer = items.filter(({ parentFolderId }) => parentFolderId === undefined).map(({ id }) => id)
  expect(outer).toHaveLength(50)
  expect(await statementsOf(() => call(tool, args(outer)))).toBeLessThanOrEqual(bound + LOG_CHAIN)
})
