/**
 * Everything that shows a difference: pages, views in conversations, tools, REST routes and commands. Each has a row, is
 * asked for a difference of texts that are too much to compare, and must say so. What one request compares is counted
 * together.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { runHistory } from '../../src/cli/history/history-command.ts'
import { runProposals } from '../../src/cli/proposals-command.ts'
import { Comparer } from '../../src/difference/comparer.ts'
import { WHOLE_PART } from '../../src/difference/unified-diff.ts'
import { WHOLE_LINES as WHOLE_LINES_KEY } from '../../src/page/calls/difference.ts'
import { createAppViews, VIEWS } from '../../src/page/render-views.ts'
import { endpoints } from '../../tools/index.ts'
import type { Answer } from '../connect.ts'
import { declarationsUsing } from '../support/declarations.ts'
import { program } from './sample-space.ts'
import { servePages, type Visited, visitAsOperator } from './visiting.ts'

const WHOLE_LINES = `${WHOLE_LINES_KEY}`

/** The limit is lower than usual, since two dozen requests reach it. */
vi.mock('../../src/base/limits.ts', async (original) => ({ ...(await original<object>()), DIFF_PAIRS: 20_000 }))

/** Different words, or lines: with those of another version, more pairs than a request compares. */
const COUNT = 150
const words = (version: number): string =>
  Array.from({ length: COUNT }, (_, index) => String.fromCodePoint(0x4e00 + version * COUNT + index)).join('')
const lines = (version: number): string =>
  Array.from({ length: COUNT }, (_, index) => `line ${version} ${index}`).join('\n')

type World = Awaited<ReturnType<typeof makeWorld>>

async function makeWorld() {
  const serving = await servePages()
  const { space } = serving
  const visitor = await visitAsOperator(serving)
  const anna = program(space, 'editor')
  const owner = await serving.link({ name: 'Owner' })
  const agent = await serving.link({ name: 'Robot', access: 'propose' })
  const made = await anna('documents_add', {
    documents: [
      { title: 'Plan', markdown: words(0) },
      { title: 'Code', markdown: `\`\`\`\n${lines(0)}\n\`\`\`` },
    ],
  })
  const [plan, code] = made.items.map(({ id }: { id: string }) => id)
  const firstOf = async (id: string) => (await anna('blocks_get', { id })).content[0].id
  const [text, listing] = [await firstOf(plan), await firstOf(code)]
  /** Changes both documents in one call. */
  const change = (version: number) => ({
    steps: [
      { tool: 'blocks_update', arguments: { blocks: [{ id: text, markdown: words(version) }] } },
      { tool: 'blocks_update', arguments: { blocks: [{ id: listing, rawCode: lines(version) }] } },
    ],
  })
  const lastCall = async () => (await anna('history_list', { limit: 1 })).items[0].callId
  const start = await lastCall()
  await anna('batch', change(1))
  const first = await lastCall()
  await agent.ask('POST /batch', change(2))
  // The proposal would now change something else.
  await owner.ask('POST /batch', change(3))
  const second = await lastCall()
  const [proposal] = (await anna('proposals_list')).items
  const { fingerprint } = (await anna('proposals_list', { proposalId: proposal.proposalId })).items[0]
  const caller = { space, link: await space.createAccessLink('full', []) }
  return {
    ...{ ...serving, visitor, owner, agent, plan, code, change, start, first, second, caller, fingerprint },
    waiting: proposal.proposalId as string,
  }
}

interface Shown {
  /** Asks for the difference. @returns what is shown, as text */
  ask(world: World): Promise<string>
  expected: readonly string[]
  /** How many limits the request has: a proposal that is rehearsed has one of its own. */
  limits?: number
}

/** Parts of the proposal that waits, each of which is rehearsed. */
const PARTS = 2

const IN_JSON = ['"isDiffCoarse":true']
const IN_TEXT = [WHOLE_PART]
const ON_PAGE = [WHOLE_PART, WHOLE_LINES]

const page = async (asked: Promise<Visited>): Promise<string> => (await asked).text
const json = async (asked: Promise<{ json: Answer }>): Promise<string> => JSON.stringify((await asked).json)

async function textOf({ caller }: World, tool: string, args: object): Promise<string> {
  const result = await runCall(toolCatalogFor(endpoints, 'full').get(tool), { ...args, format: 'markdown' }, caller)
  return 'text' in result ? result.text.body : ''
}

