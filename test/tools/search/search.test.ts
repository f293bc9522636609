import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SqliteWordIndex } from '../../../storage/sqlite/word-index.ts'
import { type Connected, connect } from '../../connect.ts'
import { documentOf, idsOf } from '../../document.ts'
import { boardOf } from '../../drawings.ts'

const titles = (answer: { items: { title: string }[] }) => answer.items.map(({ title }) => title)

/** Returns the titles of the results. */
const find = async ({ call }: Connected, include: string | string[], more: object = {}) =>
  titles(await call('documents_search', { include, ...more }))

describe('found', () => {
  test.each([
    ['a word', 'The harbour wakes', 'harbour'],
    ['in other letter case', 'The HARBOUR wakes', 'Harbour'],
    ['without its accents', 'Das Café in Ærø, crème brûlée', 'creme BRULEE'],
    ['with accents that the text lacks', 'creme brulee', 'crème'],
    ['another form of a word', 'they were running away', 'run'],
    ['the other way round', 'a run', 'running'],
    ['the beginning of a word', 'The documentation', 'docum'],
    ['the beginning of a word that is longer than its stem', 'The university', 'universit'],
    ['a part of an underscored word', 'call read_file_at once', 'file'],
    ['an underscored word', 'call read_file_at once', 'read_file_at'],
    ['the beginning of an underscored word', 'call read_file_at once', 'read_fi'],
    ['a word with signs in it', 'see node.js or example.org', 'Node.js'],
    ['a short word', 'x is in R', 'r'],
    ['a number', 'version 12 of it', '12'],
    ['a word within marks', 'un**believ**able *stuff* and `code_here`', 'unbelievable'],
    ['a word in a link', '[the label](https://example.org/where)', 'label'],
    ['code', '```ts\nconst zebra = 1\n```', 'zebra'],
    ['a table', '| a | b |\n| - | - |\n| [one](https://x.y) | giraffe |', 'giraffe'],
    ['a caption', '<caption>seen at dusk</caption>', 'dusk'],
    ['the text of a picture', '![an elephant](https://example.org/e.png)', 'elephant'],
    ['a name of a link card', '[Some Title](https://example.org/a)', 'title'],
    ['a task', '- [ ] feed the otter', 'otter'],
    ['a page in the page', '<page><pageTitle>Badgers</pageTitle></page>', 'badger'],
    ['Chinese', '我们今天讨论全文搜索的设计', '搜索'],
    ['a Chinese sentence by any of its words', '我们今天讨论全文搜索的设计', '怎么做全文搜索'],
    ['Japanese', '日本語のテキストを検索する', '検索'],
    ['Thai', 'ภาษาไทยไม่มีช่องว่าง', 'ภาษา'],
    ['Hindi', 'हिन्दी भाषा', 'हिन्दी'],
    ['Korean', '한국어 문서', '문서'],
    ['a stop word where there is no other', 'to be or not to be', 'to be'],
  ])('%s', async (_, markdown, include) => {
    const connected = await connect()
    await documentOf(connected, 'nothing of the kind', 'Other')
    await documentOf(connected, markdown, 'Wanted')
    expect(await find(connected, include)).toEqual(['Wanted'])
  })

  test.each([
    ['a word inside another', 'documentation', 'mentation'],
    ['the beginning of a short word', 'if it is', 'i'],
    ['the address of a link', '[label](https://example.org/where)', 'where.org'],
    ['words of a phrase in another order', 'one two', '"two one"'],
  ])('not found: %s', async (_, markdown, include) => {
    const connected = await connect()
    await documentOf(connected, markdown)
    expect(await find(connected, include)).toEqual([])
  })

  test('titles, properties of items, comments', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, 'words', 'Quarterly report')
    const properties = [{ type: 'text', name: 'Note' }]
    const position = { position: 'end', pageId }
    const { collectionBlockId: collectionId } = await connected.call('collections_add', {
      schema: { name: 'Deals', properties },
      position,
    })
    const { items } = await connected.call('items_add', {
      collectionId,
      items: [{ title: 'Acme', properties: { note: 'windmills of old' } }],
    })
    const { words } = await idsOf(connected, pageId)
    await connected.call('comments_add', { comments: [{ blockId: words, content: 'remarkably dull' }] })
    const search = async (include: string) => (await connected.call('documents_search', { include })).items[0]
    expect(await search('quarterly')).toMatchObject({
      documentId: pageId,
      blockIds: [pageId],
      markdown: '**Quarterly** report',
    })
    expect(await search('windmills')).toMatchObject({ blockIds: [items[0].id], markdown: '**windmills** of old' })
    expect(await search('remarkably')).toMatchObject({ blockIds: [words], markdown: '**remarkably** dull' })
  })

  test('what was written is found by the next call, and what was deleted is not', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'first')
    const { first } = await idsOf(connected, id)
    expect(await find(connected, 'first')).toEqual(['Document'])
    await connected.call('blocks_update', { blocks: [{ id: first, markdown: 'second' }] })
    expect([await find(connected, 'first'), await find(connected, 'second')]).toEqual([[], ['Document']])
    await connected.call('blocks_delete', { blockIds: [first] })
    expect(await find(connected, 'second')).toEqual([])
    await connected.call('blocks_update', { blocks: [{ id, title: 'Renamed' }] })
    expect([await find(connected, 'document'), await find(connected, 'renamed')]).toEqual([[], ['Renamed']])
  })
})

