import { describe, expect, test } from 'vitest'
import { type Connected, connect } from '../../connect.ts'

const titles = (items: { title: string }[]) => items.map(({ title }) => title)

async function withDocuments(...names: string[]): Promise<{ connected: Connected; ids: string[] }> {
  const connected = await connect()
  const { items } = await connected.call('documents_add', { documents: names.map((title) => ({ title })) })
  return { connected, ids: items.map(({ id }: { id: string }) => id) }
}

describe('documents_add', () => {
  test('returns IDs, titles and links', async () => {
    const { call, space } = await connect()
    const { items } = await call('documents_add', { documents: [{ title: 'Plan' }] })
    const [{ id }] = items
    const clickableLink = `scriptorium://open?spaceId=${space.info.id}&documentId=${id}`
    expect(items).toEqual([{ id, rootBlockId: id, title: 'Plan', clickableLink }])
  })

  test('returns only IDs if requested', async () => {
    const { call } = await connect()
    const { items } = await call('documents_add', { documents: [{ title: 'Plan' }, { title: 'Other' }], answer: 'ids' })
    const listed = await call('documents_list')
    expect(items).toEqual(listed.items.map(({ id }: { id: string }) => ({ id })))
  })

  test('parses Markdown into blocks', async () => {
    const { call } = await connect()
    const { items } = await call('documents_add', {
      documents: [{ title: 'Plan', markdown: '# One\n\nTwo\n\n- three' }],
    })
    const { content } = await call('blocks_get', { id: items[0].id })
    expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual(['# One', 'Two', '- three'])
  })

  test('stores a title as written, including Markdown marks', async () => {
    const { call } = await connect()
    const title = 'C++ *notes* & <b> `x` [a](b) #1'
    const { items } = await call('documents_add', { documents: [{ title }] })
    expect(items[0].title).toBe(title)
    expect((await call('documents_list')).items[0].title).toBe(title)
    expect((await call('blocks_get', { id: items[0].id })).markdown).toBe(title)
  })

  test('copies a template, with links between its blocks leading to the copies', async () => {
    const { call } = await connect()
    const made = await call('documents_add', {
      documents: [{ title: 'Weekly' }],
      destination: { destination: 'templates' },
    })
    const templateId = made.items[0].id
    const position = { position: 'end', pageId: templateId }
    const [first] = (await call('blocks_add', { markdown: '## Goals', position })).items
    await call('blocks_add', { markdown: `See [goals](block://${first.id})`, position })
    const { items } = await call('documents_add', {
      documents: [{ title: 'Week 47', templateId, markdown: 'Own words' }],
    })
    const { content } = await call('blocks_get', { id: items[0].id })
    expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual([
      '## Goals',
      `See [goals](block://${content[0].id})`,
      'Own words',
    ])
    expect(content[0].id).not.toBe(first.id)
  })

  test('adds them to the destination', async () => {
    const { call } = await connect()
    const folder = (await call('folders_add', { folders: [{ name: 'Work' }] })).items[0]
    await call('documents_add', { documents: [{ title: 'A' }], destination: { folderId: folder.id } })
    await call('documents_add', { documents: [{ title: 'B' }], destination: { destination: 'templates' } })
    await call('documents_add', { documents: [{ title: 'C' }] })
    expect(titles((await call('documents_list', { folderId: folder.id })).items)).toEqual(['A'])
    expect(titles((await call('documents_list', { location: 'templates' })).items)).toEqual(['B'])
    expect(titles((await call('documents_list', { location: 'unsorted' })).items)).toEqual(['C'])
  })

  test.each([
    [
      { documents: [{ title: 'A' }], destination: { destination: 'trash' } },
      'At destination: Expected { destination: "unsorted" or "templates" } or { folderId }, found the trash; put documents there with documents_delete.',
    ],
    [
      { documents: [{ title: 'A' }], destination: { destination: 'daily_notes' } },
      'At destination: Expected { destination: "unsorted" or "templates" } or { folderId }, found daily_notes; give one of them.',
    ],
    [
      { documents: [{ title: 'A' }], destination: {} },
      'At destination: Expected { destination: "unsorted" or "templates" } or { folderId }, found neither; give one of them.',
    ],
    [
      { documents: [{ title: 'A' }], destination: { folderId: 'nowhere' } },
      'Expected the ID of a folder, found nowhere; read IDs with folders_list and name one of those.',
    ],
    [{ documents: [{ title: '' }] }, 'At documents[0].title: Expected at least 1 character, found 0.'],
    [{ documents: [] }, 'At documents: Expected at least 1 entry, found 0.'],
    [
      { documents: [{ titel: 'A' }] },
      'At documents[0].title: Expected a string, found none; give it. (1 more in details)',
    ],
  ])('rejects %j', async (args, message) => {
    const { call, refused } = await connect()
    expect(await refused('documents_add', args)).toBe(message)
    expect((await call('documents_list')).items).toEqual([])
  })

  test('rejects a template that is an ordinary document', async () => {
    const { connected, ids } = await withDocuments('A')
    const args = { documents: [{ title: 'B', templateId: ids[0] }] }
    expect(await connected.refused('documents_add', args)).toBe(
      `Expected the ID of a template as templateId, found ${ids[0]}, a document in another place; list templates with documents_list and location templates.`,
    )
  })
})

