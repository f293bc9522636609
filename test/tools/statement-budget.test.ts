/**
 * A call runs few statements, no matter how many rows it reads or writes. Other engines answer each statement over a
 * network, and on SQLite most of the time of bulk writes is spent on statements.
 */
import { describe, expect, test } from 'vitest'
import { type Tool, toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { call, endpointNamed, namesOf, requestFor } from '../prove/test-client/test-client.ts'
import type { Things } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'
import { countStatements } from '../support/count-statements.ts'
import { spaceOfThings } from '../support/space-of-things.ts'

/** The maximum number of statements in a small call, including its transaction and the check for due reminders. */
const STATEMENTS_PER_CALL = 14

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
  expect(counter.count).toBeLessThanOrEqual(MANY_STEPS[name] ?? STATEMENTS_PER_CALL)
  await client.close()
})

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const idsIn = ({ items }: Answer): string[] => items.map(({ id }: { id: string }) => id)

/** Prepares and returns the arguments of a call on this number of rows. */
type BulkCall = (connected: Connected, rows: number) => Promise<object>

const tasks = async (connected: Connected, rows: number, indentation = ''): Promise<string[]> => {
  const position = { position: 'end', pageId: await documentOf(connected) }
  const markdown = list(rows, (index) => `${indentation}- [ ] task ${index}`).join('\n')
  return idsIn(await connected.call('blocks_add', { markdown, position }))
}
const documents = async ({ call }: Connected, rows: number): Promise<string[]> =>
  idsIn(await call('documents_add', { documents: list(rows, (index) => ({ title: `D${index}`, markdown: 'words' })) }))
const collection = async (connected: Connected): Promise<string> => {
  const properties = [
    { name: 'A', type: 'number' },
    { name: 'S', type: 'multiSelect' },
  ]
  const position = { position: 'end', pageId: await documentOf(connected) }
  return (await connected.call('collections_add', { schema: { name: 'C', properties }, position })).collectionBlockId
}
const addItems = async (collectionId: string, rows: number) => ({
  collectionId,
  allowNewSelectOptions: true,
  items: list(rows, (index) => ({ title: `i${index}`, properties: { a: index, s: [`o${index}`] }, markdown: 'text' })),
})
const items = async (connected: Connected, rows: number) => {
  const collectionId = await collection(connected)
  return { collectionId, ids: idsIn(await connected.call('items_add', await addItems(collectionId, rows))) }
}
const elementsOf = (rows: number) =>
  list(rows, (index) => ({ id: `e${index}`, type: 'text', text: 'x', x: index, y: 0, width: 10, height: 10 }))
const board = async (connected: Connected, rows: number): Promise<string> => {
  const position = { position: 'end', pageId: await documentOf(connected) }
  const { whiteboardBlockId } = await connected.call('whiteboards_add', { position })
  if (rows > 0) await connected.call('elements_add', { whiteboardBlockId, elements: elementsOf(rows) })
  return whiteboardBlockId
}
const reminders = async (connected: Connected, rows: number): Promise<string[]> =>
  idsIn(await connected.call('reminders_add', await BULK.reminders_add?.(connected, rows)))

/** Folders with a subfolder and two documents each. */
const folders = async ({ call }: Connected, rows: number): Promise<string[]> => {
  const nested = list(rows, (index) => ({ name: `F${index}`, folders: [{ name: 'inner' }] }))
  const { items } = await call('folders_add', { folders: nested })
  const outer = items.filter(({ parentFolderId }: Answer) => parentFolderId === undefined)
  for (const { id } of outer.slice(0, 2))
    await call('documents_add', { documents: [{ title: 'D' }], destination: { folderId: id } })
  return outer.map(({ id }: Answer) => id)
}

