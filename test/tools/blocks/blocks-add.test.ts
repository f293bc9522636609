import { describe, expect, test } from 'vitest'
import { displayColors } from '../../../src/space/model/colors.ts'
import { type Answer, connect } from '../../connect.ts'
import { contentOf, documentOf, idsOf, outline, outlineOf } from '../../document.ts'

const withoutIds = (blocks: Answer[]) => blocks.map(({ id: _, ...rest }) => rest)

describe('positions', () => {
  test('start and end of a page, before and after a block', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'middle')
    const { middle } = await idsOf(connected, id)
    const add = (markdown: string, position: object) => connected.call('blocks_add', { markdown, position })
    await add('first', { position: 'start', pageId: id })
    await add('last', { position: 'end', pageId: id })
    await add('above\n\nabove too', { position: 'before', siblingId: middle })
    await add('below\n\nbelow too', { position: 'after', siblingId: middle })
    expect(await outlineOf(connected, id)).toEqual([
      'first',
      'above',
      'above too',
      'middle',
      'below',
      'below too',
      'last',
    ])
  })

  test.each([
    ['before', (words: string[]) => ['a', ...words, 'z']],
    ['after', (words: string[]) => ['a', 'z', ...words.toReversed()]],
  ])('forty times at one position, %s a block, keeps the order', async (position, expected) => {
    const connected = await connect()
    const id = await documentOf(connected, 'a\n\nz')
    const { z } = await idsOf(connected, id)
    const words = Array.from({ length: 40 }, (_, index) => `word ${index}`)
    for (const markdown of words) {
      await connected.call('blocks_add', { markdown, position: { position, siblingId: z }, answer: 'ids' })
    }
    expect(await outlineOf(connected, id)).toEqual(expected(words))
  })

  test('a text that receives blocks becomes a page, with its text as the title', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'Some **bold** words')
    const [{ id: text }] = await contentOf(connected, id)
    await connected.call('blocks_add', { markdown: 'inner', position: { position: 'end', pageId: text } })
    const [page] = await contentOf(connected, id)
    expect(page).toMatchObject({
      id: text,
      type: 'page',
      markdown: 'Some bold words',
      title: { value: 'Some bold words', attributes: [{ type: 'bold', start: 5, end: 9 }] },
      content: [{ markdown: 'inner' }],
    })
  })

  test('a day creates its note, and the response says where it went', async () => {
    const { call } = await connect()
    const add = (position: object) => call('blocks_add', { markdown: 'x', position, answer: 'ids' })
    const today = await add({ position: 'end' })
    const tomorrow = await add({ position: 'start', date: 'tomorrow' })
    expect([today.dailyNoteDate, tomorrow.dailyNoteDate]).toEqual(['2026-11-20', '2026-11-21'])
    expect((await call('blocks_get', { date: 'tomorrow' })).id).toBe(tomorrow.documentId)
    expect((await add({ position: 'end', date: '2026-11-20' })).documentId).toBe(today.documentId)
  })

  test('the page may be given with a sibling in it, but not with one elsewhere', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'one\n\n<page><pageTitle>Page</pageTitle><content>two</content></page>')
    const other = await documentOf(connected)
    const [, page] = await contentOf(connected, id)
    const siblingId = page.content[0].id
    const add = (position: object, markdown: string) => connected.call('blocks_add', { markdown, position })
    await add({ position: 'before', pageId: page.id, siblingId }, 'before')
    await add({ position: 'after', pageId: id.toUpperCase(), siblingId }, 'after')
    await add({ position: 'after', pageId: '', siblingId }, 'next')
    const [, { content }] = await contentOf(connected, id)
    expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual(['before', 'two', 'next', 'after'])
    expect(
      await connected.refused('blocks_add', {
        markdown: 'x',
        position: { position: 'after', pageId: other, siblingId },
      }),
    ).toBe(
      `Expected a siblingId inside the page ${other}, found ${siblingId}, which stands elsewhere; leave out pageId, or siblingId with position start or end.`,
    )
  })

  const full = '{ position: start or end, pageId or date } or { position: before or after, siblingId }'
  const selected = '{ position: start or end, pageId } or { position: before or after, siblingId }'
  const daily =
    '{ position: start or end, pageId or date, or neither for today }, or { position: before or after, siblingId }'
  test.each([
    ['full', { position: 'end', pageId: 'a', date: 'today' }, full, 'position: end, pageId: a, date: today'],
    ['full', { position: 'end', pageId: 'a', siblingId: 'b' }, full, 'position: end, pageId: a, siblingId: b'],
    ['full', { position: 'before', pageId: 'a' }, full, 'position: before, pageId: a'],
    ['full', { position: 'after' }, full, 'position: after'],
    ['full', { position: 'end', pageId: '' }, full, 'position: end, pageId: '],
    ['selected', { position: 'end' }, selected, 'position: end'],
    ['daily', { position: 'start', pageId: 'a', date: 'today' }, daily, 'position: start, pageId: a, date: today'],
  ] as const)('on a %s connection %j is rejected', async (kind, position, forms, found) => {
    const connected = await connect()
    const documents = kind === 'selected' ? [await documentOf(connected)] : []
    const { refused } = await connect(kind, { to: connected, documents })
    expect(await refused('blocks_add', { markdown: 'x', position })).toBe(
      `At position: Expected a position as ${forms}, found { ${found} }; give exactly one form.`,
    )
  })

  test('rejects a page that cannot contain blocks, a document as sibling, and no position at all', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '---')
    const [{ id: line }] = await contentOf(connected, id)
    const add = (position: object | undefined) => connected.refused('blocks_add', { markdown: 'x', position })
    expect(await add({ position: 'end', pageId: line })).toBe(
      `Expected a page, text, card or collection item that can hold blocks as pageId, found ${line} of type line; name it as siblingId with position before or after.`,
    )
    expect(await add({ position: 'after', siblingId: id })).toBe(
      `Expected a block inside a document as siblingId, found ${id}, which is a document; name it as pageId with position start or end.`,
    )
    expect(await add(undefined)).toBe('At position: Expected an object, found none; give it.')
    expect(await add({ position: 'middle', pageId: id })).toBe(
      'At position.position: Expected one of start, end, before, after, found "middle".',
    )
    expect(await outlineOf(connected, id)).toEqual(['*****'])
  })
})

