import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'
import { boardOf, DRAWINGS, type Drawn, drawing } from '../../drawings.ts'
import { askerOf, documentBy } from '../../rest/rest-asker.ts'

const box = (id: string, more: object = {}) => ({ id, type: 'rectangle', x: 0, y: 0, width: 10, height: 10, ...more })
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => box(`e${from + index}`))

async function withBoard(elements: object[] = []) {
  const connected = await connect()
  const board = await boardOf(connected, elements)
  const { whiteboardBlockId } = board
  const on = (name: string, args: object = {}): Promise<Answer> => connected.call(name, { whiteboardBlockId, ...args })
  const refused = (name: string, args: object) => connected.refused(name, { whiteboardBlockId, ...args })
  const list = async (): Promise<Answer[]> => (await on('elements_list')).elements
  return { ...connected, ...board, connected, on, refused, list }
}

describe('real drawings', () => {
  test.each(DRAWINGS)('$name is read as it was written', async ({ elements }) => {
    const { on } = await withBoard()
    const appState = { viewBackgroundColor: '#fff', gridSize: null }
    const assets = { a1: { mimeType: 'image/png', id: 'a1', dataURL: 'data:image/png;base64,AA==', created: 1 } }
    const whole = { elements, assets, appState }
    expect(await on('elements_add', whole)).toEqual(whole)
    expect(await on('elements_list')).toEqual(whole)
  })
})

describe('whiteboards', () => {
  test('are blocks at a position, empty at first', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, 'a\n\nb')
    const [first] = await contentOf(connected, pageId)
    const { whiteboardBlockId } = await connected.call('whiteboards_add', {
      position: { position: 'after', siblingId: first.id },
    })
    expect((await contentOf(connected, pageId)).map(({ id, type }) => [id, type])).toMatchObject([
      [first.id, 'text'],
      [whiteboardBlockId, 'whiteboard'],
      [expect.anything(), 'text'],
    ])
    expect(await connected.call('elements_list', { whiteboardBlockId })).toEqual({ elements: [] })
  })

  test('in a daily note say where they went', async () => {
    const { call } = await connect('daily')
    expect(await call('whiteboards_add', { position: { position: 'end' } })).toEqual({
      whiteboardBlockId: expect.any(String),
      documentId: expect.any(String),
      dailyNoteDate: '2026-11-20',
    })
  })

  test('created by blocks_add are boards too', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected)
    const blocks = [{ type: 'whiteboard', url: 'https://example.org/board' }]
    const added = await connected.call('blocks_add', { blocks, position: { position: 'end', pageId } })
    const [{ id: whiteboardBlockId }] = added.items
    await connected.call('elements_add', { whiteboardBlockId, elements: [box('a')] })
    expect((await connected.call('elements_list', { whiteboardBlockId })).elements).toEqual([box('a')])
  })

  test('are deleted with their blocks, and copied with their template', async () => {
    const connected = await connect()
    const { pageId, whiteboardBlockId } = await boardOf(connected, [box('b'), box('a')], { assets: { f: { id: 'f' } } })
    await connected.call('documents_move', { documentIds: [pageId], destination: { destination: 'templates' } })
    const { items } = await connected.call('documents_add', { documents: [{ title: 'Copy', templateId: pageId }] })
    const [copy] = await contentOf(connected, items[0].id)
    expect(copy.id).not.toBe(whiteboardBlockId)
    await connected.call('blocks_delete', { blockIds: [whiteboardBlockId] })
    expect(await connected.call('elements_list', { whiteboardBlockId: copy.id })).toEqual({
      ...{ elements: [box('b'), box('a')], assets: { f: { id: 'f' } } },
    })
    expect(await connected.refused('elements_list', { whiteboardBlockId })).toBe(
      `Expected the ID of a whiteboard within reach, found ${whiteboardBlockId}; read IDs with blocks_get and name one of those.`,
    )
  })

  test('change their document when their elements change', async () => {
    const { call, clock, on, pageId } = await withBoard([box('a')])
    const revision = async () => (await call('blocks_get', { id: pageId, fetchMetadata: true })) as Answer
    const changes: [string, object][] = [
      ['elements_add', { elements: [box('b')] }],
      ['elements_update', { elements: [{ id: 'a', x: 1 }] }],
      ['elements_delete', { elementIds: ['a'] }],
    ]
    for (const [name, args] of changes) {
      const before = await revision()
      clock.now += 60_000
      await on(name, args)
      const after = await revision()
      expect(Number(after.revision)).toBe(Number(before.revision) + 1)
      expect(after.content[0].metadata.lastModifiedAt).toBe(new Date(clock.now).toISOString())
    }
    const before = await revision()
    await on('elements_delete', { elementIds: ['a'] })
    expect((await revision()).revision).toBe(before.revision)
  })
})

