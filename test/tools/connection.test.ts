import { expect, test } from 'vitest'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

test('connection_get describes the space, its time and its links', async () => {
  const { call, space } = await connect()
  expect(await call('connection_get')).toEqual({
    space: {
      id: space.info.id,
      name: 'Test',
      timezone: 'Europe/Budapest',
      time: '2026-11-20T10:00:00+01:00',
      friendlyDate: 'Friday, November 20, 2026',
    },
    utc: { time: '2026-11-20T09:00:00.000Z' },
    urlTemplates: { app: `scriptorium://open?spaceId=${space.info.id}&blockId={blockId}` },
    link: { name: 'tester', kind: 'full', access: 'full' },
    members: [{ id: expect.stringMatching(/^\d{12}$/), kind: 'person', name: 'Owner' }],
  })
})

test('a connection is told who it is, by the name under which it writes', async () => {
  const full = await connect()
  const documentId = await documentOf(full)
  const link = await full.space.createAccessLink('selected', [documentId], 'Researcher', 'propose')
  const narrow = await connect('selected', {
    to: full,
    documents: [documentId],
    caller: { link: { ...link, id: 'al_1' } },
  })
  expect((await narrow.call('connection_get')).link).toEqual({
    ...{ id: 'al_1', name: 'Researcher', kind: 'selected', access: 'propose' },
  })
})

test('with an editor there are links into it', async () => {
  const built = await buildSpace(':memory:', { editorUrl: 'https://docs.example.org/' })
  const { call } = await connect('daily', { to: built })
  const full = await connect('full', { to: built })
  const { items } = await full.call('documents_add', { documents: [{ title: 'Plan' }] })
  expect(items[0].webLink).toBe(`https://docs.example.org/d/${built.space.info.id}/${items[0].id}`)
  expect((await call('connection_get')).urlTemplates.web).toBe(
    `https://docs.example.org/d/${built.space.info.id}/{documentId}`,
  )
})

test('there are no links to pages that are not served, and what has to run is named', async () => {
  const pages = { url: 'http://127.0.0.1:4811', command: 'scriptorium open' }
  const built = await buildSpace(':memory:', { pages })
  const { call } = await connect('full', { to: built })
  const { id } = built.space.info
  expect((await call('connection_get')).urlTemplates).toEqual({
    app: `scriptorium://open?spaceId=${id}&blockId={blockId}`,
    note: 'There are web addresses while `scriptorium open` runs on this machine.',
  })
  const { items } = await call('documents_add', { documents: [{ title: 'Plan' }] })
  expect(items[0]).not.toHaveProperty('webLink')
  const page = await call('blocks_get', { id: items[0].id, fetchMetadata: true })
  expect(page.metadata).toHaveProperty('clickableLink')
  expect(page.metadata).not.toHaveProperty('webLink')
  // In Markdown, the link into the program stands alone.
  const listed = await call('documents_list', { fetchMetadata: true, format: 'markdown' })
  expect(listed).toContain(`<${items[0].clickableLink}>`)
  expect(listed).not.toContain('4811')
})

test('without an editor they lead to the pages that are served, and say what has to run', async () => {
  const pages = { url: 'http://127.0.0.1:4811', command: 'scriptorium open', isServed: true }
  const built = await buildSpace(':memory:', { pages })
  const { call } = await connect('full', { to: built })
  const { id } = built.space.info
  expect((await call('connection_get')).urlTemplates).toEqual({
    app: `scriptorium://open?spaceId=${id}&blockId={blockId}`,
    web: `http://127.0.0.1:4811/d/${id}/{documentId}`,
    note: 'These links open while `scriptorium open` runs on this machine.',
  })
  const { items } = await call('documents_add', { documents: [{ title: 'Plan' }] })
  const documentId = items[0].id
  expect(items[0]).toMatchObject({
    clickableLink: `scriptorium://open?spaceId=${id}&documentId=${documentId}`,
    webLink: `http://127.0.0.1:4811/d/${id}/${documentId}`,
  })
  const listed = await call('documents_list', { fetchMetadata: true, format: 'markdown' })
  expect(listed).toContain(`<${items[0].webLink}>`)
  await call('blocks_add', { markdown: 'words', position: { position: 'end', pageId: documentId } })
  const page = await call('blocks_get', { id: documentId, fetchMetadata: true })
  expect(page.metadata.clickableLink).toBe(items[0].clickableLink)
  const [{ id: blockId }] = page.content
  // Also where the document itself is not among the blocks.
  expect((await call('blocks_get', { id: blockId, fetchMetadata: true })).metadata).toMatchObject({
    clickableLink: `scriptorium://open?spaceId=${id}&documentId=${documentId}&blockId=${blockId}`,
    webLink: `http://127.0.0.1:4811/d/${id}/${blockId}`,
  })
  const copied = await call('documents_add', { documents: [{ title: 'Copy', clickableLink: 'x', webLink: 'y' }] })
  expect(copied.items).toHaveLength(1)
})

test('connection_get accepts no parameters, and says so', async () => {
  const { refused } = await connect()
  expect(await refused('connection_get', { x: 1 })).toBe('Expected no parameters, found "x"; leave it out.')
})