describe('blocks', () => {
  test('of every type that clients create', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const blocks = [
      { type: 'text', markdown: '_i_ ==x==', color: '#1A7F37', textAlignment: 'center', font: 'mono' },
      {
        type: 'text',
        markdown: 'Milk',
        listStyle: 'task',
        indentationLevel: 1,
        taskInfo: { scheduleDate: 'tomorrow' },
      },
      {
        type: 'page',
        title: 'A *page*',
        textStyle: 'card',
        cardLayout: 'small',
        content: [{ type: 'text', markdown: 'in' }],
      },
      { type: 'code', rawCode: 'x = 1\n', language: 'python' },
      { type: 'code', rawCode: 'x', info: 'js title="x"' },
      { type: 'richUrl', url: 'https://example.org', title: 'Example', description: 'A site', layout: 'card' },
      { type: 'line', lineStyle: 'strong' },
      { type: 'table', markdown: '| a | b |\n| - | - |\n| 1 | 2 |' },
      { type: 'image', url: 'https://example.org/a.png', altText: 'A', size: 'fill' },
      { type: 'video', url: 'https://example.org/a.mp4' },
      { type: 'file', url: 'https://example.org/a.pdf', fileName: 'a.pdf', blockLayout: 'small' },
      { type: 'whiteboard' },
    ]
    const { items } = await connected.call('blocks_add', { blocks, position: { position: 'end', pageId: id } })
    expect(withoutIds(items)).toMatchObject([
      {
        type: 'text',
        markdown: '*i* ==x==',
        color: '#1A7F37',
        displayColor: '#1a7f37',
        textAlignment: 'center',
        font: 'mono',
      },
      {
        markdown: '  - [ ] Milk',
        listStyle: 'task',
        indentationLevel: 1,
        taskInfo: { state: 'todo', scheduleDate: '2026-11-21' },
      },
      { type: 'page', markdown: 'A *page*', textStyle: 'card', cardLayout: 'small', content: [{ markdown: 'in' }] },
      { type: 'code', rawCode: 'x = 1\n', language: 'python' },
      { markdown: '```js title="x"\nx\n```', language: 'javascript', info: 'js title="x"' },
      {
        type: 'richUrl',
        markdown: '[Example](https://example.org)',
        title: 'Example',
        description: 'A site',
        layout: 'card',
      },
      { type: 'line', markdown: '******', lineStyle: 'strong' },
      { type: 'table' },
      { type: 'image', markdown: '![A](https://example.org/a.png)', altText: 'A', size: 'fill' },
      { type: 'video', url: 'https://example.org/a.mp4' },
      { type: 'file', fileName: 'a.pdf', blockLayout: 'small' },
      { type: 'whiteboard' },
    ])
    expect(await contentOf(connected, id)).toEqual(items)
  })

  test('a text of several paragraphs or list items becomes several blocks', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const blocks = [{ type: 'text', markdown: 'one\n\n- two\n  - three' }]
    const { items } = await connected.call('blocks_add', { blocks, position: { position: 'end', pageId: id } })
    expect(outline(items)).toEqual(['one', '- two', '  - three'])
  })

  test('markdown and fields may both be given; the fields take precedence', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const blocks = [
      { type: 'image', markdown: '![words](https://example.org/a.png)', url: 'https://example.org/b.png' },
      {
        type: 'file',
        markdown: '[a.pdf](https://example.org/a.pdf)',
        url: 'https://example.org/a.pdf',
        fileName: 'a.pdf',
      },
      { type: 'line', markdown: '***', lineStyle: 'strong' },
    ]
    const { items } = await connected.call('blocks_add', { blocks, position: { position: 'end', pageId: id } })
    expect(items).toMatchObject([
      { type: 'image', url: 'https://example.org/b.png', altText: 'words' },
      { type: 'file', fileName: 'a.pdf' },
      { type: 'line', lineStyle: 'strong' },
    ])
  })

  test('an empty text is an empty block', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const { items } = await connected.call('blocks_add', {
      blocks: [{ type: 'text', markdown: '' }],
      position: { position: 'end', pageId: id },
    })
    expect(outline(items)).toEqual([''])
  })

  test('a color is kept as it was sent, and the readable one stands beside it', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const blocks = [
      { type: 'text', markdown: 'x', color: '#FFFF00' },
      { type: 'page', title: 'y', color: '#1A7F37' },
      { type: 'text', markdown: 'z' },
    ]
    await connected.call('blocks_add', { blocks, position: { position: 'end', pageId: id } })
    const [yellow, green, none] = await contentOf(connected, id)
    expect(yellow).toMatchObject({ color: '#FFFF00', displayColor: displayColors('#FFFF00').light })
    expect(green).toMatchObject({ color: '#1A7F37', displayColor: '#1a7f37' })
    for (const key of ['color', 'displayColor', 'colorDark']) expect(none).not.toHaveProperty(key)
  })

  test('decorations are an object, or an array of names', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const blocks = [
      { type: 'text', markdown: 'a', decorations: ['quote'] },
      { type: 'text', markdown: 'b', decorations: { callout: true } },
    ]
    const { items } = await connected.call('blocks_add', { blocks, position: { position: 'end', pageId: id } })
    expect(items).toMatchObject([
      { markdown: '> a', decorations: { quote: true } },
      { markdown: '<callout>b</callout>', decorations: { callout: true } },
    ])
  })

  test.each([
    [[{ type: 'text' }], 'At blocks[0]: Expected markdown on a new text block, found none; give it.'],
    [
      [{ type: 'text', markdown: 'a', rawCode: 'b' }],
      'At blocks[0]: Expected fields of a text block (textStyle, textAlignment, font, cardLayout, content, indentationLevel, depth, listStyle, number, decorations, color, taskInfo), found rawCode; leave it out.',
    ],
    [
      [{ type: 'line', content: [{ type: 'line' }] }],
      'At blocks[0]: Expected fields of a line block (lineStyle, separatorStyle, indentationLevel, depth, listStyle, number, decorations, color, taskInfo), found content; leave it out.',
    ],
    [
      [{ type: 'image', markdown: 'words' }],
      'At blocks[0]: Expected the Markdown of one image block, found a text block; a block keeps its type, add others with blocks_add.',
    ],
    [[{ type: 'page' }], 'At blocks[0]: Expected title or markdown on a new page block, found none; give it.'],
    [[{ type: 'image' }], 'At blocks[0]: Expected url or markdown on a new image block, found none; give it.'],
    [
      [{ type: 'text', markdown: 'a', url: 'https://example.org' }],
      'At blocks[0]: Expected fields of a text block (textStyle, textAlignment, font, cardLayout, content, indentationLevel, depth, listStyle, number, decorations, color, taskInfo), found url; leave it out.',
    ],
    [
      [{ type: 'heading', markdown: 'a' }],
      'At blocks[0].type: Expected one of text, page, code, richUrl, line, table, image, video, file, whiteboard, found "heading".',
    ],
    [
      [{ type: 'text', markdown: 'a', color: 'red' }],
      'At blocks[0].color: Expected a color as # and six hex digits such as #1a7f37, found "red".',
    ],
    [
      [{ type: 'text', markdown: 'a', indentationLevel: 6 }],
      'At blocks[0].indentationLevel: Expected at most 5, found 6.',
    ],
    [
      [{ type: 'text', markdown: 'a', colour: '#000000' }],
      'At blocks[0]: Expected a known key, found "colour"; did you mean color?',
    ],
    [
      [{ type: 'text', markdown: 'a', taskInfo: { scheduleDate: '2026-02-30' } }],
      'At blocks[0].taskInfo.scheduleDate: Expected a day that exists, found "2026-02-30"; that month has 28 days.',
    ],
    [
      [{ type: 'page', title: 'a', content: [{ type: 'text' }] }],
      'At blocks[0].content[0]: Expected markdown on a new text block, found none; give it.',
    ],
  ])('%j is rejected and nothing is written', async (blocks, message) => {
    const connected = await connect()
    const id = await documentOf(connected)
    const args = { blocks: [{ type: 'text', markdown: 'good' }, ...blocks], position: { position: 'end', pageId: id } }
    const shifted = message.replaceAll('blocks[0]', 'blocks[1]')
    expect(await connected.refused('blocks_add', args)).toBe(shifted)
    expect(await outlineOf(connected, id)).toEqual([])
  })

  test('every error is reported, with its path', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const blocks = [{ type: 'text' }, { type: 'text', markdown: 'a' }, { type: 'image' }]
    const args = { blocks, position: { position: 'end', pageId: id } }
    expect(await connected.faults('blocks_add', args)).toEqual({
      error: 'At blocks[0]: Expected markdown on a new text block, found none; give it. (1 more in details)',
      code: 'VALIDATION_ERROR',
      details: [
        { path: 'blocks[0]', message: 'Expected markdown on a new text block, found none; give it.' },
        { path: 'blocks[2]', message: 'Expected url or markdown on a new image block, found none; give it.' },
      ],
    })
  })

  test('either blocks or markdown', async () => {
    const { refused } = await connect()
    const message = 'Expected either blocks or markdown, found both or neither; give one of them.'
    const position = { position: 'end' }
    expect(await refused('blocks_add', { position })).toBe(message)
    expect(await refused('blocks_add', { position, markdown: 'a', blocks: [{ type: 'line' }] })).toBe(message)
  })
})