describe('elements', () => {
  test('keep every key, including nulls and numbers, in order', async () => {
    const odd = {
      id: 'Ab-_0',
      type: 'embeddable',
      link: null,
      x: 1.5e-7,
      y: 0,
      deep: [[{ a: [null, ''] }]],
      constructor: 1,
    }
    const { on, list } = await withBoard([box('z')])
    await on('elements_add', { elements: [odd, box('ab-_0')] })
    expect(await list()).toEqual([box('z'), odd, box('ab-_0')])
  })

  test('may have types as people call them, but no unknown ones', async () => {
    const { on, refused, list } = await withBoard()
    await on('elements_add', { elements: [box('a', { type: 'Circle' }), box('b', { type: 'box' })] })
    expect((await list()).map(({ type }: { type: string }) => type)).toEqual(['ellipse', 'rectangle'])
    const message =
      'Expected one of rectangle, ellipse, diamond, arrow, line, text, freedraw, image, frame, magicframe, embeddable, iframe, found "triangle".'
    expect(await refused('elements_add', { elements: [box('c', { type: 'triangle' })] })).toBe(
      `At elements[0].type: ${message}`,
    )
    expect(await refused('elements_update', { elements: [{ id: 'a', type: 'triangle' }] })).toBe(message)
  })

  test('may be short forms: labels, and arrows that name what they connect', async () => {
    const { on, list } = await withBoard([box('old')])
    const elements = [
      { id: 'new', type: 'ellipse', x: 200, label: { text: 'New' } },
      { id: 'to', type: 'arrow', start: { id: 'old' }, end: { id: 'new' }, label: { text: 'becomes' } },
    ]
    const { elements: written } = await on('elements_add', { elements, answer: 'changed' })
    expect(written.map(({ id }: { id: string }) => id)).toEqual(['new', 'to', 'new-label', 'to-label', 'old'])
    const [old] = await list()
    expect(old).toMatchObject({ boundElements: [{ type: 'arrow', id: 'to' }], version: 2 })
  })

  test('can get another label by an update', async () => {
    const { on, refused, list } = await withBoard()
    await on('elements_add', { elements: [{ id: 'a', type: 'rectangle', width: 100, label: { text: 'A' } }, box('b')] })
    const update = [
      { id: 'a', label: { text: 'A much longer name' } },
      { id: 'b', label: { text: 'B' }, strokeColor: '#c2255c' },
    ]
    await on('elements_update', { elements: update })
    const [a, b, text, added] = await list()
    expect(text).toMatchObject({ id: 'a-label', text: 'A much\nlonger\nname', containerId: 'a', version: 2 })
    expect(added).toMatchObject({ id: 'b-label', text: 'B', containerId: 'b', strokeColor: '#c2255c' })
    for (const element of [a, b]) expect(element).not.toHaveProperty('label')
    expect(b.boundElements).toEqual([{ type: 'text', id: 'b-label' }])
    expect(await refused('elements_update', { elements: [{ id: 'a', start: { id: 'b' } }] })).toBe(
      'Expected `start` of a only when it is added, found it in an update; delete a with elements_delete, and add it again with elements_add and `start`. Nothing was written.',
    )
  })

  test('are accepted as the JSON text of a list', async () => {
    const { on, list } = await withBoard()
    await on('elements_add', { elements: JSON.stringify([box('a', { link: null })]) })
    expect(await list()).toEqual([box('a', { link: null })])
  })

  test('change only in the given keys, and increment their version', async () => {
    const { on, list } = await withBoard([box('a', { version: 7, link: 'x' }), box('b'), box('c', { version: 'odd' })])
    const elements = [
      { id: 'c', strokeColor: '#fff' },
      { id: 'a', x: 5, link: null },
    ]
    expect(await on('elements_update', { elements, answer: 'changed' })).toEqual({
      elements: [box('c', { strokeColor: '#fff', version: 2 }), box('a', { x: 5, link: null, version: 8 })],
    })
    const { elements: all } = await on('elements_update', { elements: [{ id: 'b', version: 40 }] })
    expect(all).toEqual([
      box('a', { x: 5, link: null, version: 8 }),
      box('b', { version: 40 }),
      box('c', { strokeColor: '#fff', version: 2 }),
    ])
    expect(await list()).toEqual(all)
  })

  test('are deleted with a count; missing ones are skipped', async () => {
    const { on, list } = await withBoard([box('a'), box('b'), box('c')])
    const elementIds = ['c', 'no such', 'a', 'a']
    expect(await on('elements_delete', { elementIds })).toEqual({ deletedCount: 2, remainingCount: 1 })
    expect(await on('elements_delete', { elementIds })).toEqual({ deletedCount: 0, remainingCount: 1 })
    expect(await list()).toEqual([box('b')])
  })

  test('are deleted with their assets if no other shows them', async () => {
    const picture = (id: string, fileId: string) => ({ id, type: 'image', fileId })
    const { on } = await withBoard([picture('a', 'f'), picture('b', 'f'), picture('c', 'g')])
    await on('elements_add', { elements: [], assets: { f: { id: 'f' }, g: { id: 'g' }, h: { id: 'h' } } })
    await on('elements_delete', { elementIds: ['a', 'c'] })
    expect((await on('elements_list')).assets).toEqual({ f: { id: 'f' }, h: { id: 'h' } })
    await on('elements_delete', { elementIds: ['b'] })
    expect((await on('elements_list')).assets).toEqual({ h: { id: 'h' } })
  })

  test('can be added with assets, and a state of which the given keys change', async () => {
    const { on } = await withBoard()
    await on('elements_add', { elements: [], assets: { f: { id: 'f' } }, appState: { gridSize: 5, theme: 'dark' } })
    const { assets, appState } = await on('elements_add', {
      elements: [],
      assets: { g: { id: 'g' } },
      appState: { gridSize: null },
    })
    expect({ assets, appState }).toEqual({
      assets: { f: { id: 'f' }, g: { id: 'g' } },
      appState: { gridSize: null, theme: 'dark' },
    })
  })

  test('are returned as written, if requested', async () => {
    const { on } = await withBoard([box('a')])
    const added = await on('elements_add', { elements: [box('b')], appState: { a: 1 }, answer: 'changed' })
    expect(added).toEqual({ elements: [box('b')] })
  })
})

