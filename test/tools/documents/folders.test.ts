import { describe, expect, test } from 'vitest'
import { type Connected, connect } from '../../connect.ts'

/** Creates the folders with these paths, and returns their IDs by name. */
async function withFolders(connected: Connected, ...paths: string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const path of paths) {
    const names = path.split('/')
    const name = names.at(-1) ?? ''
    const parentFolderId = ids[names.at(-2) ?? '']
    const { items } = await connected.call('folders_add', {
      folders: [{ name, ...(parentFolderId && { parentFolderId }) }],
    })
    ids[name] = items[0].id
  }
  return ids
}

interface Tree {
  name: string
  documentCount: number
  folders: Tree[]
}

const shape = (tree: Tree): string => {
  const count = tree.documentCount > 0 ? `:${tree.documentCount}` : ''
  return tree.folders.length === 0
    ? `${tree.name}${count}`
    : `${tree.name}${count}(${tree.folders.map(shape).join(' ')})`
}
const forest = async ({ call }: Connected) => (await call('folders_list')).items.slice(3).map(shape).join(' ')

test('folders of any depth are listed, beyond the levels that the output schema spells out', async () => {
  const connected = await connect()
  await withFolders(connected, 'A', 'A/B', 'B/C', 'C/D', 'D/E')
  expect(await forest(connected)).toBe('A(B(C(D(E))))')
})

test('the built-in locations come first, with their counts', async () => {
  const { call } = await connect()
  await call('documents_add', { documents: [{ title: 'A' }, { title: 'B' }] })
  expect(await call('folders_list')).toEqual({
    items: [
      { id: 'unsorted', name: 'Unsorted', documentCount: 2, folders: [] },
      { id: 'trash', name: 'Trash', documentCount: 0, folders: [] },
      { id: 'templates', name: 'Templates', documentCount: 0, folders: [] },
    ],
  })
})

test('folders can be nested', async () => {
  const connected = await connect()
  await withFolders(connected, 'a', 'a/b', 'a/b/c', 'd')
  expect(await forest(connected)).toBe('a(b(c)) d')
})

describe('64 levels of folders', () => {
  async function withChain(connected: Connected, length: number): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < length) {
      const parentFolderId = ids.at(-1)
      const folder = { name: `f${ids.length + 1}`, ...(parentFolderId && { parentFolderId }) }
      ids.push((await connected.call('folders_add', { folders: [folder] })).items[0].id)
    }
    return ids
  }

  const tooDeep = (id = '') =>
    `Expected folders nested at most 64 levels deep, found more under ${id}; name a parentFolderId further up.`

  test('are listed, and none can be created below', async () => {
    const connected = await connect()
    const ids = await withChain(connected, 64)
    const folders = [
      { name: 'x', parentFolderId: ids[62] },
      { name: 'y', parentFolderId: ids[63] },
    ]
    expect(await connected.refused('folders_add', { folders })).toBe(tooDeep(ids[63]))
    const chain = await forest(connected)
    expect(chain.match(/f\d+/g)).toHaveLength(64)
    expect(chain).not.toContain('x')
  })

  test('are counted with the content of a moved folder', async () => {
    const connected = await connect()
    const ids = await withChain(connected, 62)
    const { b } = await withFolders(connected, 'a', 'a/b', 'a/b/c', 'a/b/d')
    const move = (parentFolderId = '') => ({ folderIds: [b], destination: { parentFolderId } })
    await connected.call('folders_move', move(ids[61]))
    const { g } = await withFolders(connected, 'g', 'g/h', 'g/h/i')
    const args = { folderIds: [g], destination: { parentFolderId: ids[61] } }
    expect(await connected.refused('folders_move', args)).toBe(tooDeep(ids[61]))
    await connected.call('folders_move', { folderIds: [g], destination: { parentFolderId: ids[60] } })
    expect(await forest(connected)).toContain('f62(b(c d)) g(h(i)))')
  })
})

describe('folders_move', () => {
  test('moves into another folder, and to the top, also with the bare word root', async () => {
    const connected = await connect()
    const { a, b, c } = await withFolders(connected, 'a', 'a/b', 'c')
    const destination = { parentFolderId: b }
    expect(await connected.call('folders_move', { folderIds: [c], destination })).toEqual({
      items: [{ id: c, destination }],
    })
    expect(await forest(connected)).toBe('a(b(c))')
    await connected.call('folders_move', { folderIds: [b], destination: { destination: 'root' } })
    expect(await forest(connected)).toBe('a b(c)')
    await connected.call('folders_move', { folderIds: [c], destination: 'root' })
    expect(await forest(connected)).toBe('a b c')
    expect(a).toBeDefined()
  })

  test('moves a folder and one in it beside each other, and counts their levels apart', async () => {
    const connected = await connect()
    const { a, c, deep } = await withFolders(connected, 'a', 'a/b', 'a/b/c', 'a/b/c/d', 'deep')
    let parentFolderId = deep
    for (let level = 2; level <= 62; level++) {
      const folders = [{ name: 'x', parentFolderId }]
      parentFolderId = (await connected.call('folders_add', { folders })).items[0].id
    }
    for (const folderIds of [
      [a, c],
      [c, a],
    ]) {
      await connected.call('folders_move', { folderIds: [a], destination: 'root' })
      await connected.call('folders_move', { folderIds: [c], destination: { parentFolderId: a } })
      await connected.call('folders_move', { folderIds, destination: { parentFolderId } })
      expect(await forest(connected)).toContain('x(a(b) c(d))')
    }
  })

  test.each(['a', 'b', 'c'])('rejects moving a folder to %s, which is itself or inside it', async (name) => {
    const connected = await connect()
    const ids = await withFolders(connected, 'a', 'a/b', 'a/b/c')
    const args = { folderIds: [ids.a], destination: { parentFolderId: ids[name] } }
    expect(await connected.refused('folders_move', args)).toBe(
      `Expected a destination outside of the moved folders, found ${ids[name]}, which is ${ids.a} or stands in it; name another parentFolderId, or { "destination": "root" }.`,
    )
    expect(await forest(connected)).toBe('a(b(c))')
  })
})

