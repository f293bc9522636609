/** The table in docs/conditions.md says what becomes of the second of two changes. It is walked here, tool by tool. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../tools/index.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'

const docs = readFileSync(join(import.meta.dirname, '../../docs/conditions.md'), 'utf8')
const [, section = ''] = docs.split('## When two read and both write')
const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| (.*?) ?\| (.*) \|$/gm)].map(
  ([, tool = '', condition = '', becomes = '']) => ({ tool, condition, becomes }),
)

test('every tool that writes has one row', () => {
  const writing = endpoints.filter(({ effect }) => effect !== 'read').map(({ name }) => name)
  expect(rows.map(({ tool }) => tool)).toEqual([...writing].sort())
})

const linkOf = async ({ space }: BuiltSpace, name: string) => ({
  ...(await space.createAccessLink('full', [], `Agent ${name}`)),
  connection: name,
})

/** Two connections to a space with one of each thing. */
async function things() {
  const to = await buildSpace()
  const one = await connect('full', { to, caller: { link: await linkOf(to, 'one') } })
  const other = await connect('full', { to, caller: { link: await linkOf(to, 'two') } })
  const { call } = one
  const markdown = 'First\n\nSecond\n\n- [ ] Dig'
  const documentId: string = (await call('documents_add', { documents: [{ title: 'Plan', markdown }] })).items[0].id
  const [line, , task] = (await call('blocks_get', { id: documentId, format: 'json' })).content
  const position = { position: 'end', pageId: documentId }
  const schema = { name: 'Cards', properties: [{ name: 'Owner', type: 'text' }] }
  const { collectionBlockId: collectionId } = await call('collections_add', { schema, position })
  const item: string = (await call('items_add', { collectionId, items: [{ title: 'Card' }] })).items[0].id
  const addView = async (name: string): Promise<string> =>
    (await call('views_add', { collectionId, view: { name, type: 'table' } })).id
  const views = [await addView('A'), await addView('B'), await addView('C')]
  const folders: string[] = (
    await call('folders_add', { folders: ['A', 'B', 'C'].map((name) => ({ name })) })
  ).items.map(({ id }: Answer) => id)
  const { whiteboardBlockId } = await call('whiteboards_add', { position })
  const element = { id: 'box', type: 'rectangle', x: 0, y: 0, width: 10, height: 10 }
  await call('elements_add', { whiteboardBlockId, elements: [element] })
  const remindAt = '2026-12-01T09:00:00Z'
  const reminder: string = (await call('reminders_add', { reminders: [{ blockId: line.id, remindAt }] })).items[0].id
  const comment: string = (await call('comments_add', { blockId: line.id, content: 'Why?' })).commentId
  return {
    ...{ one, other, documentId, line: line.id as string, task: task.id as string, collectionId, item, views, folders },
    ...{ whiteboardBlockId, element, reminder, comment },
  }
}

type Things = Awaited<ReturnType<typeof things>>

/** Two changes of the same, and what the note of the second one names. The first may be of another tool. */
interface Pair {
  first: readonly [name: string, args: object]
  second: object
  noted: string
}

const pair = (name: string, first: object, second: object, noted: string): Pair => ({
  first: [name, first],
  second,
  noted,
})

