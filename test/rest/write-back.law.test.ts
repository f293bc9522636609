/** What was read over REST can be written back: PUT changes nothing, and POST without IDs creates the same. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { MADE, MADE_ASSETS } from '../made-board.ts'
import { runs } from '../support/runs.ts'
import { type Asker, askerOf, documentBy } from './rest-asker.ts'

/** Identifiers, and fields about creation time and author: a copy has its own. */
const OWN_FIELDS = new Set([
  ...['id', 'rootBlockId', 'clickableLink', 'webLink', 'revision', 'blockIds', 'activeViewId', 'isActive'],
  ...['createdAt', 'lastModifiedAt', 'completedAt', 'canceledAt', 'createdBy', 'lastModifiedBy'],
])
/** Removes the IDs, to send a copy of something that was read. */
const withoutIds = (value: unknown): unknown => without(value, new Set(['id', 'rootBlockId']))
const sameThing = (value: unknown): unknown => without(value, OWN_FIELDS)

function without(value: unknown, keys: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, keys))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !keys.has(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, without(inner, keys)]))
}

const blocksIn = (block: Answer): Answer[] => [block, ...(block.content ?? []).flatMap(blocksIn)]

/** Sends a request that must succeed. */
const sendTo =
  ({ ask }: Asker) =>
  async (line: string, body?: object): Promise<Answer> => {
    const { status, json, text } = await ask(line, body)
    expect([line, status, text.slice(0, 500)]).toEqual([line, 200, expect.anything()])
    return json
  }

const word = fc.constantFrom('one', '**two**', '`three`', '==four==', '[five](https://example.org)', '$x^2$', '1. six')
const line = fc.oneof(
  word,
  fc
    .tuple(fc.constantFrom('# ', '## ', '- ', '1. ', '+ ', '- [ ] ', '- [x] ', '- [-] ', '> ', '  - '), word)
    .map((two) => two.join('')),
  fc.constantFrom(
    ...['---', '***', '<callout>call</callout>', '<caption>cap</caption>', '```js\nlet x\n```', '$$y$$'],
    ...['| a | b |\n| - | - |\n| 1 | 2 |', '![alt](https://example.org/a.png)', '[file](https://example.org/a.pdf)'],
  ),
)
const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n\n'))
const page = fc
  .tuple(fc.constantFrom('page', 'card'), word, text)
  .map(([tag, title, content]) => `<${tag}><pageTitle>${title}</pageTitle><content>\n${content}\n</content></${tag}>`)
const nested = fc
  .tuple(text, page)
  .map((two) => `<page><pageTitle>Outer</pageTitle><content>\n${two.join('\n\n')}\n</content></page>`)
const markdown = fc
  .array(fc.oneof(text, page, nested), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('\n\n'))