describe('rejected, and nothing is written:', () => {
  test('more than 500 in one call', async () => {
    const { on, refused, list } = await withBoard([box('a')])
    const message = (found: number, key = 'elements') =>
      `At ${key}: Expected at most 500 elements in one call, found ${found}; send the rest in further calls.`
    expect(await refused('elements_add', { elements: many(501) })).toBe(message(501))
    expect(await refused('elements_update', { elements: many(502) })).toBe(message(502))
    const elementIds = many(501).map(({ id }) => id)
    expect(await refused('elements_delete', { elementIds })).toBe(message(501, 'elementIds'))
    expect(await list()).toHaveLength(1)
    await on('elements_add', { elements: many(500), answer: 'changed' })
    expect(await list()).toHaveLength(501)
  })

  test('elements without ID or type', async () => {
    const { refused, faults, whiteboardBlockId, list } = await withBoard()
    expect(await refused('elements_add', { elements: [box('a'), { id: 'b' }] })).toBe(
      'At elements[1].type: Expected a string, found none; give it.',
    )
    const elements = [{ type: 5 }, { id: '', type: 'line' }, { id: 'i'.repeat(201), type: 'line' }]
    expect((await faults('elements_add', { whiteboardBlockId, elements })).details).toEqual([
      { path: 'elements[0].id', message: 'Expected a string, found none; give it.' },
      { path: 'elements[0].type', message: 'Expected a string of 1 to 200 characters, found 5.' },
      { path: 'elements[1].id', message: 'Expected a string of 1 to 200 characters, found 0.' },
      { path: 'elements[2].id', message: 'Expected a string of 1 to 200 characters, found 201.' },
    ])
    expect(await refused('elements_update', { elements: [{ x: 1 }] })).toBe(
      'At elements[0].id: Expected a string, found none; give it.',
    )
    expect(await refused('elements_update', { elements: [{ id: 'a', type: null }] })).toBe(
      'At elements[0].type: Expected a string of 1 to 200 characters, found null.',
    )
    expect(await refused('elements_add', { elements: ['a'] })).toBe(
      'At elements[0]: Expected an element as an object, found "a".',
    )
    expect(await refused('elements_add', { elements: [[box('a')], null] })).toMatch(
      /^At elements\[0\]: Expected an element as an object, found \[\{"id":"a",.*\. \(1 more in details\)$/,
    )
    expect(await refused('elements_update', { elements: [] })).toBe('At elements: Expected at least 1 entry, found 0.')
    expect(await list()).toEqual([])
  })

  test('duplicate IDs, and IDs that are on the board', async () => {
    const { refused, list } = await withBoard([box('a'), box('b')])
    const twice = 'Expected each element ID once, found more than once: d, c; give each one ID.'
    expect(await refused('elements_add', { elements: ['d', 'c', 'd', 'c', 'e', 'd'].map((id) => box(id)) })).toBe(twice)
    expect(await refused('elements_update', { elements: [{ id: 'a' }, { id: 'a' }] })).toBe(
      'Expected each element ID once, found more than once: a; give each one ID.',
    )
    expect(await refused('elements_add', { elements: ['c', 'b', 'a', 'd'].map((id) => box(id)) })).toBe(
      'Expected element IDs that are new on this whiteboard, found b, a; change those with elements_update, or give new IDs. Nothing was written.',
    )
    expect(await list()).toEqual([box('a'), box('b')])
  })

  test('updates of missing elements, all of them named', async () => {
    const { faults, refused, whiteboardBlockId, list } = await withBoard([box('a'), box('b')])
    const elements = ['x', 'a', 'A', 'y'].map((id) => ({ id, x: 9 }))
    expect(await refused('elements_update', { elements })).toBe(
      'Expected the IDs of elements on this whiteboard, found none of x, A, y; read IDs with elements_list, or add them with elements_add. Nothing was written.',
    )
    expect((await faults('elements_update', { whiteboardBlockId, elements })).details).toBeUndefined()
    expect(await list()).toEqual([box('a'), box('b')])
  })

  test('numbers that are valid JSON but cannot be stored', async () => {
    const { refused, list } = await withBoard()
    const elements = [box('a', { points: [[0, Number.POSITIVE_INFINITY]] })]
    const message = 'Expected a number that can be kept, found one beyond 1.8e308; give a smaller one.'
    expect(await refused('elements_add', { elements })).toBe(`At elements[0].points[0][1]: ${message}`)
    expect(await refused('elements_add', { elements: [], appState: { zoom: Number.NEGATIVE_INFINITY } })).toBe(
      `At appState.zoom: ${message}`,
    )
    expect(await list()).toEqual([])
  })

  test('blocks that are not whiteboards', async () => {
    const { connected, pageId } = await withBoard()
    for (const name of ['elements_list', 'elements_add', 'elements_update', 'elements_delete']) {
      const args = name === 'elements_delete' ? { elementIds: ['a'] } : { elements: [box('a')] }
      const input = name === 'elements_list' ? {} : args
      expect(await connected.refused(name, { whiteboardBlockId: pageId, ...input })).toBe(
        `Expected the ID of a whiteboard, found ${pageId} of type page; make a whiteboard with whiteboards_add.`,
      )
    }
  })
})

test('a board out of reach gets the response of a missing one', async () => {
  const full = await connect()
  const { whiteboardBlockId } = await boardOf(full, [box('a')])
  const own = await boardOf(full, [box('b')])
  const kinds = [await connect('selected', { to: full, documents: [own.pageId] }), await connect('daily', { to: full })]
  for (const connection of kinds) {
    for (const id of [whiteboardBlockId, '00000000-0000-7000-8000-999999999999']) {
      const message = `Expected the ID of a whiteboard within reach, found ${id}; read IDs with blocks_get and name one of those.`
      const refused = (name: string, args: object = {}) => connection.refused(name, { whiteboardBlockId: id, ...args })
      expect(await refused('elements_list')).toBe(message)
      expect(await refused('elements_add', { elements: [box('c')] })).toBe(message)
      expect(await refused('elements_update', { elements: [{ id: 'a', x: 1 }] })).toBe(message)
      expect(await refused('elements_delete', { elementIds: ['a'] })).toBe(message)
    }
  }
  expect((await full.call('elements_list', { whiteboardBlockId })).elements).toEqual([box('a')])
  const [selected] = kinds
  const seen = await selected?.call('elements_list', { whiteboardBlockId: own.whiteboardBlockId })
  expect(seen.elements as Drawn[]).toEqual([box('b')])
})

test('over REST elements are read as they were written, too', async () => {
  const asker = await askerOf({ kind: 'full' })
  const pageId = await documentBy(asker, 'words', 'Document')
  const { json: board } = await asker.ask('POST /whiteboards', { position: { position: 'end', pageId } })
  const path = `/whiteboards/${board.whiteboardBlockId}/elements`
  const elements = drawing('domain-driven-design 16')
  const { status, json } = await asker.ask(`POST ${path}`, { elements, answer: 'changed' })
  expect([status, json]).toEqual([200, { elements }])
  expect((await asker.ask(`GET ${path}`)).json).toEqual({ elements })
  const ids = elements.map(({ id }) => id)
  const { json: deleted } = await asker.ask(`DELETE ${path}`, { elementIds: ids.slice(1) })
  expect(deleted).toEqual({ deletedCount: ids.length - 1, remainingCount: 1 })
})

describe('parts of short forms', () => {
  test.each([
    [{ label: { text: 'a', link: 'javascript:alert(1)' } }, 'elements[0].label.link'],
    [{ type: 'arrow', start: { type: 'ellipse', link: 'javascript:alert(1)' } }, 'elements[0].start.link'],
    [{ label: { text: 'a', id: 'x'.repeat(201) } }, 'elements[0].label.id'],
    [{ type: 'arrow', end: { type: 'ellipse', id: 7 } }, 'elements[0].end.id'],
    [{ type: 'frame', children: Array(501).fill('z') }, 'elements[0].children'],
  ])('are validated like elements: %j', async (more, path) => {
    const { faults, whiteboardBlockId, list } = await withBoard([box('z')])
    const { details } = await faults('elements_add', {
      whiteboardBlockId,
      elements: [{ id: 'a', type: 'rectangle', ...more }],
    })
    expect(details).toMatchObject([{ path }])
    expect(await list()).toHaveLength(1)
  })

  test('of updates are, too, and delete nothing if deletions are not allowed', async () => {
    const connected = await connect()
    const elements = [{ id: 'a', type: 'rectangle', label: { text: 'A' } }]
    const { whiteboardBlockId } = await boardOf(connected, elements)
    const update = (label: object) => ({ whiteboardBlockId, elements: [{ id: 'a', label }] })
    expect(await connected.refused('elements_update', update({ text: 'B', link: 'javascript:alert(1)' }))).toContain(
      'At elements[0].label.link',
    )
    const careful = await connect('full', { to: connected, access: 'no-delete' })
    expect(await careful.refused('elements_update', update({ text: 'B', isDeleted: true }))).toBe(
      'Expected elements that stay on the whiteboard, since this link has access no-delete, found 1 with isDeleted, the first a-label; leave isDeleted out, or ask the person who made the link for another.',
    )
    await careful.call('elements_update', update({ text: 'B' }))
    const { elements: now } = await connected.call('elements_list', { whiteboardBlockId })
    expect(now.at(-1)).toMatchObject({ text: 'B' })
  })
})
