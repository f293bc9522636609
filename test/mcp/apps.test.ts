/** Views of responses inside of conversations (MCP Apps), for clients that show them. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAppViews, VIEWS } from '../../src/page/render-views.ts'
import { endpoints } from '../../tools/index.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { serveBuilt } from '../http/serving.ts'
import { program } from '../page/sample-space.ts'

const URI = 'ui://scriptorium/view'
const TYPE = 'text/html;profile=mcp-app'
const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [TYPE] } } }
const views = async () => createAppViews(endpoints)
const VIEWED = ['elements_list', 'history_list', 'items_list', 'proposals_list']

const connectHost = (era: '2025' | '2026' = '2026', more: Parameters<typeof connect>[1] = {}): Promise<Connected> =>
  connect('full', { era, views, capabilities: UI, ...more })

/** The HTML that accompanies a response; undefined if there is none. */
async function viewOf({ client }: Pick<Connected, 'client'>, name: string, args: object = {}): Promise<string> {
  const { _meta = {} } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  return _meta['scriptorium/view'] as string
}

/** A host over HTTP. */
async function hostAt(mcp: string): Promise<Client> {
  const options = { capabilities: UI, versionNegotiation: { mode: { pin: '2026-07-28' } } }
  const client = new Client({ name: 'host', version: '1.0.0' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)))
  onTestFinished(() => client.close())
  return client
}

async function addTable({ call }: Connected): Promise<string> {
  const { items } = await call('documents_add', { documents: [{ title: 'Suppliers' }] })
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema: {
      name: 'Suppliers',
      properties: [{ type: 'singleSelect', name: 'Status', options: [{ name: 'asked' }, { name: 'in' }] }],
    },
    position: { position: 'end', pageId: items[0].id },
  })
  const rows = [
    { title: 'Nordkran', properties: { status: 'in' } },
    { title: 'Hafenbau', properties: { status: 'asked' } },
  ]
  await call('items_add', { collectionId, items: rows })
  const view = { name: 'By status', type: 'kanban', groupBy: [{ property: 'status' }] }
  await call('views_add', { collectionId, view })
  return collectionId
}

describe.each(['2025', '2026'] as const)('a client of %s that shows views', (era) => {
  test('learns which tools have one, and can read their common frame', async () => {
    const { client } = await connectHost(era)
    const { tools } = await client.listTools()
    const viewed = tools.filter(({ _meta }) => 'resourceUri' in Object(_meta?.ui))
    expect(viewed.map(({ name }) => name).sort()).toEqual(VIEWED)
    expect(viewed.find(({ name }) => name === 'elements_list')?._meta).toEqual({ ui: { resourceUri: URI } })
    const { contents } = await client.readResource({ uri: URI })
    expect(contents).toMatchObject([{ uri: URI, mimeType: TYPE, _meta: { ui: { prefersBorder: true } } }])
    expect((await client.listResources()).resources.map(({ uri }) => uri)).not.toContain(URI)
  })

  test('gets it next to the text that the agent reads, which is unchanged', async () => {
    const host = await connectHost(era)
    await host.call('documents_add', { documents: [{ title: 'Plan' }] })
    const plain = await connect('full', { era, to: host, views })
    const ask = { name: 'history_list', arguments: {} }
    const [shown, response] = [await host.client.callTool(ask), await plain.client.callTool(ask)]
    expect(shown.content).toEqual(response.content)
    expect(shown._meta?.['scriptorium/view']).toContain('<b>Plan</b>')
    expect(response._meta?.['scriptorium/view']).toBeUndefined()
    expect((await plain.client.listTools()).tools.every(({ _meta }) => _meta === undefined)).toBe(true)
  })
})

test('exactly the tools that declare a view have one', () => {
  expect([...VIEWS.keys()].sort()).toEqual(VIEWED)
  expect(endpoints.flatMap(({ name, hasView }) => (hasView ? [name] : [])).sort()).toEqual(VIEWED)
})

test('the frame is self-contained, and small', async () => {
  const frame = (await views()).frame()
  expect(frame.startsWith('<!doctype html>')).toBe(true)
  expect(frame.match(/ (?:src|href|action|srcset)=|@import|url\(/g)).toBeNull()
  expect(frame.match(/<\/?(?:script|style)\b/g)).toHaveLength(4)
  expect(gzipSync(frame).length).toBeLessThan(150_000)
  // No other script runs, whatever the policy of the host.
  const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(frame) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(frame)?.[1]
  expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}';`)
})