const BULK: Readonly<Record<string, BulkCall>> = {
  folders_add: async (connected, rows) => {
    const parents = await folders(connected, rows)
    return { folders: parents.map((parentFolderId) => ({ name: 'A', parentFolderId, folders: [{ name: 'B' }] })) }
  },
  folders_update: async (connected, rows) => ({
    folders: (await folders(connected, rows)).map((id, index) => ({
      ...{ id, name: `renamed ${index}`, expected: { name: `F${index}` } },
    })),
  }),
  folders_move: async (connected, rows) => {
    const folderIds = await folders(connected, rows)
    const [parentFolderId] = await folders(connected, 1)
    return { folderIds, destination: { parentFolderId } }
  },
  folders_delete: async (connected, rows) => ({ folderIds: await folders(connected, rows) }),
  folders_list: async (connected, rows) => {
    await folders(connected, rows)
    return {}
  },
  documents_add: async (_, rows) => ({
    documents: list(rows, (index) => ({ title: `D${index}`, markdown: 'one\n\ntwo' })),
  }),
  documents_list: async (connected, rows) => ({ documentIds: await documents(connected, rows) }),
  documents_move: async (connected, rows) => ({
    documentIds: await documents(connected, rows),
    destination: { destination: 'templates' },
  }),
  documents_delete: async (connected, rows) => ({ documentIds: await documents(connected, rows) }),
  documents_search: async (connected, rows) => {
    await documents(connected, rows)
    return { include: 'words' }
  },
  blocks_add: async (connected, rows) => ({
    markdown: list(rows, (index) => `line ${index}`).join('\n\n'),
    position: { position: 'end', pageId: await documentOf(connected) },
  }),
  blocks_update: async (connected, rows) => ({
    blocks: (await tasks(connected, rows)).map((id) => ({ id, markdown: 'changed' })),
  }),
  blocks_move: async (connected, rows) => ({
    blockIds: await tasks(connected, rows),
    position: { position: 'end', pageId: await documentOf(connected) },
  }),
  blocks_delete: async (connected, rows) => ({ blockIds: await tasks(connected, rows) }),
  tasks_add: async (_, rows) => ({ tasks: list(rows, (index) => ({ markdown: `t${index}` })) }),
  tasks_list: async (connected, rows) => {
    await tasks(connected, rows)
    return { scope: 'all', limit: rows }
  },
  tasks_delete: async (connected, rows) => ({ idsToDelete: await tasks(connected, rows) }),
  tasks_update: async (connected, rows) => ({
    tasksToUpdate: (await tasks(connected, rows)).map((id) => ({
      id,
      markdown: 'changed',
      taskInfo: { state: 'done' },
    })),
  }),
  collections_list: async (connected, rows) => {
    const documentIds = await documents(connected, rows)
    for (const pageId of documentIds) {
      const schema = { name: 'C', properties: [{ name: 'S', type: 'singleSelect', options: [{ name: 'o' }] }] }
      await connected.call('collections_add', { schema, position: { position: 'end', pageId } })
    }
    return { documentIds }
  },
  history_undo: async (connected, rows) => {
    for (let index = 0; index < rows; index++) await documents(connected, 1)
    const { items } = await connected.call('history_list', { limit: rows })
    return { calls: items.map(({ callId }: Answer) => callId) }
  },
  items_add: async (connected, rows) => addItems(await collection(connected), rows),
  items_update: async (connected, rows) => {
    const { collectionId, ids } = await items(connected, rows)
    return { collectionId, itemsToUpdate: ids.map((id) => ({ id, title: 'new', properties: { a: 5 } })) }
  },
  items_claim: async (connected, rows) => ({
    collectionId: (await items(connected, rows)).collectionId,
    count: Math.min(rows, 100),
    set: { a: 5 },
  }),
  items_list: async (connected, rows) => ({ collectionId: (await items(connected, rows)).collectionId, limit: rows }),
  items_delete: async (connected, rows) => {
    const { collectionId, ids } = await items(connected, rows)
    return { collectionId, idsToDelete: ids }
  },
  elements_add: async (connected, rows) => ({
    whiteboardBlockId: await board(connected, 0),
    elements: elementsOf(rows),
  }),
  elements_update: async (connected, rows) => ({
    whiteboardBlockId: await board(connected, rows),
    elements: elementsOf(rows).map(({ id }) => ({ id, x: 7 })),
  }),
  elements_delete: async (connected, rows) => ({
    whiteboardBlockId: await board(connected, rows),
    elementIds: elementsOf(rows).map(({ id }) => id),
  }),
  comments_add: async (connected, rows) => ({
    comments: (await tasks(connected, rows)).map((blockId) => ({ blockId, content: 'c' })),
  }),
  comments_update: async (connected, rows) => {
    const blocks = await tasks(connected, rows)
    const { items } = await connected.call('comments_add', {
      comments: blocks.map((blockId) => ({ blockId, content: 'c' })),
    })
    return { comments: items.map(({ commentId }: Answer) => ({ commentId, content: 'd', resolved: true })) }
  },
  reminders_add: async (connected, rows) => ({
    reminders: (await tasks(connected, rows)).map((blockId) => ({ blockId, remindAt: '2026-11-25T10:00:00Z' })),
  }),
  reminders_update: async (connected, rows) => ({
    remindersToUpdate: (await reminders(connected, rows)).map((id) => ({ id, isCompleted: true })),
  }),
  reminders_delete: async (connected, rows) => ({ idsToDelete: await reminders(connected, rows) }),
}

/** Tools that take a list and are not in the table above, with the reason. */
const FEW_ROWS: Readonly<Record<string, string>> = {
  batch: 'each step is a call of its own, of another tool',
  events_list: 'over MCP it is events/poll, which test/events/items.test.ts counts',
  proposals_approve: 'its steps are those of a batch',
}

test('tools that take lists are called with many rows, or there is a reason', () => {
  const takesList = (name: string): boolean => {
    const { properties = {} } = endpointNamed(toolCatalogFor(endpoints, 'full'), name).schema
    return Object.values(properties).some(({ type }) => type === 'array')
  }
  const inTables = [...Object.keys(BULK), ...Object.keys(FEW_ROWS)]
  const names = namesOf(endpoints, 'full')
  // Add a missing tool to BULK, with a call on this number of rows.
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