describe('a result', () => {
  test('has the title, the text around the matches in bold, and the blocks', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'The quick brown fox\n\nanother block\n\n- a fox **sleeps**', 'Animals')
    const { items } = await connected.call('documents_search', {
      include: ['fox', 'sleeping brown'],
      fetchBlocks: true,
    })
    const ids = await idsOf(connected, id)
    expect(items).toEqual([
      {
        documentId: id,
        title: 'Animals',
        markdown: 'a **fox sleeps** … The quick **brown fox**',
        why: 'fox in 2 blocks; sleeps in 1 block; brown in 1 block',
        blockIds: [ids['- a fox **sleeps**'], ids['The quick brown fox']],
        blocks: [
          { id: ids['- a fox **sleeps**'], type: 'text', markdown: '- a fox **sleeps**', listStyle: 'bullet' },
          { id: ids['The quick brown fox'], type: 'text', markdown: 'The quick brown fox' },
        ],
      },
    ])
  })

  test('shows the relevant part of a long text, cut between words', async () => {
    const connected = await connect()
    const filler = 'lorem ipsum dolor '.repeat(40)
    await documentOf(connected, `${filler}needle in hay ${filler}`)
    const { items } = await connected.call('documents_search', { include: 'needle' })
    expect(items[0].markdown).toMatch(/^…\S.* \*\*needle\*\* in hay .*\w…$/)
    expect(items[0].markdown.length).toBeLessThan(260)
  })

  test('is ranked by title before text, many words before few, and then the latest', async () => {
    const connected = await connect()
    await documentOf(connected, 'one\n\ntwo\n\nalpha alpha alpha\n\nalpha\n\nalpha', 'Text')
    await documentOf(connected, 'nothing', 'On alpha')
    await documentOf(connected, 'alpha', 'Later')
    connected.clock.now += 1000
    const last = await documentOf(connected, 'alpha beta', 'Both')
    expect(await find(connected, 'alpha')).toEqual(['On alpha', 'Text', 'Later', 'Both'])
    expect(await find(connected, 'alpha beta')).toEqual(['Both', 'On alpha', 'Text', 'Later'])
    expect(last).toBeDefined()
  })

  test('lists have at most 20 documents, with 8 blocks each', async () => {
    const connected = await connect()
    const documents = Array.from({ length: 25 }, (_, index) => ({ title: `T${index}`, markdown: 'same words' }))
    await connected.call('documents_add', { documents })
    expect(await find(connected, 'same')).toHaveLength(20)
    await documentOf(connected, Array(30).fill('unique').join('\n\n'))
    const { items } = await connected.call('documents_search', { include: 'unique' })
    expect([items[0].blockIds.length, items[0].moreBlocks]).toEqual([8, 22])
  })
})