test('history is shown with the requested diff, and without buttons', async () => {
  const host = await connectHost()
  const { items } = await host.call('documents_add', { documents: [{ title: 'Plan', markdown: 'Six weeks.' }] })
  const { content } = await host.call('blocks_get', { id: items[0].id })
  await host.call('blocks_update', { blocks: [{ id: content[0].id, markdown: 'Nine weeks.' }] })
  const { items: calls } = await host.call('history_list', { format: 'json' })
  const view = await viewOf(host, 'history_list', { call: calls[0].callId })
  expect(view).toContain('<del>Six</del>')
  expect(view).toContain('<ins>Nine</ins>')
  expect(view).not.toMatch(/<(?:form|button|input|script)/)
})

describe('proposals', () => {
  const propose = (host: Connected, markdown = 'A thought.') =>
    program(host.space, 'research', { access: 'propose', author: 'Robot' })('documents_add', {
      documents: [{ title: 'Notes', markdown }],
    })
  /** The rejections that a view offers: of a proposal, or of a part of it. */
  const rejectionsIn = (view: string) =>
    [...view.matchAll(/<button type="button" data-reject="(\d+)"(?: data-part="([^"]+)")?>/g)].map(([, id, part]) => ({
      ...{ id, part },
    }))

  test('are shown with their diff, rejected there, and approved on their page', async () => {
    const host = await connectHost()
    const { proposal } = await propose(host)
    const view = await viewOf(host, 'proposals_list')
    expect(view).toContain('<b title="for Robot">research</b> proposes')
    expect(view).toContain('A thought.')
    expect(view).not.toMatch(/<(?:form|script)|fingerprint/)
    expect(rejectionsIn(view)).toEqual([{ id: proposal.proposalId, part: undefined }])
    // This server has no pages.
    expect(view).toContain(`Approve it with scriptorium proposals approve ${proposal.proposalId}`)
  })

  test('lead to the page that approves, whole or in parts', async () => {
    const serving = await serveBuilt()
    const person = await serving.link({ name: 'Anna' })
    const agent = await serving.link({ name: 'Robot', access: 'propose' })
    const { json } = await person.ask('POST /documents?ids=short', { documents: [{ title: 'Plan', markdown: 'one' }] })
    const position = { position: 'end', pageId: json.items[0].id }
    const proposed = await agent.ask('POST /blocks?ids=short', { markdown: 'two\n\nthree', position })
    const { proposalId } = proposed.json.proposal
    const client = await hostAt(person.mcp)
    const view = await viewOf({ client }, 'proposals_list')
    const parts = proposed.json.items.map(({ id }: { id: string }) => id)
    expect(rejectionsIn(view)).toEqual([
      ...parts.map((part: string) => ({ id: proposalId, part })),
      { id: proposalId, part: undefined },
    ])
    const [page = '', ...ways] = [...view.matchAll(/<a class="button go" href="([^"]+)">\w+ on its page/g)]
      .map(([, address]) => address ?? '')
      .toReversed()
    expect(page).toMatch(new RegExp(`^${serving.server.origin}/view/[0-9a-f]{10}/waiting/${proposalId}$`))
    expect(ways).toEqual(parts.map((part: string) => `${page}#part-${part}`).toReversed())
    // As the view asks its host to.
    const rejected = await client.callTool({ name: 'proposals_reject', arguments: { proposalId, parts: [parts[1]] } })
    expect(rejected).toMatchObject({ structuredContent: { parts: [parts[1]], remaining: 1 } })
    expect(rejectionsIn(await viewOf({ client }, 'proposals_list'))).toEqual([{ id: proposalId, part: undefined }])
    await client.callTool({ name: 'proposals_reject', arguments: { proposalId, note: 'No' } })
    expect((await person.ask('GET /proposals?state=rejected')).json.items).toMatchObject([
      { decidedBy: 'Anna', note: 'No' },
    ])
  })

  test('are not decided by those who may not, nor over a connection that proposes', async () => {
    for (const access of ['read', 'comment', 'propose'] as const) {
      const host = await connectHost()
      const { proposal } = await propose(host)
      const other = await connect('full', { to: host, access, views, capabilities: UI })
      const { tools } = await other.client.listTools()
      expect(tools.map(({ name }) => name)).not.toContain('proposals_reject')
      const view = await viewOf(other, 'proposals_list')
      expect(rejectionsIn(view)).toEqual([])
      expect(view).not.toContain('Approve')
      expect(await other.refused('proposals_reject', { proposalId: proposal.proposalId })).toContain(`access ${access}`)
      expect(await viewOf(host, 'proposals_list')).toContain('A thought.')
    }
  })

  test.each(['2025', '2026'] as const)(
    'are rejected by views alone, which the host of %s keeps from models',
    async (era) => {
      const host = await connectHost(era)
      const { proposal } = await propose(host)
      const { tools } = await host.client.listTools()
      expect(tools.filter(({ name }) => name === 'proposals_reject')).toMatchObject([
        { _meta: { ui: { visibility: ['app'] } }, inputSchema: { required: ['proposalId'] } },
      ])
      const plain = await connect('full', { era, to: host, views })
      expect((await plain.client.listTools()).tools.map(({ name }) => name)).not.toContain('proposals_reject')
      expect(await plain.unknownTool('proposals_reject', { proposalId: proposal.proposalId })).toContain(
        'Expected a tool of this connection, found proposals_reject',
      )
      await host.call('proposals_reject', { proposalId: proposal.proposalId })
      expect((await host.call('proposals_list', { state: 'rejected' })).items).toHaveLength(1)
    },
  )

  test('are never approved over MCP', async () => {
    const host = await connectHost()
    const { proposal } = await propose(host)
    const { items } = await host.call('proposals_list', { proposalId: proposal.proposalId })
    const [{ fingerprint }] = items
    const approval = { proposalId: proposal.proposalId, fingerprint }
    expect(await host.unknownTool('proposals_approve', approval)).toContain('found proposals_approve')
    const step = { steps: [{ tool: 'proposals_approve', arguments: approval }] }
    expect(await host.refused('batch', step)).toContain('proposals_approve')
    expect(await host.refused('batch', { steps: [{ ...step.steps[0], tool: 'proposals_reject' }] })).toContain(
      'proposals_reject',
    )
    expect((await host.call('proposals_list', {})).items).toHaveLength(1)
  })

  test('of many parts show as many as there is room for', async () => {
    const host = await connectHost()
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `Text ${index}`).join('\n\n')
    const { items } = await host.call('documents_add', { documents: [{ title: 'Plan' }] })
    const robot = program(host.space, 'research', { access: 'propose', author: 'Robot' })
    for (const count of [15, 15]) {
      await robot('blocks_add', { markdown: texts(count), position: { position: 'end', pageId: items[0].id } })
    }
    const found = rejectionsIn(await viewOf(host, 'proposals_list'))
    expect(found.filter(({ part }) => part !== undefined)).toHaveLength(15)
    expect(found.filter(({ part }) => part === undefined)).toHaveLength(2)
  })
})