test('blocks, read to any depth', async () => {
  const query = fc.record({ depth: fc.integer({ min: -1, max: 3 }), metadata: fc.boolean(), short: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(markdown, query, async (markdown, { depth, metadata, short }) => {
      const asker = await askerOf()
      const send = sendTo(asker)
      const id = await documentBy(asker, markdown)
      const read = `GET /blocks?id=${id}&maxDepth=${depth}&fetchMetadata=${metadata}${short ? '&ids=short' : ''}`
      const before = await send(read)
      const all = blocksIn(before)
      asker.clock.now += 60_000
      const { items } = await send('PUT /blocks', { blocks: all })
      expect(items).toHaveLength(all.length)
      for (const block of all) await send('PUT /blocks', { blocks: [block] })
      expect(await send(read)).toEqual(before)
      if (JSON.stringify(before).includes('contentPreviewMd')) return
      const copy = await documentBy(asker)
      if (all.length > 1) {
        await send('POST /blocks', { blocks: withoutIds(before.content), position: { position: 'end', pageId: copy } })
      }
      expect(sameThing((await send(read.replace(id, copy))).content)).toEqual(sameThing(before.content))
    }),
    { numRuns: runs(7, 300) },
  )
})

describe('of one space', () => {
  const build = async (kind: 'full' | 'daily' = 'full') => {
    const asker = await askerOf()
    return kind === 'full' ? asker : askerOf({ kind, to: asker })
  }

  test('documents and folders', async () => {
    const asker = await build()
    const send = sendTo(asker)
    const [outer] = (await send('POST /folders', { folders: [{ name: 'Outer' }] })).items
    await send('POST /folders', { folders: ['A', 'B'].map((name) => ({ name, parentFolderId: outer.id })) })
    await send('POST /documents', { documents: [{ title: 'In a folder' }], destination: { folderId: outer.id } })
    await send('POST /documents', { documents: [{ title: 'T' }], destination: { destination: 'templates' } })
    await documentBy(asker, 'words', 'Unsorted')
    const { items } = await send('GET /documents?fetchMetadata=true')
    const folders = (await send('GET /folders')).items
    asker.clock.now += 60_000
    for (const { id, location, folderId } of items) {
      const destination = folderId === undefined ? { destination: location } : { folderId }
      await send('PUT /documents/move', { documentIds: [id], destination })
    }
    await send('PUT /folders/move', { folderIds: [outer.id], destination: { destination: 'root' } })
    expect([(await send('GET /documents?fetchMetadata=true')).items, (await send('GET /folders')).items]).toEqual([
      items,
      folders,
    ])

    for (const document of items) {
      const [{ id }] = (await send('POST /documents', { documents: [withoutIds(document)] })).items
      const [copy] = (await send(`GET /documents?fetchMetadata=true&documentIds=${id}`)).items
      expect(sameThing(copy)).toEqual(sameThing(document))
    }
    const own = folders.slice(3)
    await send('POST /folders', { folders: withoutIds(own) })
    const copies = (await send('GET /folders')).items.slice(3 + own.length)
    const names = ({ name, folders }: Answer): unknown => [name, folders.map(names)]
    expect(copies.map(names)).toEqual(own.map(names))
  })

  test('items, with their content, and views', async () => {
    const asker = await build()
    const send = sendTo(asker)
    const pageId = await documentBy(asker)
    const properties = [
      ...['text', 'number', 'boolean', 'date', 'url', 'email', 'phone'].map((type) => ({ name: type, type })),
      { name: 'one', type: 'singleSelect', options: [{ name: 'a' }, { name: 'b' }] },
      { name: 'many', type: 'multiSelect', options: [{ name: 'a' }, { name: 'b' }] },
      { name: 'link', type: 'blockLink' },
    ]
    const schema = { name: 'All', properties, contentPropDetails: { name: 'Name' } }
    const made = await send('POST /collections', { schema, position: { position: 'end', pageId } })
    const path = `/collections/${made.collectionBlockId}`
    const values = {
      ...{
        text: 'words',
        number: 1.5,
        boolean: true,
        date: '2026-11-20',
        url: 'https://example.org',
        email: 'a@b.org',
      },
      ...{ phone: '+36 1 234', one: 'a', many: ['b', 'a'], link: { blockId: pageId } },
    }
    const content = 'inside\n\n- [x] done\n\n<page><pageTitle>Page</pageTitle><content>deep</content></page>'
    await send(`POST ${path}/items`, {
      items: [{ title: 'Full', properties: values, markdown: content }, { title: 'Bare' }],
    })
    for (const view of [
      {
        name: 'Table',
        type: 'table',
        filters: [{ property: 'one', filterType: 'select_isAnyOf', filterValue: ['a'] }],
      },
      { name: 'Board', type: 'kanban', groupBy: [{ property: 'one' }], kanban: { columnOrder: ['b', 'a'] } },
      { name: 'Cards', type: 'gallery', gallery: { visibleFields: ['text'] }, fields: { hidden: ['number'] } },
    ]) {
      await send(`POST ${path}/views`, { view })
    }
    const { views } = await send(`GET ${path}/views`)
    asker.clock.now += 60_000
    for (const maxDepth of [-1, 0, 1]) {
      const { items } = await send(`GET ${path}/items?maxDepth=${maxDepth}`)
      await send(`PUT ${path}/items`, { itemsToUpdate: items })
      expect((await send(`GET ${path}/items?maxDepth=${maxDepth}`)).items).toEqual(items)
      if (maxDepth >= 0) continue
      await send(`POST ${path}/items`, { items: withoutIds(items) })
      const copies = (await send(`GET ${path}/items`)).items.slice(items.length)
      expect(sameThing(copies)).toEqual(sameThing(items))
      await send(`DELETE ${path}/items`, { idsToDelete: copies.map(({ id }: Answer) => id) })
    }
    for (const view of views) {
      expect(await send(`PUT ${path}/views/${view.id}`, { view })).toEqual(view)
      expect(sameThing(await send(`POST ${path}/views`, { view: withoutIds(view) }))).toEqual(sameThing(view))
    }
    expect((await send(`GET ${path}/views`)).views.slice(0, views.length)).toEqual(views)
  })

  test.each(['full', 'daily'] as const)('tasks and reminders, on a %s connection', async (kind) => {
    const asker = await build(kind)
    const send = sendTo(asker)
    const repeat = { type: 'fixed', frequency: 'weekly', weekly: { days: ['monday'] } }
    const tasks = [
      { markdown: 'inbox', taskInfo: { scheduleDate: 'today', deadlineDate: '2026-12-01' }, repeat },
      { markdown: '**daily**', location: { type: 'dailyNote' } },
      { markdown: 'done', taskInfo: { state: 'done' } },
      { markdown: '- [-] canceled' },
    ]
    await send('POST /tasks', { tasks })
    if (kind === 'full') {
      const documentId = await documentBy(asker)
      await send('POST /tasks', {
        tasks: ['todo', 'done'].map((state) => ({
          ...{ markdown: state, taskInfo: { state }, location: { type: 'document', documentId } },
        })),
      })
    }
    const scopes = kind === 'full' ? ['all'] : ['active', 'upcoming', 'inbox', 'logbook']
    const listed: Answer[] = []
    for (const scope of scopes) listed.push(...(await send(`GET /tasks?scope=${scope}`)).items)
    const unique = [...new Map(listed.map((task) => [task.id, task])).values()]
    const [first, second] = unique
    await send('POST /reminders', {
      reminders: [{ blockId: first?.id, remindAt: '2026-11-20T09:00:30Z' }, { blockId: second?.id }],
    })
    const shown = async () => [
      ...(await Promise.all(
        [
          ...scopes.map((scope) => `/tasks?scope=${scope}`),
          '/reminders?status=all',
          '/blocks?date=today&fetchMetadata=true',
        ].map((path) => send(`GET ${path}`)),
      )),
    ]
    const before = await shown()
    const reminders = (await send('GET /reminders?status=all')).items
    asker.clock.now += 60_000
    expect((await send('PUT /tasks', { tasksToUpdate: unique })).items).toEqual(unique)
    expect((await send('PUT /reminders', { remindersToUpdate: reminders })).items).toEqual(reminders)
    expect(await shown()).toEqual(before)

    const copies = (await send('POST /tasks', { tasks: withoutIds(unique) })).items
    expect(sameThing(copies)).toEqual(sameThing(unique))
    const [, later] = reminders
    expect(sameThing((await send('POST /reminders', { reminders: [withoutIds(later)] })).items)).toEqual([
      sameThing(later),
    ])
  })

  test('whiteboards', async () => {
    const asker = await build()
    const send = sendTo(asker)
    const pageId = await documentBy(asker)
    const board = async () =>
      `/whiteboards/${(await send('POST /whiteboards', { position: { position: 'end', pageId } })).whiteboardBlockId}/elements`
    const path = await board()
    await send(`POST ${path}`, { elements: MADE, assets: MADE_ASSETS, appState: { viewBackgroundColor: '#ffffff' } })
    const before = await send(`GET ${path}`)
    await send(`PUT ${path}`, before)
    expect(await send(`GET ${path}`)).toEqual(before)
    const copy = await board()
    await send(`POST ${copy}`, before)
    expect(await send(`GET ${copy}`)).toEqual(before)
  })
})