describe('documents_list', () => {
  test('lists everything in order of creation, including the trash', async () => {
    const { connected, ids } = await withDocuments('A', 'B', 'C')
    await connected.call('documents_delete', { documentIds: [ids[1]] })
    const { items } = await connected.call('documents_list')
    expect(items.map(({ title, isDeleted, location }: never) => [title, isDeleted, location])).toEqual([
      ['A', false, 'unsorted'],
      ['B', true, 'trash'],
      ['C', false, 'unsorted'],
    ])
    expect(titles((await connected.call('documents_list', { location: 'trash' })).items)).toEqual(['B'])
  })

  test('includes subfolders', async () => {
    const { call } = await connect()
    const outer = (await call('folders_add', { folders: [{ name: 'Outer' }] })).items[0].id
    const inner = (await call('folders_add', { folders: [{ name: 'Inner', parentFolderId: outer }] })).items[0].id
    await call('documents_add', { documents: [{ title: 'A' }], destination: { folderId: inner } })
    const { items } = await call('documents_list', { folderId: outer })
    expect(items).toMatchObject([{ title: 'A', folderId: inner }])
    expect(items[0].location).toBeUndefined()
  })

  test('shows metadata if requested', async () => {
    const { connected, ids } = await withDocuments('A')
    connected.clock.now += 5000
    await connected.call('blocks_add', { markdown: 'x', position: { position: 'end', pageId: ids[0] } })
    const { items } = await connected.call('documents_list', { fetchMetadata: true })
    expect(items[0]).toMatchObject({
      createdAt: '2026-11-20T09:00:00.000Z',
      lastModifiedAt: '2026-11-20T09:00:05.000Z',
      clickableLink: `scriptorium://open?spaceId=${connected.space.info.id}&documentId=${ids[0]}`,
    })
  })

  test('bounds are inclusive days in the time zone of the space', async () => {
    const { call, clock } = await connect()
    // Half past midnight on the 21st in Budapest is still the 20th in UTC.
    clock.now = Date.parse('2026-11-20T23:30:00Z')
    await call('documents_add', { documents: [{ title: 'A' }] })
    const found = async (bounds: object) => (await call('documents_list', bounds)).items.length
    expect(await found({ createdDateGte: '2026-11-21', createdDateLte: '2026-11-21' })).toBe(1)
    expect(await found({ createdDateLte: '2026-11-20' })).toBe(0)
    expect(await found({ lastModifiedDateGte: 'today', lastModifiedDateLte: 'today' })).toBe(1)
    expect(await found({ lastModifiedDateGte: 'tomorrow' })).toBe(0)
    expect(await found({ createdDateLte: 'yesterday' })).toBe(0)
  })

  test('finds daily notes by their days', async () => {
    const { call } = await connect()
    for (const date of ['2026-11-18', '2026-11-19', 'today']) {
      await call('blocks_add', { markdown: 'x', position: { position: 'end', date } })
    }
    await call('documents_add', { documents: [{ title: 'A' }] })
    const days = async (args: object) =>
      (await call('documents_list', args)).items.map(({ dailyNoteDate }: { dailyNoteDate: string }) => dailyNoteDate)
    expect(await days({ location: 'daily_notes' })).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
    expect(await days({ dailyNoteDateGte: '2026-11-19' })).toEqual(['2026-11-19', '2026-11-20'])
    expect(await days({ dailyNoteDateLte: 'yesterday' })).toEqual(['2026-11-18', '2026-11-19'])
  })

  test.each(['day', 'modified'])('sorts by %s, the latest first, also in parts', async (orderBy) => {
    const connected = await connect()
    for (const date of ['2026-11-19', '2026-11-21', '2026-11-18', '2026-11-20']) {
      connected.clock.now += 1_000
      await connected.call('blocks_add', { markdown: 'x', position: { position: 'end', date } })
    }
    const all = { orderBy, location: 'daily_notes' }
    const days = (items: { dailyNoteDate: string }[]) =>
      items.map(({ dailyNoteDate }) => Number(dailyNoteDate.slice(-2)))
    const expected = orderBy === 'day' ? [21, 20, 19, 18] : [20, 18, 21, 19]
    expect(days((await connected.call('documents_list', all)).items)).toEqual(expected)
    const first = await connected.call('documents_list', { ...all, limit: 3 })
    expect(first.pagination.remaining).toBe(1)
    const rest = await connected.call('documents_list', { ...all, limit: 3, cursor: first.pagination.cursor })
    expect(days([...first.items, ...rest.items])).toEqual(expected)
  })

  test('by day excludes other documents', async () => {
    const { connected } = await withDocuments('A')
    await connected.call('blocks_add', { markdown: 'x', position: { position: 'end', date: 'today' } })
    const { items } = await connected.call('documents_list', { orderBy: 'day' })
    expect(items).toMatchObject([{ dailyNoteDate: '2026-11-20' }])
  })

  test('comes in parts that say how much is left, without repetitions or omissions', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Document ${index}`)
    const { connected } = await withDocuments(...names)
    const first = await connected.call('documents_list', { limit: 3 })
    expect(first.pagination).toEqual({
      cursor: first.pagination.cursor,
      remaining: 4,
      message: '4 documents are left: repeat the call with this cursor.',
    })
    const found = [...first.items]
    for (let { pagination } = first; pagination; ) {
      const next = await connected.call('documents_list', { limit: 3, cursor: pagination.cursor })
      found.push(...next.items)
      pagination = next.pagination
    }
    expect(titles(found)).toEqual(names)
  })

  test('rejects invalid combinations, and cursors of another request', async () => {
    const { connected, ids } = await withDocuments('A', 'B')
    const exclusive =
      'Expected one of location, folderId and documentIds, found several; they cannot be combined, give one.'
    expect(await connected.refused('documents_list', { location: 'trash', folderId: 'x' })).toBe(exclusive)
    expect(await connected.refused('documents_list', { location: 'trash', documentIds: ids })).toBe(exclusive)
    expect(await connected.refused('documents_list', { folderId: 'x', documentIds: ids })).toBe(exclusive)
    const { pagination } = await connected.call('documents_list', { limit: 1 })
    expect(
      await connected.refused('documents_list', { location: 'unsorted', limit: 1, cursor: pagination.cursor }),
    ).toBe('Expected the cursor of an earlier answer to the same call, found another; call again without cursor.')
  })
})

describe('documents_delete and documents_move', () => {
  test('a deleted document keeps its content and its IDs, is read by ID, and can be restored', async () => {
    const { connected, ids } = await withDocuments('A')
    const { call } = connected
    await call('blocks_add', { markdown: 'kept', position: { position: 'end', pageId: ids[0] } })
    const before = await call('blocks_get', { id: ids[0] })
    expect(await call('documents_delete', { documentIds: ids })).toEqual({ items: ids })
    expect(await call('blocks_get', { id: ids[0] })).toEqual(before)
    const destination = { destination: 'unsorted' }
    expect(await call('documents_move', { documentIds: ids, destination })).toEqual({
      items: [{ id: ids[0], destination }],
    })
    expect(await call('blocks_get', { id: ids[0] })).toEqual(before)
    expect((await call('documents_list')).items).toMatchObject([{ title: 'A', isDeleted: false, location: 'unsorted' }])
  })

  test('daily notes cannot be moved, but can be deleted', async () => {
    const { call, refused } = await connect()
    await call('blocks_add', { markdown: 'x', position: { position: 'end', date: 'today' } })
    const [{ id }] = (await call('documents_list')).items
    const args = { documentIds: [id], destination: { destination: 'unsorted' } }
    expect(await refused('documents_move', args)).toBe(
      `Expected documents that can be moved, found ${id}, the daily note of 2026-11-20; daily notes stay where they are, move their blocks with blocks_move.`,
    )
    await call('documents_delete', { documentIds: [id] })
    expect(await refused('blocks_get', { date: 'today' })).toMatch(/^Expected a daily note of 2026-11-20, found none/)
    await call('documents_move', args)
    expect((await call('documents_list')).items).toMatchObject([
      { location: 'daily_notes', title: 'Friday, November 20, 2026' },
    ])
  })

  test('one unknown ID fails the whole call', async () => {
    const { connected, ids } = await withDocuments('A')
    const message =
      'Expected the ID of a document within reach, found nowhere; that is no ID, so find it by its words with documents_search.'
    expect(await connected.refused('documents_delete', { documentIds: [ids[0], 'nowhere'] })).toBe(message)
    expect((await connected.call('documents_list')).items).toMatchObject([{ isDeleted: false }])
  })

  test('a block inside a document is not a document', async () => {
    const { connected, ids } = await withDocuments('A')
    const { items } = await connected.call('blocks_add', {
      markdown: 'x',
      position: { position: 'end', pageId: ids[0] },
    })
    expect(await connected.refused('documents_delete', { documentIds: [items[0].id] })).toMatch(
      /^Expected the ID of a document within reach/,
    )
  })
})

describe('selected documents', () => {
  test('lists those that were selected; of one in the trash nothing but that it is there', async () => {
    const { connected, ids } = await withDocuments('A', 'B', 'C')
    await connected.call('blocks_add', { markdown: 'secret', position: { position: 'end', pageId: ids[1] } })
    await connected.call('documents_delete', { documentIds: [ids[1]] })
    const selected = await connect('selected', { to: connected, documents: ids.slice(0, 2) })
    expect((await selected.call('documents_list')).items).toEqual([
      { id: ids[0], rootBlockId: ids[0], title: 'A', isDeleted: false },
      { id: ids[1], rootBlockId: ids[1], title: '[Deleted Document]', isDeleted: true },
    ])
    expect(await selected.refused('blocks_get', { id: ids[1] })).toBe(
      `Expected the ID of a block within reach, found ${ids[1]}; read IDs with blocks_get and name one of those.`,
    )
  })
})
