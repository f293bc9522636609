/**
 * An address out of reach is shown nowhere: it stands in every text that a tool accepts, and a narrow connection reads
 * all that it can: every tool in every format, refusals, dry runs, proposals, resources, the feed, history, exports and
 * pages.
 */
import { expect, onTestFinished, test } from 'vitest'
import type { AccessLink } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { servePages, type Visitor, visitByLink } from '../page/visiting.ts'
import { ask, call, endpointNamed, requestFor } from '../prove/test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, type Things } from '../prove/test-client/things.ts'
import { type Args, type ToolCall, validCalls } from '../prove/test-client/valid-calls.ts'
import { textPaths, withText } from '../support/text-paths.ts'
import { plantAddresses, plantBoard, plantCollection } from './planted-addresses.ts'

const HIDDEN = 'xylophone'
const MOST_PAGES = 200

type Narrow = 'selected' | 'daily'

type World = Awaited<ReturnType<typeof world>>

async function world(kind: Narrow) {
  const to = await buildSpace()
  const { space } = to
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'tester')), id: 'full' })
  onTestFinished(() => full.close())
  const hidden = await makeDocument(full, HIDDEN)
  const document = kind === 'daily' ? await makeDay(full, 'today', 'own words') : await makeDocument(full, 'own words')
  const own = await makeThings(full, document, 'words', await makePlaces(full, 'words'))
  const serving = await servePages({ to })
  const reachOf = async (documents: readonly string[]): Promise<Reach> => {
    const visitor = await visitByLink(serving, { kind, documents: [...documents], access: 'full' })
    return { documents, link: await space.createAccessLink(kind, documents, 'tester'), visitor }
  }
  const reach = await reachOf(kind === 'selected' ? [document] : [])
  const wide = await reachOf(kind === 'selected' ? [document, hidden] : [])
  // The title of a daily note cannot be changed.
  await call(full, 'blocks_update', { blocks: [{ id: document, title: `see block://${hidden}` }] })
  const planted = await plantAddresses(full, own, hidden)
  for (const plant of [plantCollection, plantBoard]) await plant(full, own, hidden)
  return { to, hidden, own, planted, reach, wide }
}

/** What stands around each leak. */
function leaksIn(where: string, answer: unknown, hidden: string): string[] {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const found = [...text.matchAll(new RegExp(`.{0,80}(?:${hidden}|${HIDDEN}).{0,30}`, 'g'))]
  return found.map(([words]) => `${where}: ${words}`)
}

/** Every argument that chooses how a tool answers. */
function* variants(tool: string, args: Args, kind: Narrow): Generator<Args> {
  yield args
  const shape = (endpoints.find(({ name }) => name === tool)?.input[kind] as Answer)?.shape ?? {}
  for (const [key, choices] of Object.entries({
    format: ['json', 'markdown', 'schema', 'json-schema-items'],
    answer: ['full', 'changed', 'ids'],
  })) {
    if (key in shape) for (const choice of choices) yield { ...args, [key]: choice }
  }
}

type Report = (where: string, answer: unknown) => void

/** Calls every tool. What writes is only rehearsed. */
async function readTools({ client }: Connected, kind: Narrow, own: Things, report: Report): Promise<void> {
  const send = async (name: string, args: object) => {
    const answer = await client.callTool({ name, arguments: args as Record<string, unknown> })
    report(`${name} ${JSON.stringify(args).slice(0, 200)}`, answer)
    return answer as Answer
  }
  const { items: collections = [] } = (await send('collections_list', { format: 'json' })).structuredContent ?? {}
  const calls = [...validCalls(kind, own)]
  for (const { id } of collections) {
    const collectionId = id as string
    calls.push(
      ...(['schema_get', 'views_list', 'items_list'] as const).map((tool) => [tool, { collectionId }] as const),
    )
    const { views = [] } = (await send('views_list', { collectionId })).structuredContent ?? {}
    for (const { id: viewId } of views) {
      calls.push(['items_list', { collectionId, viewId }])
      calls.push([
        'items_list',
        { collectionId, viewId, groupBy: [{ property: 'title' }], calculations: { title: 'count_unique' } },
      ])
    }
    const { properties = [] } = (await send('schema_get', { collectionId, format: 'schema' })).structuredContent ?? {}
    for (const { key } of properties) calls.push(['items_list', { collectionId, groupBy: [{ property: key }] }])
  }
  const history = await send('history_list', { format: 'json', limit: 100 })
  for (const { callId } of history.structuredContent?.items ?? []) calls.push(['history_list', { call: callId }])
  for (const term of ['see', 'words', 'invalid']) {
    const tool = kind === 'daily' ? 'daily_notes_search' : 'documents_search'
    calls.push([tool, { include: [term], fetchBlocks: true }], [tool, { regexps: [term], fetchBlocks: true }])
  }
  const tried = new Set<string>()
  for (const [tool, args] of calls) {
    const endpoint = endpoints.find(({ name }) => name === tool)
    const isRead = endpoint?.effect === 'read'
    if (endpoint?.isRestOnly) continue
    for (const variant of variants(tool, args, kind)) await send(tool, isRead ? variant : { ...variant, dryRun: true })
    const input = endpoint?.input[kind]
    if (input === undefined) continue
    // What is refused names what there is.
    for (const path of textPaths(input)) {
      const field = `${tool} ${path.join('.')}`
      if (tried.has(field)) continue
      tried.add(field)
      await send(tool, withText({ ...args, ...(!isRead && { dryRun: true }) }, path, 'nothing like this'))
    }
  }
  const { resources } = await client.listResources()
  report('resources', resources)
  for (const { uri } of resources) report(uri, await client.readResource({ uri }))
}

