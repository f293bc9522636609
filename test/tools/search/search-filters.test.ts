import { describe, expect, test } from 'vitest'
import { NOW } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'

const DAY = 86_400_000
const find = async ({ call }: Connected, filters: object) =>
  (await call('documents_search', { include: 'word', ...filters })).items
    .map(({ title }: { title: string }) => title)
    .sort()

/** Creates documents that contain the same word in every location, created and changed on different days. */
async function world() {
  const full = await connect()
  const { call, clock } = full
  const { items: folders } = await call('folders_add', { folders: [{ name: 'Outer' }] })
  const outer = folders[0].id
  const { items: inners } = await call('folders_add', { folders: [{ name: 'Inner', parentFolderId: outer }] })
  const inner = inners[0].id
  const ids: Record<string, string> = {}
  const add = async (title: string, destination: object, day: number) => {
    clock.now = NOW + day * DAY
    const { items } = await call('documents_add', { documents: [{ title, markdown: 'word' }], destination })
    ids[title] = items[0].id
  }
  await add('Outer', { folderId: outer }, -5)
  await add('Inner', { folderId: inner }, -4)
  await add('Template', { destination: 'templates' }, -3)
  await add('Thrown', { destination: 'unsorted' }, -3)
  await add('Unsorted', { destination: 'unsorted' }, -2)
  await call('documents_delete', { documentIds: [ids.Thrown] })
  clock.now = NOW - DAY
  await call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: ids.Outer } })
  clock.now = NOW
  for (const date of ['2026-11-10', '2026-11-20']) {
    await call('blocks_add', { markdown: 'word', position: { position: 'end', date } })
  }
  return { full, ids, outer, inner }
}

const NOTES = ['Friday, November 20, 2026', 'Tuesday, November 10, 2026']

test('locations: all but the trash, or one of them', async () => {
  const { full, ids, outer, inner } = await world()
  expect(await find(full, {})).toEqual([NOTES[0], 'Inner', 'Outer', 'Template', NOTES[1], 'Unsorted'])
  expect(await find(full, { location: 'trash' })).toEqual(['Thrown'])
  expect(await find(full, { location: 'unsorted' })).toEqual(['Unsorted'])
  expect(await find(full, { location: 'templates' })).toEqual(['Template'])
  expect(await find(full, { location: 'daily_notes' })).toEqual(NOTES)
  expect(await find(full, { folderIds: [outer] })).toEqual(['Inner', 'Outer'])
  expect(await find(full, { folderIds: [inner, outer] })).toEqual(['Inner', 'Outer'])
  expect(await find(full, { folderIds: inner })).toEqual(['Inner'])
  expect(await find(full, { documentIds: [ids.Inner, ids.Unsorted, ids.Thrown] })).toEqual(['Inner', 'Unsorted'])
})

test('days: both bounds are inclusive', async () => {
  const { full } = await world()
  expect(await find(full, { createdDateGte: '2026-11-16', createdDateLte: '2026-11-17' })).toEqual([
    'Inner',
    'Template',
  ])
  expect(await find(full, { createdDateLte: '2026-11-15' })).toEqual(['Outer'])
  expect(await find(full, { lastModifiedDateGte: 'yesterday', lastModifiedDateLte: 'yesterday' })).toEqual(['Outer'])
  expect(await find(full, { dailyNoteDateGte: '2026-11-10', dailyNoteDateLte: '2026-11-19' })).toEqual([NOTES[1]])
  expect(await find(full, { dailyNoteDateGte: '2026-11-11', dailyNoteDateLte: 'today' })).toEqual([NOTES[0]])
  expect(await find(full, { location: 'trash', createdDateGte: '2026-11-18' })).toEqual([])
})

test('patterns have the same filters', async () => {
  const { full, outer } = await world()
  const search = { include: [], regexps: '^word$' }
  expect(await find(full, search)).toHaveLength(6)
  expect(await find(full, { ...search, folderIds: [outer] })).toEqual(['Inner', 'Outer'])
})

