import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasComment, withComment, withoutComments } from '../../src/markdown/comment-tags.ts'
import { normalizeText, plainText } from '../../src/markdown/inline-text.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { contentOf, documentOf, idsOf } from '../document.ts'
import { askerOf } from '../rest/rest-asker.ts'
import { firstValue } from '../sqlite.ts'
import { runs } from '../support/runs.ts'

const commentsOn = async ({ call }: Connected, id: string): Promise<Answer[]> =>
  (await call('blocks_get', { id, fetchMetadata: true, maxDepth: 0 })).metadata.comments

describe('a comment', () => {
  test('is shown in the metadata and around the text; several in one call', async () => {
    const connected = await connect()
    const document = await documentOf(connected, '- **one**\n- two')
    const [a, b] = await contentOf(connected, document)
    const comments = [
      { blockId: a.id, content: 'first' },
      { blockId: b.id, content: 'second' },
      { blockId: a.id, content: 'third' },
    ]
    const { commentId, items } = await connected.call('comments_add', { comments })
    expect(items).toHaveLength(3)
    expect(commentId).toBe(items[0].commentId)
    const textOf = (index: number, content: string) => ({
      id: items[index].commentId,
      author: 'tester',
      content,
      createdAt: '2026-11-20T09:00:00.000Z',
    })
    expect(await commentsOn(connected, a.id)).toEqual([textOf(0, 'first'), textOf(2, 'third')])
    expect(await commentsOn(connected, b.id)).toEqual([textOf(1, 'second')])
    // Each thread has a single tag, so a later comment joins the first.
    expect((await contentOf(connected, document)).map(({ markdown }) => markdown)).toEqual([
      `- <comment id="${commentId}">**one**</comment>`,
      `- <comment id="${items[1].commentId}">two</comment>`,
    ])
  })

  test('can be on blocks of any type, in every kind of connection', async () => {
    const full = await connect()
    const markdown = 'text\n\n```\ncode\n```\n\n| a |\n| - |\n| b |\n\n---\n\n<page><pageTitle>page</pageTitle></page>'
    const document = await documentOf(full, markdown)
    const blocks = await contentOf(full, document)
    const selected = await connect('selected', { to: full, documents: [document] })
    await selected.call('comments_add', {
      comments: [document, ...blocks.map(({ id }) => id)].map((blockId) => ({ blockId, content: 'said' })),
    })
    for (const id of [document, ...blocks.map(({ id }) => id)]) expect(await commentsOn(full, id)).toHaveLength(1)
    const after = await contentOf(full, document)
    expect(after.slice(1, 4)).toEqual(blocks.slice(1, 4))
    expect(after[4]).toMatchObject({
      markdown: 'page',
      title: { attributes: [{ type: 'commentMarker', start: 0, end: 4 }] },
    })
    expect((await full.call('documents_list')).items[0].title).toBe('Document')

    const daily = await connect('daily', { to: full })
    const { items } = await daily.call('blocks_add', { markdown: 'day', position: { position: 'end' } })
    await daily.call('comments_add', { comments: [{ blockId: items[0].documentId, content: 'on the day' }] })
    const note = await full.call('blocks_get', { date: 'today', fetchMetadata: true })
    expect(note.metadata.comments).toHaveLength(1)
    expect(note.title).toEqual({ value: 'Friday, November 20, 2026', attributes: [] })
  })

  test('is kept when the text is edited, with or without its tag', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'words\n\nother')
    const { words = '' } = await idsOf(connected, document)
    const { commentId } = await connected.call('comments_add', { comments: [{ blockId: words, content: 'said' }] })
    const text = async () => (await connected.call('blocks_get', { id: words })).markdown
    await connected.call('blocks_update', {
      blocks: [{ id: words, markdown: `before <comment id="${commentId}">words</comment> after` }],
    })
    expect(await text()).toBe(`before <comment id="${commentId}">words</comment> after`)
    await connected.call('blocks_update', { blocks: [{ id: words, markdown: '# all *new*' }] })
    expect(await text()).toBe(`# <comment id="${commentId}">all *new*</comment>`)
    const { revision } = await connected.call('blocks_get', { id: document })
    await connected.call('blocks_update', { pageId: document, markdown: '# all new, once more\n\nother', revision })
    expect(await text()).toBe(`# <comment id="${commentId}">all new, once more</comment>`)
    expect(await commentsOn(connected, words)).toHaveLength(1)
  })

  test('changes the revision, so that an earlier read of the page cannot overwrite it', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'words')
    const { revision } = await connected.call('blocks_get', { id: document })
    const [{ id: blockId }] = (await contentOf(connected, document)) as [Answer]
    await connected.call('comments_add', { comments: [{ blockId, content: 'said' }] })
    const edit = { pageId: document, markdown: 'other words', revision }
    expect(await connected.refused('blocks_update', edit)).toMatch(/^Expected revision .* has changed since/)
  })

  test('is deleted with its block, and not copied with it', async () => {
    const connected = await connect()
    const { items } = await connected.call('documents_add', {
      documents: [{ title: 'T', markdown: 'words' }],
      destination: { destination: 'templates' },
    })
    const [block] = await contentOf(connected, items[0].id)
    await connected.call('comments_add', { comments: [{ blockId: block.id, content: 'said' }] })
    const copy = await connected.call('documents_add', { documents: [{ title: 'C', templateId: items[0].id }] })
    expect(await contentOf(connected, copy.items[0].id)).toMatchObject([{ markdown: 'words' }])
    await connected.call('blocks_delete', { blockIds: [block.id] })
    const left = await connected.space.read(await connected.space.createAccessLink('full', [], 'test'), ({ tx }) =>
      firstValue(tx, 'SELECT count(*) FROM comment'),
    )
    expect(left).toBe(0)
  })

  test('on a block out of reach is rejected, with the others of its call', async () => {
    const full = await connect()
    const [hidden] = await contentOf(full, await documentOf(full, 'hidden'))
    const document = await documentOf(full, 'seen')
    const [seen] = await contentOf(full, document)
    const selected = await connect('selected', { to: full, documents: [document] })
    const comments = [seen, hidden].map(({ id: blockId }) => ({ blockId, content: 'said' }))
    expect(await selected.refused('comments_add', { comments })).toBe(
      `Expected the ID of a block within reach, found ${hidden.id}; read IDs with blocks_get and name one of those.`,
    )
    expect(await commentsOn(full, seen.id)).toBeUndefined()
  })

  test('must not be empty', async () => {
    const { refused } = await connect()
    expect(await refused('comments_add', { comments: [{ blockId: 'x', content: '' }] })).toBe(
      'At comments[0].content: Expected at least 1 character, found 0.',
    )
  })
})