describe('terms', () => {
  async function three(): Promise<Connected> {
    const connected = await connect()
    await documentOf(connected, 'red apple\n\ngreen pear', 'Fruit')
    await documentOf(connected, 'red brick', 'House')
    await documentOf(connected, 'green grass', 'Garden')
    return connected
  }

  test('each entry must match in the document, by any of its words', async () => {
    const connected = await three()
    expect(await find(connected, ['red', 'green'])).toEqual(['Fruit'])
    expect((await find(connected, 'red green')).sort()).toEqual(['Fruit', 'Garden', 'House'])
    expect(await find(connected, ['apple brick', 'red'])).toEqual(['House', 'Fruit'])
    expect(await find(connected, 'which of the documents has a brick?')).toEqual(['House'])
  })

  test('in quotes are a phrase', async () => {
    const connected = await three()
    expect(await find(connected, '"red apple"')).toEqual(['Fruit'])
    expect(await find(connected, '“green pears”')).toEqual(['Fruit'])
    expect(await find(connected, '"apple green"')).toEqual([])
  })

  test('are text, with any characters', async () => {
    const connected = await three()
    for (const include of ['red*', '"red', 'red"', ': red', '* red - "', 'red AND', '^red', '{red}', 'red)', "red'"]) {
      expect((await find(connected, include)).sort(), include).toEqual(['Fruit', 'House'])
    }
  })

  test('that are operators elsewhere are words', async () => {
    const connected = await three()
    await documentOf(connected, 'NEAR(red, 5) and title:red, OR so', 'Query')
    for (const include of ['NEAR(red', 'title:red', 'near', '"OR so"', 'title: near']) {
      expect(await find(connected, include), include).toEqual(['Query'])
    }
  })

  test('without matches are named', async () => {
    const { call } = await three()
    const note = async (include: string[], regexps: string[] = []) =>
      (await call('documents_search', { include, regexps })).note
    expect(await note(['red'])).toBeUndefined()
    expect(await note(['frobnicate'])).toBe(
      'No document that was searched has "frobnicate"; if that is not enough, ask again with other words for the same.',
    )
    expect(await note(['red', 'frobnicate here'])).toBe(
      'No document that was searched has "frobnicate here"; if that is not enough, ask again with other words for the same.',
    )
    expect(await note(['red frobnicate'])).toBe(
      'Found without "frobnicate", which no document that was searched has; if that is not enough, ask again with other words for the same.',
    )
    expect(await note(['brick', 'grass'])).toBe(
      'Each of "brick", "grass" is in some document, and no document has all of them; give fewer entries, or all words in one.',
    )
    expect(await note(['red'], ['zzz'])).toBe(
      'Documents have the terms of include, and none of them what regexps ask for.',
    )
    expect(await note([], ['zzz'])).toBe('No document that was searched matches "zzz".')
  })
})

describe('patterns', () => {
  test('must all match in the document, together with the terms', async () => {
    const connected = await connect()
    await documentOf(connected, '# Heading\n\ncall 555-1234', 'Numbers')
    connected.clock.now += 1000
    await documentOf(connected, 'call 555-9999 **now**', 'More')
    const search = (regexps: string | string[], include: string[] = []) =>
      connected.call('documents_search', { regexps, include })
    expect(titles(await search('\\d{3}-\\d{4}'))).toEqual(['More', 'Numbers'])
    expect(titles(await search(['\\d{3}-\\d{4}', '^# h']))).toEqual(['Numbers'])
    expect(titles(await search('\\*\\*now', ['call']))).toEqual(['More'])
    expect(titles(await search('555(?!-1)'))).toEqual(['More'])
    expect((await search('\\d{3}-1')).items[0].markdown).toBe('call **555-1**234')
  })

  test('see links out of reach hidden', async () => {
    const full = await connect()
    const hidden = await documentOf(full, 'secret')
    const own = await documentOf(full, `see [it](block://${hidden})`)
    const selected = await connect('selected', { to: full, documents: [own] })
    const count = async (connected: Connected, pattern: string) =>
      (await connected.call('documents_search', { regexps: pattern })).items.length
    expect([await count(full, `block://${hidden}`), await count(selected, 'block://')]).toEqual([1, 0])
    expect(await count(selected, 'invalid:out_of_scope')).toBe(1)
  })
})

test('tasks of the inbox and the logbook are found if they are in reach', async () => {
  const full = await connect()
  await full.call('tasks_add', {
    tasks: [{ markdown: 'water the ferns' }, { markdown: 'paint the fence', taskInfo: { state: 'done' } }],
  })
  const daily = await connect('daily', { to: full })
  const search = async ({ call }: Connected, tool: string, include: string) => (await call(tool, { include })).items[0]
  expect(await search(full, 'documents_search', 'ferns')).toMatchObject({
    title: 'Inbox',
    location: 'inbox',
    markdown: 'water the **ferns**',
  })
  const { documentId } = await search(full, 'documents_search', 'fence')
  expect((await full.call('blocks_get', { id: documentId })).content).toMatchObject([
    { markdown: '- [x] paint the fence' },
  ])
  const found = await search(daily, 'daily_notes_search', 'fence')
  expect(found).toMatchObject({ title: 'Logbook', location: 'logbook', markdown: 'paint the **fence**' })
  expect([found.documentId, found.dailyNoteDate]).toEqual([undefined, undefined])
  expect((await daily.call('daily_notes_search', { include: 'fence', startDate: '2020-01-01' })).items).toEqual([])
})