test('on a selected connection: its documents, some of them, or all but some', async () => {
  const { full, ids } = await world()
  const { Inner = '', Outer = '', Unsorted = '', Thrown = '' } = ids
  const selected = await connect('selected', { to: full, documents: [Inner, Outer, Thrown] })
  expect(await find(selected, {})).toEqual(['Inner', 'Outer'])
  expect(await find(selected, { documentIds: [Inner] })).toEqual(['Inner'])
  expect(await find(selected, { documentIds: [Inner], documentFilterMode: 'exclude' })).toEqual(['Outer'])
  const { items } = await selected.call('documents_search', { include: 'word', documentIds: Inner })
  expect(items).toMatchObject([{ documentId: Inner, exposedDocumentId: Inner }])
  expect(await selected.refused('documents_search', { include: 'word', documentIds: [Unsorted] })).toBe(
    `Expected the ID of a document within reach, found ${Unsorted}; read IDs with documents_list and name one of those.`,
  )
})

test('on a daily connection: notes by their days', async () => {
  const { full } = await world()
  const daily = await connect('daily', { to: full })
  const search = async (dates: object) =>
    (await daily.call('daily_notes_search', { include: 'word', ...dates })).items.map(
      ({ dailyNoteDate }: { dailyNoteDate: string }) => dailyNoteDate,
    )
  expect((await search({})).sort()).toEqual(['2026-11-10', '2026-11-20'])
  expect(await search({ startDate: '2026-11-11' })).toEqual(['2026-11-20'])
  expect(await search({ endDate: '2026-11-10' })).toEqual(['2026-11-10'])
  expect(await search({ startDate: 'today', endDate: 'today' })).toEqual(['2026-11-20'])
})

describe('is rejected', () => {
  const several =
    'Expected one of location, folderIds and documentIds, found several; they cannot be combined, give one.'
  const nothing = 'Expected include or regexps, found neither; give the words or patterns to look for.'
  test.each([
    [{}, nothing],
    [{ include: [] }, nothing],
    [
      { include: ' ' },
      'Expected words in each entry of include, found " ", which has none; search for signs with regexps.',
    ],
    [
      { include: ['a', '***'] },
      'Expected words in each entry of include, found "***", which has none; search for signs with regexps.',
    ],
    [
      { include: 'x'.repeat(1001) },
      'Expected at most 1,000 characters in an entry of include, found 1,001; ask for its main words.',
    ],
    [{ include: 'a', location: 'unsorted', folderIds: ['f'] }, several],
    [{ include: 'a', location: 'trash', documentIds: ['f'] }, several],
    [{ include: 'a', folderIds: ['g'], documentIds: ['f'] }, several],
    [
      { include: 'a', createdDateGte: 'today', createdDateLte: '2026-11-19' },
      'Expected createdDateLte on or after createdDateGte, found 2026-11-19 before today; give the earlier day as createdDateGte.',
    ],
    [
      { include: 'a', lastModifiedDateGte: 'tomorrow', lastModifiedDateLte: 'today' },
      'Expected lastModifiedDateLte on or after lastModifiedDateGte, found today before tomorrow; give the earlier day as lastModifiedDateGte.',
    ],
    [
      { include: 'a', dailyNoteDateGte: '2026-02-02', dailyNoteDateLte: '2026-02-01' },
      'Expected dailyNoteDateLte on or after dailyNoteDateGte, found 2026-02-01 before 2026-02-02; give the earlier day as dailyNoteDateGte.',
    ],
    [
      { include: 'a', folderIds: ['nowhere'] },
      'Expected the ID of a folder, found nowhere; read IDs with folders_list and name one of those.',
    ],
    [
      { include: 'a', documentIds: ['nowhere'] },
      'Expected the ID of a document within reach, found nowhere; that is no ID, so find it by its words with documents_search.',
    ],
  ])('%j', async (input, message) => {
    expect(await (await connect()).refused('documents_search', input)).toBe(message)
  })

  test('a pattern that does not compile', async () => {
    const { refused } = await connect()
    expect(await refused('documents_search', { regexps: ['fine', '(a'] })).toBe(
      'Expected a ) for each (, found a ( that is never closed at character 1; close it, or write \\(.',
    )
  })

  test('an end before its start on a daily connection', async () => {
    const { refused } = await connect('daily')
    expect(await refused('daily_notes_search', { include: 'a', startDate: 'today', endDate: 'yesterday' })).toBe(
      'Expected endDate on or after startDate, found yesterday before today; give the earlier day as startDate.',
    )
    expect(await refused('daily_notes_search')).toBe(nothing)
  })
})