const PAIRS: Readonly<Record<string, (all: Things) => Pair>> = {
  blocks_update: ({ line }) => {
    const text = (markdown: string) => ({ blocks: [{ id: line, markdown }] })
    return pair('blocks_update', text('One'), text('Two'), `Replaced text of ${line}`)
  },
  blocks_move: ({ line, item, documentId }) =>
    pair(
      'blocks_move',
      { blockIds: [line], position: { position: 'end', pageId: item } },
      { blockIds: [line], position: { position: 'end', pageId: documentId } },
      `Replaced place of ${line}`,
    ),
  comments_update: ({ comment }) => {
    const to = (resolved: boolean) => ({ comments: [{ commentId: comment, resolved }] })
    return pair('comments_update', to(true), to(false), `Replaced resolved of comment ${comment}`)
  },
  documents_move: ({ documentId, folders }) => {
    const to = (folderId: string | undefined) => ({ documentIds: [documentId], destination: { folderId } })
    return pair('documents_move', to(folders[0]), to(folders[1]), `Replaced place of document ${documentId}`)
  },
  elements_update: ({ whiteboardBlockId, element }) => {
    const wide = (width: number) => ({ whiteboardBlockId, elements: [{ ...element, width }] })
    return pair('elements_update', wide(20), wide(30), `width of an element of whiteboard ${whiteboardBlockId}`)
  },
  folders_move: ({ folders: [a, b, c] }) => {
    const to = (parentFolderId: string | undefined) => ({ folderIds: [a], destination: { parentFolderId } })
    return pair('folders_move', to(b), to(c), `Replaced place of folder ${a}`)
  },
  folders_update: ({ folders: [id] }) => {
    const named = (name: string) => ({ folders: [{ id, name }] })
    return pair('folders_update', named('D'), named('E'), `Replaced name of folder ${id}`)
  },
  items_update: ({ collectionId, item }) => {
    const owner = (name: string) => ({ collectionId, itemsToUpdate: [{ id: item, properties: { owner: name } }] })
    return pair('items_update', owner('Ada'), owner('Grace'), `Replaced owner of ${item}`)
  },
  reminders_update: ({ reminder }) => {
    const at = (remindAt: string) => ({ remindersToUpdate: [{ id: reminder, remindAt }] })
    return pair(
      'reminders_update',
      at('2026-12-02T09:00Z'),
      at('2026-12-03T09:00Z'),
      `remindAt of reminder ${reminder}`,
    )
  },
  schema_update: ({ collectionId }) => {
    const named = (name: string) => ({
      collectionId,
      schema: { name: 'Cards', properties: [{ key: 'owner', name, type: 'text' }] },
    })
    return pair('schema_update', named('Who'), named('Holder'), `name of a property of collection ${collectionId}`)
  },
  tasks_update: ({ task }) => {
    const on = (scheduleDate: string) => ({ tasksToUpdate: [{ id: task, taskInfo: { scheduleDate } }] })
    return pair('tasks_update', on('2026-12-21'), on('2026-12-22'), `Replaced scheduleDate of ${task}`)
  },
  views_activate: ({ collectionId, views: [, b, c] }) =>
    pair(
      'views_activate',
      { collectionId, viewId: b },
      { collectionId, viewId: c },
      `Replaced active view of collection ${collectionId}`,
    ),
  views_update: ({ collectionId, views: [viewId] }) => {
    const named = (name: string) => ({ collectionId, viewId, view: { name, type: 'table' } })
    return pair('views_update', named('D'), named('E'), `Replaced name of view ${viewId}`)
  },
  blocks_delete: ({ line }) => ({
    first: ['blocks_update', { blocks: [{ id: line, markdown: 'One' }] }],
    second: { blockIds: [line] },
    noted: `Deleted ${line}, which "Agent one (tester)" changed`,
  }),
  elements_delete: ({ whiteboardBlockId, element }) => ({
    first: ['elements_update', { whiteboardBlockId, elements: [{ ...element, width: 20 }] }],
    second: { whiteboardBlockId, elementIds: ['box'] },
    noted: `Deleted an element of whiteboard ${whiteboardBlockId}`,
  }),
  items_delete: ({ collectionId, item }) => ({
    first: ['items_update', { collectionId, itemsToUpdate: [{ id: item, title: 'Renamed' }] }],
    second: { collectionId, idsToDelete: [item] },
    noted: `Deleted ${item}`,
  }),
  tasks_delete: ({ task }) => ({
    first: ['tasks_update', { tasksToUpdate: [{ id: task, markdown: 'Dig deep' }] }],
    second: { idsToDelete: [task] },
    noted: `Deleted ${task}`,
  }),
}

const noted = rows.filter(({ becomes }) => /\bnote/.test(becomes)).map(({ tool }) => tool)

test('the tools whose row has a note are those that are called below', () => {
  expect(noted).toEqual(Object.keys(PAIRS).sort())
})

test.each(noted)('the second change of %s has a note', async (name) => {
  const all = await things()
  const { first, second, noted } = PAIRS[name]?.(all) ?? { first: ['', {}], second: {}, noted: '' }
  await all.one.call(...first)
  expect(await notesOf(all.other, name, second)).toContain(noted)
})

/** The notes after the answer of a call. */
async function notesOf({ client }: Connected, name: string, args: object): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const texts = (content as { text: string }[]).map(({ text }) => text)
  if (isError) throw new Error(texts.join('\n'))
  return texts.slice(1).join(' ')
}

const CONDITIONAL = rows.filter(({ condition }) => condition.includes('`expected`')).map(({ tool }) => tool)

test.each(CONDITIONAL)('%s takes a condition', async (name) => {
  const all = await things()
  const { second } = PAIRS[name]?.(all) ?? { second: {} }
  expect(await all.one.refused(name, withCondition(name, second))).toMatch(
    /Expected .*(field that the change could|unknown)|expected\.markdown/,
  )
})

/** The call with a condition on a field that there is not. */
function withCondition(name: string, args: object): object {
  const expected = { noSuchField: 1 }
  const entries = Object.entries(args).find(
    ([key, value]) => Array.isArray(value) && key !== 'documentIds' && typeof value[0] === 'object',
  )
  if (name === 'blocks_update') return { blocks: [{ ...(args as { blocks: object[] }).blocks[0], expected }] }
  if (entries === undefined) return { ...args, expected }
  const [key, list] = entries as [string, object[]]
  return { ...args, [key]: list.map((entry) => ({ ...entry, expected })) }
}
