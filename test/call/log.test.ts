import { describe, expect, test } from 'vitest'
import { Metrics } from '../../src/http/metrics.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import { shortId } from '../build.ts'
import { callTool, documentBy, serveBuilt } from '../http/serving.ts'
import { eventually } from '../support/eventually.ts'

const writesOf = async (space: OpenSpace) =>
  (await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 1_000))).writes

describe('the audit log', () => {
  test('has every tool that writes, with its link, time and IDs', async () => {
    const serving = await serveBuilt()
    const { space, clock } = serving
    const link = await serving.link({ name: 'Notes' })
    const client = await link.client()
    const logged = new Set<string>()
    const call = async (name: string, args: object) => {
      clock.now += 1_000
      const { isRefused, text, object } = await callTool(client, name, args)
      expect({ name, isRefused, text: isRefused ? text : '' }).toEqual({ name, isRefused: false, text: '' })
      const last = (await writesOf(space)).at(-1)
      expect(last).toMatchObject({
        at: new Date(clock.now).toISOString(),
        link: link.info.id,
        author: 'Notes',
        client: 'tester',
        endpoint: name,
      })
      expect(last?.ids.length, name).toBeGreaterThan(0)
      logged.add(name)
      return { object, ids: last?.ids ?? [] }
    }
    const {
      ids: [pageId = ''],
    } = await call('documents_add', { documents: [{ title: 'A' }] })
    const position = { position: 'end', pageId }
    const {
      ids: [block = '', task = ''],
    } = await call('blocks_add', { markdown: 'words\n\n- [ ] a task', position })
    await call('blocks_update', { blocks: [{ id: block, markdown: 'other words' }] })
    await call('blocks_move', { blockIds: [block], position })
    const {
      ids: [comment = ''],
    } = await call('comments_add', { comments: [{ blockId: block, content: 'x' }] })
    await call('comments_update', { comments: [{ commentId: comment, resolved: true }] })
    const {
      object: {
        items: [{ id: reminder }],
      },
    } = await call('reminders_add', { reminders: [{ blockId: block }] })
    await call('reminders_update', { remindersToUpdate: [{ id: reminder, isCompleted: true }] })
    await call('reminders_delete', { idsToDelete: [reminder] })
    const properties = [{ name: 'Price', type: 'number' }]
    const { object } = await call('collections_add', { schema: { name: 'Deals', properties }, position })
    const { collectionBlockId: collectionId, schema } = object
    await call('schema_update', { collectionId, schema })
    const {
      ids: [item = ''],
    } = await call('items_add', { collectionId, items: [{ title: 'A' }] })
    await call('items_update', { collectionId, itemsToUpdate: [{ id: item, title: 'B' }] })
    await call('items_claim', { collectionId })
    await call('items_delete', { collectionId, idsToDelete: [item] })
    const {
      object: { id: viewId },
    } = await call('views_add', { collectionId, view: { name: 'Second', type: 'table' } })
    await call('views_add', { collectionId, view: { name: 'Last', type: 'table' } })
    await call('views_update', { collectionId, viewId, view: { name: 'Third' } })
    await call('views_activate', { collectionId, viewId })
    await call('views_delete', { collectionId, viewId })
    await call('tasks_add', { tasks: [{ markdown: 'a task' }] })
    await call('tasks_update', { tasksToUpdate: [{ id: task, markdown: 'another' }] })
    await call('tasks_delete', { idsToDelete: [task] })
    const {
      ids: [folder = ''],
    } = await call('folders_add', { folders: [{ name: 'F' }, { name: 'G' }] })
    const folders = (await callTool(client, 'folders_list')).object.items
    const other = folders.find(({ name }: { name: string }) => name === 'G').id
    await call('folders_move', { folderIds: [folder], destination: { parentFolderId: other } })
    await call('folders_update', { folders: [{ id: folder, name: 'H' }] })
    await call('documents_move', { documentIds: [pageId], destination: { folderId: other } })
    await call('folders_delete', { folderIds: [folder] })
    const { object: board } = await call('whiteboards_add', { position })
    const { whiteboardBlockId } = board
    expect((await call('elements_add', { whiteboardBlockId, elements: [{ id: 'e', type: 'rectangle' }] })).ids).toEqual(
      [whiteboardBlockId],
    )
    await call('elements_update', { whiteboardBlockId, elements: [{ id: 'e', x: 5 }] })
    await call('elements_delete', { whiteboardBlockId, elementIds: ['e'] })
    await call('batch', { steps: [{ tool: 'tasks_add', arguments: { tasks: [{ markdown: 'a task' }] } }] })
    await call('files_add', { text: 'x', fileName: 'x.txt', position })
    await call('blocks_delete', { blockIds: [block] })
    const { object: history } = await callTool(client, 'history_list', { format: 'json', limit: 1 })
    await call('history_undo', { calls: [history.items[0].callId] })
    await call('documents_delete', { documentIds: [pageId] })
    // A proposal is logged as the call that was proposed.
    const writing = endpoints
      .filter(({ effect, isRestOnly }) => effect !== 'read' && effect !== 'decide' && !isRestOnly)
      .map(({ name }) => name)
    expect([...logged].sort()).toEqual(writing.sort())
  })

  test('has no calls that read, are rejected, or are repeated', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    const key = { 'idempotency-key': 'k' }
    for (const _ of [1, 2]) await ask('POST /documents', { documents: [{ title: 'A' }] }, key)
    await ask('GET /documents')
    await ask('POST /documents', { documents: [] })
    await ask('DELETE /blocks', { blockIds: ['none'] })
    expect((await writesOf(serving.space)).map(({ endpoint }) => endpoint)).toEqual(['documents_add'])
  })

  test('has what a text edit changed, moved and deleted', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const pageId = await documentBy(link, 'one\n\ntwo\n\nthree\n\nfour')
    const { content, revision } = (await link.ask(`GET /blocks?id=${pageId}`)).json
    const [one, two, three] = content.map(({ id }: { id: string }) => id)
    const response = await link.ask('PUT /blocks', {
      pageId,
      markdown: 'four\n\none, changed\n\nthree\n\nfive',
      revision,
    })
    const { ids } = (await writesOf(serving.space)).at(-1) ?? { ids: [] }
    expect(new Set(ids)).toEqual(new Set([one, ...response.json.added, ...response.json.moved, two].map(shortId)))
    expect(ids).not.toContain(shortId(three))
  })

  test('names the link over REST', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ name: 'Notes' })
    const id = await documentBy(link)
    expect(await writesOf(serving.space)).toEqual([
      {
        at: new Date(serving.clock.now).toISOString(),
        link: link.info.id,
        author: 'Notes',
        endpoint: 'documents_add',
        ids: [shortId(id)],
      },
    ])
  })
})