/** Proposes every call, and reads the proposals. */
async function readProposals(proposer: Connected, reader: Connected, kind: Narrow, own: Things, report: Report) {
  const { items: collections } = await reader.call('collections_list')
  const renamed = collections.map(({ id: collectionId, schema }: Answer): ToolCall => {
    const properties = schema.properties.map((one: Answer) => ({ ...one, name: `new ${one.name}` }))
    return ['schema_update', { collectionId, schema: { ...schema, properties } }]
  })
  const retitled: ToolCall = ['blocks_update', { blocks: [{ id: own.document, title: 'Another title' }] }]
  for (const [tool, args] of [...validCalls(kind, own), ...renamed, retitled]) {
    if (/^(?:proposals|history)_|_(?:get|list|search)$/.test(tool)) continue
    if (endpoints.find(({ name }) => name === tool)?.isRestOnly) continue
    report(`proposed ${tool}`, await proposer.client.callTool({ name: tool, arguments: args }))
  }
  for (const format of ['json', 'markdown']) {
    const found = await reader.call('proposals_list', { state: 'all', format, limit: 50 })
    report(`proposals_list ${format}`, found)
    if (format !== 'json') continue
    for (const { proposalId } of found.items) {
      for (const shown of ['json', 'markdown']) {
        report(`proposal ${shown}`, await reader.call('proposals_list', { proposalId, format: shown }))
      }
    }
  }
}

const LINKS = / (?:href|src|hx-get)="(\/[^"#]*)/g
const ENDLESS = /\/(?:page|sign-out)\b|[?&]month=|\/days\/\d|\/items\/new\?/

async function readPages(visitor: Visitor, report: Report): Promise<number> {
  const prefix = new URL(visitor.base).pathname
  const paths = new Set([
    '/',
    '/search?q=see',
    '/search?q=words',
    '/tasks',
    '/now',
    '/waiting',
    '/collections',
    '/days',
  ])
  for (const path of paths) {
    const { text } = await visitor.get(path)
    report(path, text)
    for (const [, href = ''] of text.matchAll(LINKS)) {
      const next = href.replaceAll('&amp;', '&').replace(prefix, '')
      if (!ENDLESS.test(next) && paths.size < MOST_PAGES) paths.add(next)
    }
  }
  return paths.size
}

interface Reach {
  documents: readonly string[]
  /** Links that were made before the addresses were planted, since they see the history and the feed from then on. */
  link: AccessLink
  visitor: Visitor
}

/** Reads all that a connection with this reach can. @returns the number of pages */
async function readAll(
  { to, own }: World,
  kind: Narrow,
  { documents, link, visitor }: Reach,
  report: Report,
): Promise<number> {
  const narrow = await connect(kind, { to, documents, caller: { link } })
  await readTools(narrow, kind, own, report)
  const client = await ask(to.space, link)
  onTestFinished(() => client.close())
  for (const [tool, args] of validCalls(kind, own)) {
    const request = /_(?:get|list|search)$/.test(tool) && requestFor(endpointNamed(client.table, tool), args)
    if (request) report(`REST ${tool}`, (await client.rest(request)).text)
  }
  for (let cursor = 'start', more = true; more; ) {
    const { text } = await client.rest({ method: 'GET', target: `/changes?limit=200&cursor=${cursor}` })
    report('changes_list', text)
    const { items, cursor: next } = JSON.parse(text)
    if (cursor === 'start') expect(items.length).toBeGreaterThan(100)
    ;[cursor, more] = [next, items.length > 0]
  }
  await readProposals(await connect(kind, { to, documents, access: 'propose' }), narrow, kind, own, report)
  return readPages(visitor, report)
}

test.each(['selected', 'daily'] as const)(
  'over a link to %s documents',
  async (kind) => {
    const there = await world(kind)
    const { hidden, planted } = there
    expect(planted.refused).toEqual([])
    expect(planted.taken.size).toBeGreaterThan(130)
    const leaks = new Set<string>()
    let answers = 0
    const pages = await readAll(there, kind, there.reach, (where, answer) => {
      answers++
      for (const leak of leaksIn(where, answer, hidden)) leaks.add(leak)
    })
    expect([...leaks].slice(0, 60)).toEqual([])
    expect(answers).toBeGreaterThan(1_000)
    expect(pages).toBe(MOST_PAGES)
  },
  600_000,
)

test('a link that reaches the document finds its address everywhere', async () => {
  const there = await world('selected')
  const found = new Set<string>()
  await readAll(there, 'selected', there.wide, (where, answer) => {
    const [place = ''] = where.replace(/\/\d+.*/, '').split(' ')
    if (leaksIn(where, answer, there.hidden).length > 0) found.add(place)
  })
  const tools = ['blocks_get', 'blocks_search', 'collections_list', 'documents_search', 'elements_list', 'items_list']
  const others = ['changes_list', 'history_list', 'proposals_list', 'schema_get', 'views_list', 'resources', 'REST']
  const pages = ['/calls', '/collections', '/d', '/now', '/search?q=see', '/waiting']
  expect([...found]).toEqual(expect.arrayContaining([...tools, ...others, ...pages]))
}, 600_000)