test('a connection that selects tools has what the views of these tools call', async () => {
  for (const [name, isThere] of [
    ['proposals_list', true],
    ['history_list', false],
  ] as const) {
    const host = await connectHost('2026', { caller: { tools: new Set([name]) } })
    const names = (await host.client.listTools()).tools.map((tool) => tool.name)
    expect(names).toEqual(isThere ? [name, 'proposals_reject'] : [name])
  }
})

test('items are shown as in their view, by the requested rules', async () => {
  const host = await connectHost()
  const collectionId = await addTable(host)
  const board = await viewOf(host, 'items_list', { collectionId })
  expect(board).toContain('class="board-view wide"')
  expect(board).toContain('<b>Nordkran</b>')
  const filter = { property: 'status', filterType: 'select_isAnyOf', filterValue: ['asked'] }
  const some = await viewOf(host, 'items_list', { collectionId, filters: [filter] })
  expect(some).toContain('<b>Hafenbau</b>')
  expect(some).not.toContain('<b>Nordkran</b>')
})

describe('a view that is grouped by a date', () => {
  const addVisits = async (host: Connected, days: readonly (string | { start: string; end: string } | null)[]) => {
    const { items } = await host.call('documents_add', { documents: [{ title: 'Visits' }] })
    const { collectionBlockId: collectionId } = await host.call('collections_add', {
      schema: {
        name: 'Visits',
        properties: [
          { type: 'date', name: 'Day' },
          { type: 'text', name: 'Who' },
        ],
      },
      position: { position: 'end', pageId: items[0].id },
    })
    const rows = days.map((day, index) => ({
      title: `Visit ${index + 1}`,
      properties: { ...(day && { day }), who: 'A' },
    }))
    await host.call('items_add', { collectionId, items: rows })
    const view = { name: 'Days', type: 'kanban', groupBy: [{ property: 'day' }] }
    const { id: viewId } = await host.call('views_add', { collectionId, view })
    return { collectionId, viewId }
  }
  const titlesIn = (view: string) => [...view.matchAll(/>(Visit \d)<\/a>/g)].map(([, title]) => title)

  test('is a month of the items that the rules select, with undated ones below it', async () => {
    const host = await connectHost()
    const year = new Date().getFullYear() + 1
    const days = [`${year}-02-03`, `${year}-05-10`, { start: `${year}-01-31`, end: `${year}-02-01` }, null]
    const { collectionId, viewId } = await addVisits(host, days)
    const view = await viewOf(host, 'items_list', { collectionId, viewId, properties: ['who'] })
    expect(view).toContain(`aria-label="Day, January ${year}"`)
    expect(titlesIn(view)).toEqual(['Visit 3', 'Visit 4'])
    expect(view).not.toContain('board-view')
    expect(view).not.toMatch(/<(?:form|button|input|script)|data-(?:date|item|calendar)/)
    const filters = [{ property: 'day', filterType: 'date_isAfter', filterValue: `${year}-04-01` }]
    const later = await viewOf(host, 'items_list', { collectionId, viewId, filters: JSON.stringify(filters) })
    expect(later).toContain(`aria-label="Day, May ${year}"`)
    expect(titlesIn(later)).toEqual(['Visit 2'])
    const sums = await viewOf(host, 'items_list', { collectionId, viewId, limit: 0 })
    expect(sums).not.toContain('class="month"')
  })

  test('is the last month of past items, and the current one if there are none', async () => {
    const host = await connectHost()
    const { collectionId, viewId } = await addVisits(host, ['2020-03-04', '2019-12-01'])
    const view = await viewOf(host, 'items_list', { collectionId, viewId })
    expect(view).toContain('aria-label="Day, March 2020"')
    expect(titlesIn(view)).toEqual(['Visit 1'])
    const filters = [{ property: 'day', filterType: 'date_isAfter', filterValue: '2020-04-01' }]
    const none = await viewOf(host, 'items_list', { collectionId, viewId, filters })
    expect(none).toContain('class="month"')
    expect(titlesIn(none)).toEqual([])
  })
})