describe('words are found', () => {
  test.each([
    ['a possessive by its noun', "Anna's", 'a letter from Anna'],
    ['a possessive with a curly apostrophe', 'Anna’s', 'a letter from Anna'],
    ['parts of a compound', 'server-side', 'the server is down'],
    ['what is written with a hyphen', 'email', 'send an e-mail'],
    ['what is written without one', 'e-mail', 'send an email'],
    ['what is written apart', 'login', 'please log in here'],
    ['what is written together', 'time-zone', 'in any timezone'],
    ['a Korean noun before a particle', '회의', '회의록을 정리했다'],
    ['a short Latin word before a Korean particle', 'AI', 'AI를 도입했다'],
    ['a Korean place before a particle', '서울', '서울에서 만나요'],
  ])('%s', async (_, include, markdown) => {
    const connected = await connect()
    await documentOf(connected, markdown, 'Wanted')
    await documentOf(connected, 'nothing of the kind', 'Other')
    expect(await find(connected, include)).toEqual(['Wanted'])
  })

  test('as a whole before their parts', async () => {
    const connected = await connect()
    await documentOf(connected, 'rendered server-side', 'Whole')
    await documentOf(connected, 'the server, on this side of it, is a server', 'Parts')
    expect(await find(connected, 'server-side')).toEqual(['Whole', 'Parts'])
  })

  test.each([
    ['pottrey', 'pottery', 'letters swapped'],
    ['pottery', 'pottery', 'nothing wrong but a letter'],
    ['potery', 'pottery', 'a letter dropped'],
    ['pottary', 'pottery', 'a letter changed'],
    ['pottreyy', 'pottery', 'two letters wrong'],
    ['кермаика', 'керамика', 'letters swapped in Cyrillic'],
    ['керомика', 'керамика', 'a letter changed in Cyrillic'],
    ['θαλσασα', 'θαλασσα', 'letters swapped in Greek'],
    ['مكتبة', 'مكتبة', 'nothing wrong in Arabic'],
    ['مكبتة', 'مكتبة', 'letters swapped in Arabic'],
    ['ירושלם', 'ירושלים', 'a letter dropped in Hebrew'],
    ['տանիկ', 'տաճիկ', 'a letter changed in Armenian'],
    ['विद्यलाय', 'विद्यालय', 'letters swapped in Devanagari'],
  ])('%s as %s: %s', async (include, word) => {
    const connected = await connect()
    await documentOf(connected, `a class of ${word} on Monday`, 'Wanted')
    const { items, note } = await connected.call('documents_search', { include })
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Wanted'])
    expect(note).toBe(include === word ? undefined : `Found *${word}* for *${include}*.`)
  })

  test('uncorrected if they occur, and never corrected by what is out of reach', async () => {
    const connected = await connect()
    const shown = await documentOf(connected, 'a batter of eggs', 'Shown')
    await documentOf(connected, 'butter, and pottery', 'Hidden')
    expect(await connected.call('documents_search', { include: 'batyer' })).toMatchObject({
      items: [{ title: 'Shown' }],
    })
    const selected = await connect('selected', { to: connected, documents: [shown] })
    expect(await selected.call('documents_search', { include: 'pottrey' })).toEqual({
      items: [],
      note: 'No document that was searched has "pottrey"; if that is not enough, ask again with other words for the same.',
    })
  })

  test('uncorrected if they are words of English, in any form', async () => {
    const connected = await connect()
    await documentOf(connected, 'We bought apples.', 'Shopping')
    await documentOf(connected, 'The island came up again.', 'Meeting')
    const { items, note } = await connected.call('documents_search', { include: 'Who brought up the island?' })
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Meeting'])
    expect(note).toBe(
      'Found without "brought", which no document that was searched has; if that is not enough, ask again with other words for the same.',
    )
  })

  test('named as the document has them', async () => {
    const connected = await connect()
    await documentOf(connected, 'From files to a database', 'Conversion')
    const { items } = await connected.call('documents_search', { include: 'conversations' })
    expect(items).toMatchObject([{ title: 'Conversion', why: 'conversion in the title' }])
  })
})

