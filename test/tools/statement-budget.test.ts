/**
 * A call runs few statements, no matter how many rows it reads or writes. Other engines answer each statement over a
 * network, and on SQLite most of the time of bulk writes is spent on statements.
 */
import { describe, expect, test } from 'vitest'
import { type Tool, toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { call, endpointNamed, namesOf, requestFor } from '../prove/test-client/test-client.ts'
import type { Things } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'
import { countStatements } from '../support/count-statements.ts'
import { spaceOfThings } from '../support/space-of-things.ts'
import { BULK, idsIn, list } from './bulk-calls.ts'

/** The maximum number of statements in a small call, including its transaction and the check for due reminders. */
const STATEMENTS_PER_CALL = 14

/** What gives entries of the log their hashes, once for all calls that share a COMMIT. */
const LOG_CHAIN = 3

/**
 * The statement limits of tools that read or write several kinds of things in one call. The calls below include one of
 * each: a link to another block, a comment, a repeating task, a relation, a file.
 */
const MANY_STEPS: Readonly<Record<string, number>> = {
  // Includes the statements of its three steps.
  batch: 20,
  // A collection, its properties and options, both sides of each relation, and the response.
  collections_add: 34,
  schema_update: 46,
  // Links and comments in texts, repeating tasks, nested pages.
  documents_add: 21,
  blocks_add: 20,
  blocks_update: 18,
  tasks_add: 18,
  // The file, its position, its block, and the resources of the space.
  files_add: 18,
  // Values, new options, both sides of relations.
  items_add: 20,
  // The same, and the leases of the items.
  items_update: 22,
  // The rules of the query, the values that it sets, and the content of the claimed items.
  items_claim: 30,
  // The calls, how much they changed, their changes, documents and titles, the calls that undid them, and the location of
  // added things.
  history_list: 26,
  // The same, plus the IDs that each table has for them, and those that were deleted since.
  changes_list: 37,
  // The same, plus what the events are about.
  events_list: 44,
  // Each table separately: what the calls changed, what is there now, and what refers to it.
  history_undo: 120,
  // The view, its filters, the relations of the listed items, their leases, and the last call that it saw.
  items_list: 19,
  // Links, comments and files of the blocks, and the last call that it saw.
  blocks_get: 15,
}

const things = new Proxy({} as Things, { get: () => 'x' })
const calls = validCalls('full', things).map(([name], index) => [name, index] as const)

test('all tools are called', () => {
  const called = new Set<string>(calls.map(([name]) => name))
  // Decisions on proposals run the calls of other tools, twice.
  const deciding = new Set<string>(endpoints.filter(({ effect }) => effect === 'decide').map(({ name }) => name))
  expect(namesOf(endpoints, 'full').filter((name) => !called.has(name) && !deciding.has(name))).toEqual([])
})

test.each(calls)('%s runs few statements (call %i)', async (name, index) => {
  // Before there is a client that listens.
  const counter = countStatements()
  const { client, own } = await spaceOfThings()
  const [, args = {}] = validCalls('full', own)[index] ?? []
  counter.reset()
  const tool = endpointNamed(client.table, name)
  const request = tool.endpoint.isRestOnly ? requestFor(tool, args) : undefined
  await (request === undefined ? call(client, name, args) : client.rest(request))
  expect(counter.count).toBeLessThanOrEqual((MANY_STEPS[name] ?? STATEMENTS_PER_CALL) + LOG_CHAIN)
  await client.close()
})

/** Tools that take a list and are not in `BULK`, with the reason. */
const FEW_ROWS: Readonly<Record<string, string>> = {
  for_me_update: 'test/tools/for-me.test.ts counts its statements',
  batch: 'each step is a call of its own, of another tool',
  events_list: 'over MCP it is events/poll, which test/events/items.test.ts counts',
  proposals_approve: 'its steps are those of a batch',
  proposals_reject: 'test/call/proposal-parts.test.ts counts the statements of decisions on parts',
}

test('tools that take lists are called with many rows, or there is a reason', () => {
  const takesList = (name: string): boolean => {
    const { properties = {} } = endpointNamed(toolCatalogFor(endpoints, 'full'), name).schema
    return Object.values(properties).some(({ type }) => type === 'array')
  }
  const inTables = [...Object.keys(BULK), ...Object.keys(FEW_ROWS)]
  const names = namesOf(endpoints, 'full')
  // Add a missing tool to `bulk-calls.ts`, with a call on this number of rows.
  expect(names.filter((name) => takesList(name) && !inTables.includes(name))).toEqual([])
  expect(inTables.filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(FEW_ROWS).filter((name) => name in BULK || !takesList(name))).toEqual([])
})

describe.each(Object.entries(BULK))('%s', (name, argumentsFor) => {
  test('runs hardly more statements for fifty rows than for five', async () => {
    const counts: number[] = []
    const counter = countStatements()
    for (const rows of [5, 50]) {
      // A client of 2026 watches for changes and polls at arbitrary times, so this one is of 2025.
      const connected = await connect('full', { era: '2025' })
      const args = await argumentsFor(connected, rows)
      counter.reset()
      await connected.call(name, args)
      counts.push(counter.count)
    }
    const [few = 0, many = 0] = counts
    expect(many).toBeLessThanOrEqual(few + 3)
  })
})

test.each(['selected', 'daily'] as const)(
  'history_list of a %s connection reads nothing of calls out of its reach',
  async (kind) => {
    const built = await buildSpace()
    const full = await connect('full', { to: built, era: '2025' })
    const { items } = await full.call('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }] })
    const write = {
      markdown: 'more',
      position: { position: 'end', ...(kind === 'daily' ? { date: 'today' } : { pageId: items[0].id }) },
    }
    const narrow = await connect(kind, { to: built, era: '2025', documents: kind === 'daily' ? [] : [items[0].id] })
    for (let count = 0; count < 3; count++) await full.call('blocks_add', write)
    const counter = countStatements()
    const ask = async () => {
      counter.reset()
      const answer = await narrow.call('history_list', { limit: 1 })
      return { answer, count: counter.count }
    }
    const before = await ask()
    expect(before.answer.items).toHaveLength(1)
    for (let count = 0; count < 20; count++) await full.call('documents_add', { documents: [{ title: 'Hidden' }] })
    expect(await ask()).toEqual(before)
  },
)

test('proposals_list reads nothing of decided proposals to find those that wait', async () => {
  const built = await buildSpace()
  const agent = await connect('full', { to: built, era: '2025', access: 'propose' })
  const person = await connect('full', { to: built, era: '2025' })
  const caller = { space: built.space, link: await built.space.createAccessLink('full', [], 'tester') }
  const propose = async (): Promise<string> =>
    (await agent.call('documents_add', { documents: [{ title: 'Proposed' }] })).proposal.proposalId
  const counter = countStatements()
  const ask = async () => {
    counter.reset()
    const { items } = await person.call('proposals_list', { limit: 1 })
    return { items, count: counter.count }
  }
  await propose()
  await propose()
  const before = await ask()
  expect(before.items).toHaveLength(1)
  const reject = toolCatalogFor(endpoints, 'full').find('proposals_reject') as Tool
  for (let index = 0; index < 20; index++) await runCall(reject, { proposalId: await propose() }, caller)
  expect(await ask()).toEqual(before)
})

test('dependencies are checked and claimed in as many statements on many items', async () => {
  const counts: number[] = []
  const counter = countStatements()
  for (const rows of [5, 200]) {
    const connected = await connect('full', { era: '2025' })
    const properties = [
      { name: 'Done', type: 'boolean' },
      { name: 'Needs', type: 'relation', config: { dependsOn: true } },
    ]
    const position = { position: 'end', pageId: await documentOf(connected) }
    const schema = { name: 'C', properties }
    const { collectionBlockId: collectionId } = await connected.call('collections_add', { schema, position })
    const ids = idsIn(
      await connected.call('items_add', { collectionId, items: list(rows, (n) => ({ title: `i${n}` })) }),
    )
    // A chain: each item needs the one before it.
    const itemsToUpdate = ids.slice(1).map((id, index) => {
      return { id, properties: { needs: { relations: [{ blockId: ids[index] }] } } }
    })
    counter.reset()
    await connected.call('items_update', { collectionId, itemsToUpdate })
    expect((await connected.call('items_claim', { collectionId, count: 9 })).items).toHaveLength(1)
    expect((await connected.call('items_claim', { collectionId, count: 9 })).items).toHaveLength(0)
    await connected.call('items_list', { collectionId })
    counts.push(counter.count)
  }
  const [few = 0, many = 0] = counts
  // A batch counts as one for each hundred rows.
  expect(many).toBeLessThanOrEqual(few + 6)
})

test('what many items depend on is not read again for each of them', async () => {
  const connected = await connect('full', { era: '2025' })
  const properties = [
    { name: 'Done', type: 'boolean' },
    { name: 'Needs', type: 'relation', config: { dependsOn: true } },
  ]
  const position = { position: 'end', pageId: await documentOf(connected) }
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema: { name: 'C', properties },
    position,
  })
  const relations = (ids: readonly string[]) => ({ needs: { relations: ids.map((blockId) => ({ blockId })) } })
  const add = async (count: number, needs: readonly string[] = []) => {
    const items = list(count, (n) => ({ title: `i${n}`, properties: relations(needs) }))
    return idsIn(await connected.call('items_add', { collectionId, items }))
  }
  const groups: string[] = []
  while (groups.length < 2) groups.push(...(await add(1, await add(1_000))))
  const shared = await add(1, groups)
  // A chain, each item of which needs all that is shared as well.
  const chain = await add(300)
  const needsOf = (index: number) => [...shared, ...chain.slice(index + 1, index + 2)]
  await connected.call('items_update', {
    collectionId,
    itemsToUpdate: chain.map((id, index) => ({ id, properties: relations(needsOf(index)) })),
  })
  const counter = countStatements()
  await connected.call('items_update', {
    collectionId,
    itemsToUpdate: [{ id: chain[0], properties: relations(needsOf(0)) }],
  })
  expect(counter.count).toBeLessThanOrEqual(40)
})