test('a whiteboard is drawn as a self-contained image', async () => {
  const host = await connectHost()
  const { items } = await host.call('documents_add', { documents: [{ title: 'Sketch' }] })
  const position = { position: 'end', pageId: items[0].id }
  const { whiteboardBlockId } = await host.call('whiteboards_add', { position })
  const elements = [{ id: 'a', type: 'rectangle', x: 0, y: 0, width: 90, height: 40 }]
  await host.call('elements_add', { whiteboardBlockId, elements })
  const view = await viewOf(host, 'elements_list', { whiteboardBlockId })
  const [, data = ''] = /<img src="data:image\/svg\+xml;base64,([^"]+)"/.exec(view) ?? []
  expect(Buffer.from(data, 'base64').toString()).toMatch(/^<svg /)
})

test('text written by others stays text', async () => {
  const host = await connectHost()
  await host.call('documents_add', { documents: [{ title: '<img src=x onerror=alert(1)>' }] })
  expect(await viewOf(host, 'history_list')).toContain('&lt;img src=x onerror=alert(1)&gt;')
})

test('a view shows only what the connection reaches', async () => {
  const full = await connectHost()
  const add = async (title: string) => (await full.call('documents_add', { documents: [{ title }] })).items[0].id
  const [shown, hidden] = [await add('Shown'), await add('Hidden')]
  const narrow = await connect('selected', { to: full, documents: [shown], views, capabilities: UI })
  for (const pageId of [shown, hidden]) {
    await full.call('blocks_add', { markdown: 'More', position: { position: 'end', pageId } })
  }
  const view = await viewOf(narrow, 'history_list')
  expect(view).toContain('Shown')
  expect(view).not.toContain('Hidden')
})

test('a rejected call has no view, nor has a call that counts twice', async () => {
  const counted: number[] = []
  const rateLimiter = { acquire: async () => void counted.push(1), charge: async () => ({}) } as unknown as Answer
  const host = await connectHost('2026', { caller: { rateLimiter } })
  counted.length = 0
  const { isError, _meta = {} } = await host.client.callTool({ name: 'history_list', arguments: { limit: -1 } })
  expect([isError, _meta['scriptorium/view']]).toEqual([true, undefined])
  counted.length = 0
  expect(await viewOf(host, 'history_list')).toContain('Nothing was changed.')
  expect(counted).toHaveLength(1)
})

test('over HTTP its links lead to the pages of the server', async () => {
  const serving = await serveBuilt()
  const { mcp } = await serving.link()
  const view = await viewOf({ client: await hostAt(mcp) }, 'history_list')
  const [, page = ''] = /<h1><a href="([^"]+)">History/.exec(view) ?? []
  expect(page).toMatch(new RegExp(`^${serving.server.origin}/view/[0-9a-f]{10}/now$`))
  expect((await fetch(page)).status).toBe(401)
})