describe('addresses', () => {
  const MARKDOWN = `See [Maputnik](https://maputnik.github.io/editor?theme=dark#14/52.5/13.4) and ![a map](https://tiles.example.org/berlin.png).

Write to [us](mailto:team@harbor.example).

| Tool |
| --- |
| [Log](https://logs.example.com/K%C3%B6ln) |`

  test.each(['github.io', 'tiles.example.org', 'team@harbor.example', 'logs köln'])(
    'behind links and images are found: %s',
    async (include) => {
      const connected = await connect()
      await documentOf(connected, MARKDOWN, 'Links')
      const { items } = await connected.call('documents_search', { include })
      expect(items).toMatchObject([{ title: 'Links', markdown: expect.stringContaining('**') }])
    },
  )

  test.each(['https', 'dark', '14/52.5'])(
    'are found without the scheme, the query and the fragment: %s',
    async (include) => {
      const connected = await connect()
      await documentOf(connected, MARKDOWN, 'Links')
      expect(await connected.call('documents_search', { include })).toMatchObject({ items: [] })
    },
  )

  test('of link cards are found, also with a title', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'x', 'Links')
    const block = { type: 'richUrl', url: 'https://www.hydrographic.example/charts', title: 'Charts' }
    await connected.call('blocks_add', { blocks: [block], position: { documentId: id, position: 'end' } })
    const { items } = await connected.call('documents_search', { include: 'hydrographic' })
    expect(items).toMatchObject([{ title: 'Links', why: 'hydrographic in 1 block' }])
  })

  test('of blocks are not found, since they say nothing', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'target', 'Target')
    await documentOf(connected, `[go](block://${id})`, 'Source')
    expect(await connected.call('documents_search', { include: id })).toMatchObject({ items: [] })
  })
})

describe('words on whiteboards', () => {
  test('are found with their document, in their current version', async () => {
    const connected = await connect()
    const { pageId, whiteboardBlockId } = await boardOf(connected, [
      { id: 'a', type: 'rectangle', x: 0, y: 0, label: { text: 'Checkout service' } },
      { id: 'f', type: 'frame', x: 0, y: 0, width: 10, height: 10, name: 'Payments' },
    ])
    const { items } = await connected.call('documents_search', { include: 'checkout' })
    expect(items).toMatchObject([
      { documentId: pageId, markdown: '**Checkout** service', blockIds: [whiteboardBlockId] },
    ])
    expect(await find(connected, 'payments')).toHaveLength(1)
    await connected.call('elements_update', { whiteboardBlockId, elements: [{ id: 'a', label: { text: 'Basket' } }] })
    expect([await find(connected, 'checkout'), await find(connected, 'basket')]).toMatchObject([
      [],
      [expect.any(String)],
    ])
    await connected.call('elements_delete', { whiteboardBlockId, elementIds: ['a', 'a-label'] })
    expect(await find(connected, 'basket')).toEqual([])
  })

  test('are found in a copy as well', async () => {
    const connected = await connect()
    const { pageId } = await boardOf(connected, [{ id: 't', type: 'text', text: 'otter' }])
    await connected.call('documents_move', { documentIds: [pageId], destination: { destination: 'templates' } })
    await connected.call('documents_add', { documents: [{ title: 'Copy', templateId: pageId }] })
    expect(await find(connected, 'otter')).toContain('Copy')
  })
})

test('a search for many unknown words is quick: few of them are corrected', async () => {
  const connected = await connect()
  await documentOf(connected, 'pottery')
  const include = Array.from({ length: 20 }, (_, entry) =>
    Array.from(
      { length: 100 },
      (_, index) => `${String.fromCharCode(97 + entry)}ottr${'xyz'[index % 3]}${'abcdefg'[index % 7]}q`,
    ).join(' '),
  )
  const words = vi.spyOn(SqliteWordIndex.prototype, 'knownWords')
  onTestFinished(() => words.mockRestore())
  await connected.call('documents_search', { include })
  expect(words.mock.calls.length).toBeLessThanOrEqual(1 + 2 * 5)
})