test('/metrics counts calls, their time, blocks and rejections by tool, and names no space, link or secret', async () => {
  const metrics = new Metrics({ openCount: 3, openSpaces: () => [] })
  const serving = await serveBuilt({ metrics })
  const link = await serving.link({ name: 'Unmistakable' })
  const id = await documentBy(link, 'words')
  await link.ask(`GET /blocks?id=${id}`)
  await callTool(await link.client(), 'blocks_get', { id: 'none' })
  await serving.ask('GET /links/wrong/mcp')
  const server = await metrics.serve(0, '127.0.0.1')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await response.text()
  expect(response.headers.get('content-type')).toContain('text/plain')
  for (const line of [
    'scriptorium_calls_total{tool="documents_add",transport="rest"} 1',
    'scriptorium_calls_total{tool="blocks_get",transport="rest"} 1',
    'scriptorium_calls_total{tool="blocks_get",transport="mcp"} 1',
    'scriptorium_call_seconds_count{tool="blocks_get"} 2',
    'scriptorium_blocks_total{tool="blocks_get"} 2',
    'scriptorium_refusals_total{tool="blocks_get",code="NOT_FOUND_ERROR"} 1',
    'scriptorium_open_spaces 3',
  ])
    expect(text).toContain(line)
  for (const hidden of [link.secret, link.info.id, 'Unmistakable', id, serving.space.info.id])
    expect(text).not.toContain(hidden)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
})

test('the description names the server as its callers reach it, and has no other secret than in that address', async () => {
  const serving = await serveBuilt({ publicUrl: 'https://docs.example/' })
  const link = await serving.link()
  const bearer = await serving.link({ isBearer: true })
  const { json, text } = await link.ask('GET /openapi.json')
  expect(json.servers).toMatchObject([{ url: `https://docs.example/links/${link.secret}/api/v1` }])
  expect(text.split(link.secret)).toHaveLength(2)
  const response = await bearer.ask('GET /openapi.json')
  expect(response.json.servers).toMatchObject([{ url: `https://docs.example/links/${bearer.info.id}/api/v1` }])
  expect(response.text).not.toContain(bearer.secret)
  await eventually(() => expect(serving.requests).toHaveLength(2))
})