describe('folders_delete', () => {
  test('moves the content of a top-level folder to Unsorted and to the top, and of a nested one to its parent', async () => {
    const connected = await connect()
    const { b, a } = await withFolders(connected, 'a', 'a/b', 'a/b/c')
    const { call } = connected
    await call('documents_add', { documents: [{ title: 'A' }], destination: { folderId: b } })
    expect(await call('folders_delete', { folderIds: [b] })).toEqual({ items: [b] })
    expect(await forest(connected)).toBe('a:1(c)')
    await call('folders_delete', { folderIds: [a] })
    expect(await forest(connected)).toBe('c')
    expect((await call('documents_list', { location: 'unsorted' })).items).toMatchObject([{ title: 'A' }])
  })

  test('several at once, one in another, in either order', async () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const connected = await connect()
      const ids = await withFolders(connected, 'a', 'a/b', 'a/b/c')
      await connected.call('folders_delete', { folderIds: order.map((name) => ids[name]) })
      expect(await forest(connected)).toBe('c')
    }
  })
})

describe('built-in locations', () => {
  test.each(['unsorted', 'trash', 'templates', 'daily_notes'])(
    '%s cannot contain folders, be deleted or be moved',
    async (id) => {
      const { refused } = await connect()
      expect(await refused('folders_add', { folders: [{ name: 'x', parentFolderId: id }] })).toBe(
        `Expected a folder ID, found \`${id}\`; built-in locations hold no folders.`,
      )
      expect(await refused('folders_delete', { folderIds: [id] })).toBe(
        `Expected a folder ID, found \`${id}\`; built-in locations cannot be deleted.`,
      )
      expect(await refused('folders_move', { folderIds: [id], destination: 'root' })).toBe(
        `Expected a folder ID, found \`${id}\`; built-in locations cannot be moved.`,
      )
    },
  )
})

test.each([
  [
    { folderIds: ['nowhere'], destination: 'root' },
    'Expected the ID of a folder, found nowhere; read IDs with folders_list and name one of those.',
  ],
  [
    { folderIds: ['x'], destination: { destination: 'trash' } },
    'At destination: Expected { destination: "root" } or { parentFolderId }, found destination trash; give one of them.',
  ],
  [
    { folderIds: ['x'], destination: { destination: 'root', parentFolderId: 'y' } },
    'At destination: Expected { destination: "root" } or { parentFolderId }, found both; give one of them.',
  ],
  [
    { folderIds: ['x'], destination: {} },
    'At destination: Expected { destination: "root" } or { parentFolderId }, found neither; give one of them.',
  ],
])('folders_move rejects %j', async (args, message) => {
  const { refused } = await connect()
  expect(await refused('folders_move', args)).toBe(message)
})

test('selected and daily connections have no folders', async () => {
  const full = await connect()
  const daily = await connect('daily', { to: full })
  expect(await daily.unknownTool('folders_list')).toBe(
    'Expected a tool of this connection, found folders_list; tools/list shows which there are.',
  )
})

describe('folders_update', () => {
  test('renames folders, which keep their position and content', async () => {
    const { call } = await connect()
    const { items } = await call('folders_add', { folders: [{ name: 'Work', folders: [{ name: 'Old' }] }] })
    const [work, old] = items.map(({ id }: { id: string }) => id)
    await call('documents_add', { documents: [{ title: 'A' }], destination: { folderId: old } })
    const folders = [
      { id: old, name: 'Archive' },
      { id: work, name: 'Office' },
    ]
    expect(await call('folders_update', { folders, answer: 'full' })).toEqual({ items: folders })
    const { items: tree } = await call('folders_list')
    expect(tree.at(-1)).toMatchObject({
      ...{ id: work, name: 'Office' },
      folders: [{ id: old, name: 'Archive', documentCount: 1 }],
    })
  })

  test.each([
    [
      [{ id: 'nowhere', name: 'A' }],
      'Expected the ID of a folder, found nowhere; read IDs with folders_list and name one of those.',
    ],
    [[{ id: 'trash', name: 'A' }], 'Expected a folder ID, found `trash`; built-in locations keep their names.'],
  ])('rejects %j', async (folders, message) => {
    const { refused } = await connect()
    expect(await refused('folders_update', { folders })).toBe(message)
  })

  test('rejects two names for one folder', async () => {
    const { call, refused } = await connect()
    const [{ id }] = (await call('folders_add', { folders: [{ name: 'A' }] })).items
    const folders = [
      { id, name: 'B' },
      { id, name: 'C' },
    ]
    expect(await refused('folders_update', { folders })).toBe(
      `Expected each folder once, found ${id} twice; give it one name.`,
    )
  })
})