describe('the tag around a text', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '**b**',
    '*c*',
    '`d`',
    '$e$',
    '[f](g)',
    '<highlight color="red">h</highlight>',
    '\\*',
    '\n',
    '&',
    '\\\n',
    '~~i~~',
    '<',
  )
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => {
    try {
      return normalizeText(pieces.join(''))
    } catch {
      return 'plain'
    }
  })

  test('is a fixed point, changes no text, and can be removed without a trace', () => {
    fc.assert(
      fc.property(text, (one) => {
        const commented = withComment(one, 'id-1')
        expect(normalizeText(commented)).toBe(commented)
        expect(hasComment(commented, 'id-2')).toBe(false)
        expect(hasComment(commented, 'id-1')).toBe(one.trim() !== '')
        expect(plainText(commented)).toBe(plainText(one))
        expect(withoutComments(commented)).toBe(one)
      }),
      { numRuns: runs(150, 2000) },
    )
  })
})

describe('over REST', () => {
  test('tags and markers have the ID that POST /comments returned, and are written back as they were read', async () => {
    const connected = await connect()
    const { ask } = await askerOf({ to: connected })
    const pageId = await documentOf(connected, '`<comment id="100000000001">`\n\nwords\n\n| a |\n| - |\n| b |')
    const blocks = (await ask(`GET /blocks?id=${pageId}`)).json.content
    const added = await ask('POST /comments', {
      comments: [pageId, blocks[1].id].map((blockId) => ({ blockId, content: 'so' })),
    })
    const [onTitle, onWords] = added.json.items.map(({ commentId }: { commentId: string }) => commentId)
    expect(onWords).toMatch(/^[0-9a-f]{8}-.{27}$/)
    const page = (await ask(`GET /blocks?id=${pageId}&fetchMetadata=true`)).json
    expect(page.title.attributes).toMatchObject([{ type: 'commentMarker', markerId: onTitle }])
    const [code, words] = page.content
    expect(code.markdown).toBe('`<comment id="100000000001">`')
    expect(words.markdown).toBe(`<comment id="${onWords}">words</comment>`)
    expect(words.metadata.comments[0].id).toBe(onWords)
    const text = await ask(`GET /blocks?id=${pageId}`, undefined, { accept: 'text/markdown' })
    expect(text.text).toContain(words.markdown)
    const { title } = page
    const { json } = await ask('PUT /blocks', {
      blocks: [
        { id: pageId, title },
        { id: words.id, markdown: `_more_ ${words.markdown}` },
      ],
    })
    expect(json.items[1].markdown).toBe(`*more* ${words.markdown}`)
    const short = onWords.slice(-12)
    const [, read] = (await connected.call('blocks_get', { id: pageId })).content
    expect(read.markdown).toBe(`*more* <comment id="${short}">words</comment>`)
    expect((await ask(`GET /blocks?id=${pageId}&ids=short`)).json.content[1].markdown).toBe(read.markdown)
    const { revision } = (await ask(`GET /blocks?id=${pageId}`)).json
    await ask('PUT /blocks', {
      blocks: [
        { id: pageId, title },
        { id: words.id, markdown: json.items[1].markdown },
      ],
    })
    expect((await ask(`GET /blocks?id=${pageId}`)).json.revision).toBe(revision)
    const whole = (await ask(`GET /blocks?id=${pageId}&format=markdown`)).text
    const content = whole.slice(whole.indexOf('<content>') + 10, whole.indexOf('</content>'))
    const edited = await ask('PUT /blocks', { pageId, markdown: content.replace('words', 'new words'), revision })
    expect(edited.json.changed.map((one: string) => one.slice(-12))).toEqual([read.id])
    expect((await connected.call('blocks_get', { id: read.id })).markdown).toBe(
      `*more* <comment id="${short}">new words</comment>`,
    )
  })
})