async function viewOf({ caller }: World, tool: string, args: object): Promise<string> {
  const call = { caller, tool, arguments: args, comparer: new Comparer(), log: () => {} }
  return (await createAppViews(endpoints).render(call)) ?? ''
}

const SHOWN: Readonly<Record<string, Shown>> = {
  'tool history_list': { ask: (world) => textOf(world, 'history_list', { call: world.first }), expected: IN_TEXT },
  'tool proposals_list': {
    ask: (world) => textOf(world, 'proposals_list', { proposalId: world.waiting }),
    expected: IN_TEXT,
    limits: 0,
  },
  'route GET /history': { ask: ({ owner, first }) => json(owner.ask(`GET /history?call=${first}`)), expected: IN_JSON },
  'route GET /history, between moments': {
    ask: ({ owner, code, start, second }) =>
      json(owner.ask(`GET /history?documentId=${code}&since=${start}&until=${second}`)),
    expected: IN_JSON,
  },
  'route GET /proposals': {
    ask: ({ owner, waiting }) => json(owner.ask(`GET /proposals?proposalId=${waiting}`)),
    expected: IN_JSON,
    limits: 0,
  },
  'a dry run': {
    ask: ({ owner, change }) => json(owner.ask('POST /batch', change(4), { prefer: 'dry-run' })),
    expected: IN_JSON,
  },
  'a proposal': { ask: ({ agent, change }) => json(agent.ask('POST /batch', change(5))), expected: IN_JSON },
  'a refused approval': {
    ask: ({ owner, waiting, fingerprint }) => json(owner.ask(`POST /proposals/${waiting}/approve`, { fingerprint })),
    expected: IN_TEXT,
  },
  'command history': {
    ask: async ({ space, first }) => {
      const { lines } = await runHistory(space, { call: first, dryRun: false, skipConflicts: false })
      return lines.join('\n')
    },
    expected: IN_TEXT,
  },
  'command proposals': {
    ask: async ({ space, waiting }) => (await runProposals(space, 'show', waiting, {})).lines.join('\n'),
    expected: IN_TEXT,
    limits: PARTS,
  },
  'view history_list': { ask: (world) => viewOf(world, 'history_list', { call: world.first }), expected: ON_PAGE },
  'view proposals_list': {
    ask: (world) => viewOf(world, 'proposals_list', { proposalId: world.waiting }),
    expected: ON_PAGE,
    limits: 1 + PARTS,
  },
  'the column beside every page': {
    ask: ({ visitor }) => page(visitor.get('/', { cookie: `${visitor.cookie}; scriptorium-panel=pinned` })),
    expected: [WHOLE_LINES],
  },
  'page GET /activity': { ask: ({ visitor }) => page(visitor.get('/activity')), expected: [WHOLE_LINES] },
  'page GET /news': { ask: ({ visitor }) => page(visitor.get('/news')), expected: [WHOLE_LINES] },
  'page GET /calls/:id': { ask: ({ visitor, first }) => page(visitor.get(`/calls/${first}`)), expected: ON_PAGE },
  'page GET /d/:id/compare': {
    ask: ({ visitor, code, start, second }) => page(visitor.get(`/d/${code}/compare?from=${start}&to=${second}`)),
    expected: [WHOLE_PART],
  },
  // Its calls are one group, which begins with the document: nothing of it was there before.
  'page GET /d/:id/history': {
    ask: ({ visitor, code }) => page(visitor.get(`/d/${code}/history`)),
    expected: [],
  },
  'page GET /waiting': { ask: ({ visitor }) => page(visitor.get('/waiting')), expected: ON_PAGE },
  'page GET /waiting/:id': {
    ask: ({ visitor, waiting }) => page(visitor.get(`/waiting/${waiting}`)),
    expected: ON_PAGE,
    limits: 1 + PARTS,
  },
  // The part is rehearsed and refused; then all of the proposal is shown.
  'page POST /waiting/:id/accept-part': {
    ask: async ({ visitor, owner, waiting }) => {
      const { items } = (await owner.ask(`GET /proposals/parts?proposalId=${waiting}`)).json
      const fields = { part: items[0].part, fingerprint: 'another' }
      return page(visitor.post(`/waiting/${waiting}/accept-part`, fields))
    },
    expected: ON_PAGE,
    limits: 3 + PARTS,
  },
  // The approval is rehearsed, refused, and what it would change now is rehearsed to be shown.
  'page POST /waiting/:id/approve': {
    ask: ({ visitor, waiting, fingerprint }) => page(visitor.post(`/waiting/${waiting}/approve`, { fingerprint })),
    expected: ON_PAGE,
    limits: 3,
  },
  'page POST /waiting/approve-all': {
    ask: ({ visitor, waiting, fingerprint }) =>
      page(visitor.post('/waiting/approve-all', { proposal: `${waiting} ${fingerprint}` })),
    expected: ON_PAGE,
    limits: 3,
  },
  // Shows a difference only once it is submitted.
  'page GET /waiting/:id/edit': {
    ask: ({ visitor, waiting }) => page(visitor.get(`/waiting/${waiting}/edit`)),
    expected: [],
    limits: 0,
  },
  'page POST /waiting/:id/edit': {
    ask: ({ visitor, waiting }) => page(visitor.post(`/waiting/${waiting}/edit`, { do: 'show' })),
    expected: ON_PAGE,
    limits: 2,
  },
  'page GET /undo': { ask: ({ visitor, second }) => page(visitor.get(`/undo?calls=${second}`)), expected: ON_PAGE },
  'page POST /undo': {
    ask: ({ visitor, first, second }) => page(visitor.post('/undo', { calls: `${first},${second}` })),
    expected: ON_PAGE,
    limits: 1,
  },
  'page GET /links/:id/undo': {
    ask: ({ visitor, owner }) => page(visitor.get(`/links/${owner.info.id}/undo`)),
    expected: ON_PAGE,
  },
  // Shows a difference of its own only if others have changed the same meanwhile.
  'page POST /links/:id/undo': {
    ask: ({ visitor, owner }) => page(visitor.post(`/links/${owner.info.id}/undo`, { since: 'never' })),
    expected: [],
    limits: 0,
  },
}

