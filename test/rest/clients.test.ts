/**
 * Requests of clients written by others for this family of services, and the fields that they read: command-line
 * programs, nodes of workflow tools, importers, synchronizers. Each test mentions what is special in their requests.
 */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { type Asker, askerOf, documentBy } from './rest-asker.ts'

/** Most clients send both headers with every request, even without a body. */
const HEADERS = { accept: 'application/json', 'content-type': 'application/json' }

/** A client that throws on any status but 200, like theirs. */
const clientOf =
  ({ ask }: Pick<Asker, 'ask'>) =>
  async (line: string, body?: object): Promise<Answer> => {
    const { status, json, text } = await ask(line, body, HEADERS)
    if (status !== 200) throw new Error(`${line}: ${status} ${text}`)
    return json
  }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('a command-line program', () => {
  const build = async () => {
    const asker = await askerOf()
    return { ...asker, call: clientOf(asker) }
  }

  test('creates a document, fills it in pieces, reads its Markdown block by block, and empties it', async () => {
    const { call } = await build()
    const { items } = await call('POST /documents', { documents: [{ title: 'Notes' }] })
    const [{ id, title, clickableLink }] = items
    expect([title, clickableLink]).toEqual(['Notes', expect.stringContaining(id)])
    expect(id).toMatch(UUID)
    for (const markdown of ['# One\n\nwords\n\n', '- a\n- b']) {
      const added = await call('POST /blocks', { markdown, position: { pageId: id, position: 'end' } })
      expect(added.items.at(-1)).toMatchObject({ id: expect.stringMatching(UUID), type: 'text' })
    }
    const read = await call(`GET /blocks?id=${id}&maxDepth=-1`)
    expect(read).toMatchObject({ id, type: 'page', markdown: 'Notes' })
    expect(read.content.map(({ markdown }: Answer) => markdown)).toEqual(['# One', 'words', '- a', '- b'])
    const [heading] = read.content
    expect(heading).toMatchObject({ type: 'text', textStyle: 'h1' })
    // A new title, set on the root block of the document.
    await call('PUT /blocks', { blocks: [{ id, markdown: 'Other' }] })
    const ids = read.content.map((block: Answer) => block.id)
    expect((await call('DELETE /blocks', { blockIds: ids })).items).toEqual(ids.map((id: string) => ({ id })))
    expect(await call(`GET /blocks?id=${id}&maxDepth=0`)).toMatchObject({ markdown: 'Other' })
    expect((await call('DELETE /documents', { documentIds: [id] })).items).toEqual([id])
  })

  test('lists and finds documents, with every parameter in the query', async () => {
    const asker = await build()
    const { call } = asker
    const [{ id: folderId }] = (await call('POST /folders', { folders: [{ name: 'Work' }] })).items
    const destination = { folderId }
    const [{ id }] = (await call('POST /documents', { documents: [{ title: 'Plan' }], destination })).items
    await call('POST /blocks', { markdown: 'an ontology of tests', position: { pageId: id, position: 'start' } })
    const dates = 'createdDateGte=2026-11-01&lastModifiedDateGte=yesterday&lastModifiedDateLte=today'
    const [document] = (await call(`GET /documents?folderId=${folderId}&fetchMetadata=true&${dates}`)).items
    expect(document).toMatchObject({ id, title: 'Plan', isDeleted: false })
    for (const key of ['lastModifiedAt', 'createdAt']) expect(Date.parse(document[key])).not.toBeNaN()
    expect((await call('GET /documents?location=trash&fetchMetadata=false')).items).toEqual([])

    const found = async (query: string) => (await call(`GET /documents/search?${query}`)).items
    const match = { documentId: id, markdown: expect.stringContaining('**ontology**'), blockIds: [expect.any(String)] }
    for (const query of [
      'include=ontology',
      // The search words are empty if patterns are given.
      'include=&regexps=ontology',
      `include=ontology&documentIDs=${id}`,
      `include=ontology&folderIDs=${folderId}`,
      'include[]=ontology',
      'include=ontology&include=tests&fetchBlocks=true',
    ]) {
      expect(await found(query)).toMatchObject([match])
    }
    expect(await found(`include=ontology&fetchMetadata=true&folderIds=${folderId}`)).toEqual([
      {
        title: 'Plan',
        ...match,
        why: 'ontology in 1 block',
        lastModifiedAt: document.lastModifiedAt,
        createdAt: document.createdAt,
      },
    ])
    const [block] = (
      await call(
        `GET /blocks/search?blockId=${id}&pattern=ont.*y&caseSensitive=false&beforeBlockCount=1&afterBlockCount=1`,
      )
    ).items
    expect(block).toMatchObject({
      blockId: expect.stringMatching(UUID),
      markdown: 'an ontology of tests',
      pageBlockPath: [{ id, content: 'Plan' }],
      beforeBlocks: [],
      afterBlocks: [],
    })
  })

  test('arranges folders and documents', async () => {
    const { call, refused } = await build()
    const [one] = (await call('POST /folders', { folders: [{ name: 'One' }] })).items
    const [two] = (await call('POST /folders', { folders: [{ name: 'Two', parentId: one.id }] })).items
    const [{ id }] = (await call('POST /documents', { documents: [{ title: 'In two', parentId: two.id }] })).items
    const folders = (await call('GET /folders')).items
    expect(folders.slice(0, 3).map(({ id }: Answer) => id)).toEqual(['unsorted', 'trash', 'templates'])
    expect(folders[3]).toMatchObject({ name: 'One', documentCount: 0, folders: [{ name: 'Two', documentCount: 1 }] })
    expect((await call('PUT /folders/move', { folderIds: [two.id], destination: 'root' })).items).toEqual([
      { id: two.id, destination: { destination: 'root' } },
    ])
    const destination = { destination: 'unsorted' }
    expect((await call('PUT /documents/move', { documentIds: [id], destination })).items).toEqual([{ id, destination }])
    expect((await call('DELETE /folders', { folderIds: [one.id, two.id] })).items).toEqual([one.id, two.id])
    // Some send moves to the path of the list, which the services reject as well.
    expect(await refused(405, 'PUT /documents', { documents: [{ id, folderId: one.id }] })).toBe(
      'Expected GET, POST or DELETE on /documents, found PUT; did you mean PUT /documents/move?',
    )
    expect(await refused(400, 'PUT /folders', { folders: [{ id: one.id, parentId: two.id }] })).toBe(
      'Expected no folders[].parentId here, found one; move folders with folders_move: their folderIds and a destination.',
    )
  })

  test('moves blocks, inserts them next to others, and styles them', async () => {
    const asker = await build()
    const { call, refused } = asker
    const [from, to] = [await documentBy(asker, 'one\n\ntwo'), await documentBy(asker)]
    const [one, two] = (await call(`GET /blocks?id=${from}`)).content
    await call('PUT /blocks/move', { blockIds: [one.id, two.id], position: { position: 'end', pageId: to } })
    await call('POST /blocks', { markdown: 'half', position: { siblingId: two.id, relative: 'before' } })
    await call('POST /blocks', { markdown: 'zero', position: { position: 'before', pageId: to, siblingId: one.id } })
    const texts = (await call(`GET /blocks?id=${to}`)).content.map(({ markdown }: Answer) => markdown)
    expect(texts).toEqual(['zero', 'one', 'half', 'two'])
    const style = { font: 'serif', textAlignment: 'center', color: '#ff0000', indentationLevel: 1 }
    const decorations = ['callout']
    const [styled] = (await call('PUT /blocks', { blocks: [{ id: one.id, ...style, decorations }] })).items
    expect(styled).toMatchObject({ font: 'serif', textAlignment: 'center', decorations: { callout: true } })
    const moved = { id: one.id, position: { pageId: from, position: 'end' } }
    expect(await refused(400, 'PUT /blocks', { blocks: [moved] })).toBe(
      'Expected no blocks[].position here, found one; move blocks with blocks_move: their blockIds and a position.',
    )
  })

  test('manages tasks, with their fields in taskInfo or next to it', async () => {
    const asker = await build()
    const { call } = asker
    const documentId = await documentBy(asker)
    const [inbox, dated, inDocument] = (
      await call('POST /tasks', {
        tasks: [
          { markdown: 'inbox', location: { type: 'inbox' }, taskInfo: { scheduleDate: 'today' } },
          { markdown: 'dated', location: 'inbox', scheduleDate: '2026-11-20', deadlineDate: '2026-12-01' },
          { markdown: 'document', location: 'document', documentId },
        ],
      })
    ).items
    expect(dated).toMatchObject({ taskInfo: { scheduleDate: '2026-11-20', deadlineDate: '2026-12-01' } })
    expect(inDocument.location).toMatchObject({ type: 'document', documentId })
    const active = (await call('GET /tasks?scope=active')).items.map(({ id }: Answer) => id)
    expect(new Set(active)).toEqual(new Set([dated.id, inbox.id]))
    expect((await call(`GET /tasks?scope=document&documentId=${documentId}`)).items).toHaveLength(1)
    const states = async (body: object) =>
      (await call('PUT /tasks', body)).items.map(({ taskInfo }: Answer) => taskInfo.state)
    expect(await states({ tasksToUpdate: [{ id: inbox.id, taskInfo: { state: 'cancelled' } }] })).toEqual(['canceled'])
    expect(await states({ tasks: [{ id: dated.id, state: 'done' }] })).toEqual(['done'])
    expect((await call('GET /tasks?scope=logbook')).items).toHaveLength(2)
    expect((await call('DELETE /tasks', { taskIds: [dated.id] })).items).toEqual([{ id: dated.id }])
    expect((await call('DELETE /tasks', { idsToDelete: [inbox.id] })).items).toEqual([{ id: inbox.id }])
  })

  test('reads the connection, and uses IDs in its templates', async () => {
    const { call } = await build()
    const { space, utc, urlTemplates } = await call('GET /connection')
    expect(space).toMatchObject({ id: expect.stringMatching(UUID), name: 'Test', friendlyDate: expect.any(String) })
    expect([Date.parse(space.time), Date.parse(utc.time)]).toEqual([Date.parse(utc.time), Date.parse(space.time)])
    expect(urlTemplates.app.replace('{blockId}', 'x')).toMatch(/blockId=x$/)
  })
})

