/**
 * An address out of reach is shown nowhere: it stands in every text that a tool accepts, and a narrow connection reads
 * all that it can: every tool in every format, refusals, dry runs, proposals, resources, the feed, history, exports and
 * pages.
 */
import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { servePages, visitByLink } from '../page/visiting.ts'
import { ask, call } from '../prove/test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, type Things } from '../prove/test-client/things.ts'
import { type Args, validCalls } from '../prove/test-client/valid-calls.ts'
import { textPaths, withText } from '../support/text-paths.ts'
import { plantAddresses, plantBoard, plantCollection } from './planted-addresses.ts'

const HIDDEN = 'xylophone'
const MOST_PAGES = 200

type Narrow = 'selected' | 'daily'

async function world(kind: Narrow) {
  const to = await buildSpace()
  const { space } = to
  const full = await ask(space, { ...(await space.createAccessLink('full', [], 'tester')), id: 'full' })
  onTestFinished(() => full.close())
  const hidden = await makeDocument(full, HIDDEN)
  const document = kind === 'daily' ? await makeDay(full, 'today', 'own words') : await makeDocument(full, 'own words')
  const own = await makeThings(full, document, 'words', await makePlaces(full, 'words'))
  const planted = await plantAddresses(full, own, hidden)
  for (const plant of [plantCollection, plantBoard]) await plant(full, own, hidden)
  return { to, full, hidden, own, planted, documents: kind === 'selected' ? [document] : [] }
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
  for (const [tool, args] of validCalls(kind, own)) {
    if (/^(?:proposals|history)_|_(?:get|list|search)$/.test(tool)) continue
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

async function readPages(
  to: Awaited<ReturnType<typeof buildSpace>>,
  kind: Narrow,
  documents: readonly string[],
  report: Report,
): Promise<number> {
  const visitor = await visitByLink(await servePages({ to }), { kind, documents: [...documents], access: 'full' })
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

test.each(['selected', 'daily'] as const)(
  'over a link to %s documents',
  async (kind) => {
    const { to, hidden, own, planted, documents } = await world(kind)
    expect(planted.refused).toEqual([])
    expect(planted.taken.size).toBeGreaterThan(130)
    const leaks = new Set<string>()
    let answers = 0
    const report: Report = (where, answer) => {
      answers++
      for (const leak of leaksIn(where, answer, hidden)) leaks.add(leak)
    }
    const narrow = await connect(kind, { to, documents })
    await readTools(narrow, kind, own, report)
    const rest = await ask(to.space, await to.space.createAccessLink(kind, documents, 'tester'))
    onTestFinished(() => rest.close())
    for (const [tool, args] of validCalls(kind, own).filter(([tool]) => /_(?:get|list|search)$/.test(tool)))
      report(`REST ${tool}`, await call(rest, tool, args))
    for (let cursor = 'start'; cursor !== ''; ) {
      const { text } = await rest.rest({ method: 'GET', target: `/changes?limit=200&cursor=${cursor}` })
      report('changes_list', text)
      const found = JSON.parse(text)
      cursor = found.items.length > 0 ? found.cursor : ''
    }
    const proposer = await connect(kind, { to, documents, access: 'propose' })
    await readProposals(proposer, narrow, kind, own, report)
    const pages = await readPages(to, kind, documents, report)
    expect([...leaks].slice(0, 60)).toEqual([])
    expect(answers).toBeGreaterThan(1_000)
    expect(pages).toBe(MOST_PAGES)
  },
  600_000,
)