test('each page and view that leads to a difference has a row', () => {
  const found = declarationsUsing(
    'src/page/**/*.ts',
    { file: 'src/page/calls/difference.ts', name: 'differenceHtml' },
    ({ name, text }) => isPage(text) || name === 'VIEWS' || name === 'frameOf',
  )
  const views = [...VIEWS].filter(([, view]) => found.some(({ name }) => name === view.name))
  const rows = [
    ...found.flatMap(({ text }) => (isPage(text) ? `page ${/route: '([^']+)'/.exec(text)?.[1]}` : [])),
    ...views.map(([tool]) => `view ${tool}`),
    ...found.flatMap(({ name }) => (name === 'frameOf' ? 'the column beside every page' : [])),
  ]
  expect(rows.sort()).toEqual(rowsOf(/^(?:page|view|the column)/))
})

const isPage = (text: string): boolean => /^export const \w+: Page = \{/.test(text)
const rowsOf = (kind: RegExp): string[] =>
  Object.keys(SHOWN)
    .filter((name) => kind.test(name))
    .sort()

test('each tool, route and command that answers with a difference has a row', () => {
  const found = endpoints.filter(
    ({ output }) => output !== undefined && JSON.stringify(z.toJSONSchema(output, { io: 'input' })).includes('"diff"'),
  )
  expect(found.map(({ name }) => `tool ${name}`).sort()).toEqual(rowsOf(/^tool/))
  expect(found.map(({ route }) => `route ${route}`).sort()).toEqual(rowsOf(/^route [^,]*$/))
  const folder = join(import.meta.dirname, '../../src/cli')
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) =>
    /\.diff\b|\bdiff[ ,}:]/.test(readFileSync(join(folder, file), 'utf8').replace(/^ *(?:\/?\*|\/\/).*$/gm, '')),
  )
  const commands = files.map((file) => `command ${/(\w+)-command\.ts$/.exec(file)?.[1]}`)
  expect(commands.sort()).toEqual(rowsOf(/^command/))
})

test('each says that texts were too much to compare, within one limit for the request', async () => {
  const world = await makeWorld()
  const used = new Set<Comparer>()
  for (const method of ['compareDocuments', 'compareLines'] as const) {
    const compare = Comparer.prototype[method] as (...args: unknown[]) => Promise<never>
    vi.spyOn(Comparer.prototype, method).mockImplementation(function (this: Comparer, list: readonly unknown[]) {
      if (list.length > 0) used.add(this)
      return compare.call(this, list)
    } as never)
  }
  const wrong: unknown[] = []
  for (const [name, { ask, expected, limits = 1 }] of Object.entries(SHOWN)) {
    used.clear()
    const shown = await ask(world)
    const missing = expected.filter((sentence) => !shown.includes(sentence))
    if (missing.length > 0 || used.size !== limits) wrong.push({ name, missing, limits: used.size })
  }
  expect(wrong).toEqual([])
})