describe('a program for collections', () => {
  test('creates one, reads its schema to build items, and updates them by the title column', async () => {
    const asker = await askerOf()
    const call = clientOf(asker)
    const pageId = await documentBy(asker)
    const properties = [
      { name: 'Status', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Closed' }] },
      { name: 'Count', type: 'number' },
      { name: 'Done', type: 'boolean' },
      { name: 'Tags', type: 'multiSelect', options: [] },
    ]
    const schema = { name: 'Work', contentPropDetails: { name: 'Name' }, properties }
    const made = await call('POST /collections', { schema, position: { position: 'end', pageId } })
    expect(made).toMatchObject({ collectionBlockId: expect.stringMatching(UUID), name: 'Work' })
    const path = `/collections/${made.collectionBlockId}`
    const [listed] = (await call(`GET /collections?documentIds=${pageId}`)).items
    expect(listed).toMatchObject({ id: made.collectionBlockId, name: 'Work', itemCount: 0, documentId: pageId })
    const read = await call(`GET ${path}/schema?format=schema`)
    expect(read.contentPropDetails).toEqual({ key: 'name', name: 'Name' })
    const [status] = read.properties
    expect([status.key, status.options[0].name]).toEqual(['status', 'Open'])
    expect((await call(`GET ${path}/schema`)).properties.items.items.properties.properties).toBeDefined()

    const values = { status: 'Closed', count: '3', done: 'true', tags: ['new'] }
    const [added] = (
      await call(`POST ${path}/items`, { items: [{ title: 'A', properties: values }], allowNewSelectOptions: true })
    ).items
    expect(added.properties).toEqual({ status: 'Closed', count: 3, done: true, tags: ['new'] })
    const [item] = (await call(`GET ${path}/items`)).items
    expect(item).toEqual({ ...added, name: 'A', content: [] })
    // The whole item is sent back with one field changed.
    const [changed] = (await call(`PUT ${path}/items`, { itemsToUpdate: [{ ...item, name: 'B' }] })).items
    expect([changed.title, changed.name]).toEqual(['B', 'B'])
    await call(`PUT ${path}/items`, {
      itemsToUpdate: [{ id: item.id, properties: { status: 'Open' } }],
      allowNewSelectOptions: false,
    })
    expect((await call(`DELETE ${path}/items`, { idsToDelete: [item.id] })).items).toEqual([{ id: item.id }])
  })
})

describe('a node of a workflow tool', () => {
  test('on daily notes names a day with every position, also next to a block', async () => {
    const full = await askerOf()
    const asker = await askerOf({ kind: 'daily', to: full })
    const call = clientOf(asker)
    const position = { position: 'end', date: 'today' }
    const [{ id }] = (await call('POST /blocks', { blocks: [{ type: 'text', markdown: 'one' }], position })).items
    const beside = { position: 'before', date: 'today', siblingId: id }
    const blocks = [{ type: 'text', markdown: '# Head\n\nwords' }]
    expect((await call('POST /blocks', { blocks, position: beside })).items).toHaveLength(2)
    const inQuery = encodeURIComponent(JSON.stringify({ ...beside, position: 'after' }))
    const raw = await asker.ask(`POST /blocks?position=${inQuery}`, 'two', { 'content-type': 'text/markdown' })
    expect(raw.status).toBe(200)
    // Without an ID or date it is today, and Markdown is requested by a header.
    const page = await asker.ask('GET /blocks?maxDepth=-1&fetchMetadata=false', undefined, { accept: 'text/markdown' })
    expect(page.text).toContain('# Head\n\nwords\n\none\n\ntwo')
    const [match] = (await call('GET /daily-notes/search?include=words&startDate=yesterday&fetchMetadata=true')).items
    expect(match).toMatchObject({ dailyNoteDate: '2026-11-20', lastModifiedAt: expect.any(String) })
    const task = {
      markdown: 'task',
      location: { type: 'dailyNote', date: 'today' },
      taskInfo: { scheduleDate: 'today' },
    }
    const [added] = (await call('POST /tasks', { tasks: [task] })).items
    await call('PUT /tasks', { tasksToUpdate: [{ id: added.id, markdown: 'other', taskInfo: { state: 'done' } }] })
    expect((await call('GET /tasks?scope=logbook')).items).toMatchObject([
      { id: added.id, taskInfo: { state: 'done' } },
    ])
  })

  test('on selected documents omits the page next to a block, and names the document in searches', async () => {
    const full = await askerOf()
    const id = await documentBy(full, 'one', 'Exposed')
    const other = await documentBy(full, 'two', 'Hidden')
    const asker = await askerOf({ kind: 'selected', documents: [id], to: full })
    const call = clientOf(asker)
    expect((await call('GET /documents?fetchMetadata=true')).items).toMatchObject([{ id, title: 'Exposed' }])
    const [one] = (await call(`GET /blocks?id=${id}`)).content
    const position = { position: 'after', pageId: '', siblingId: one.id }
    await call('POST /blocks', { blocks: [{ type: 'text', markdown: 'one more' }], position })
    expect((await call(`GET /blocks/search?documentId=${id}&pattern=one&caseSensitive=true`)).items).toHaveLength(2)
    const ids = encodeURIComponent(JSON.stringify([id]))
    const query = `include=one&documentIds=${ids}&documentFilterMode=include&fetchMetadata=true`
    expect((await call(`GET /documents/search?${query}`)).items).toMatchObject([{ exposedDocumentId: id }])
    expect((await call(`GET /collections?documentIds=${ids}&documentFilterMode=exclude`)).items).toEqual([])
    expect(other).not.toBe(id)
  })
})

describe('a synchronizer of drawings', () => {
  test('finds boards in a document, sends a diff, and undoes it', async () => {
    const asker = await askerOf()
    const call = clientOf(asker)
    const pageId = await documentBy(asker)
    const { whiteboardBlockId } = await call('POST /whiteboards', { position: { pageId, position: 'end' } })
    const [board] = (await call(`GET /blocks?id=${pageId}`)).content
    expect([board.id, board.type]).toEqual([whiteboardBlockId, 'whiteboard'])
    const path = `/whiteboards/${encodeURIComponent(whiteboardBlockId)}/elements`
    const box = { id: 'a', type: 'rectangle', x: 0, y: 0, width: 10, height: 10, version: 1 }
    expect((await call(`POST ${path}`, { elements: [box, { ...box, id: 'b' }] })).elements).toHaveLength(2)
    const before = (await call(`GET ${path}`)).elements
    await call(`PUT ${path}`, { elements: [{ ...before[0], x: 50, version: 2 }] })
    await call(`PUT ${path}`, { elements: [before[0]] })
    expect((await call(`GET ${path}`)).elements).toEqual(before)
    expect(await call(`DELETE ${path}`, { elementIds: ['b'] })).toEqual({ deletedCount: 1, remainingCount: 1 })
  })
})

test('clients for comments and reminders read what they need', async () => {
  const asker = await askerOf()
  const call = clientOf(asker)
  const id = await documentBy(asker, 'words')
  const [block] = (await call(`GET /blocks?id=${id}`)).content
  const { items } = await call('POST /comments', { comments: [{ blockId: block.id, content: 'look' }] })
  expect(items).toEqual([{ commentId: expect.any(String) }])
  const [read] = (await call(`GET /blocks?id=${id}&fetchMetadata=true`)).content
  expect(read.metadata).toMatchObject({ createdBy: expect.any(String), comments: [{ content: 'look' }] })
  await call('POST /reminders', { reminders: [{ blockId: block.id, remindAt: '2026-12-01T10:00:00+01:00' }] })
  const [reminder] = (await call('GET /reminders?status=upcoming&limit=200')).items
  expect(reminder).toMatchObject({ blockId: block.id, isCompleted: false, remindAt: '2026-12-01T09:00:00.000Z' })
})
