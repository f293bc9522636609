import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../connect.ts'
import { contentOf, documentOf, idsOf } from '../document.ts'

const commentsOn = async ({ call }: Connected, id: string): Promise<Answer[]> =>
  (await call('blocks_get', { id, fetchMetadata: true, maxDepth: 0 })).metadata.comments

/** Creates a document with a block that has these comments. */
async function commented(contents: readonly string[], connected?: Connected) {
  const own = connected ?? (await connect())
  const document = await documentOf(own, 'words\n\nother')
  const { words: block = '' } = await idsOf(own, document)
  const { items } = await own.call('comments_add', {
    comments: contents.map((content) => ({ blockId: block, content })),
  })
  const text = async () => (await own.call('blocks_get', { id: block })).markdown
  return { ...own, document, block, ids: items.map((one: Answer) => one.commentId) as string[], text }
}

/** Connects as another author to the same space. */
async function connectAs(author: string, to: Connected): Promise<Connected> {
  const link = await to.space.createAccessLink('full', [], author)
  return connect('full', { to, caller: { link } })
}

describe('comments_update', () => {
  test('changes the text of a comment', async () => {
    const own = await commented(['first', 'second'])
    const [id = ''] = own.ids
    own.clock.now += 60_000
    const answer = await own.call('comments_update', { comments: [{ commentId: id, content: 'better' }] })
    expect(answer).toEqual({ items: [{ commentId: id, blockId: own.block }] })
    expect(await commentsOn(own, own.block)).toEqual([
      {
        id,
        author: 'tester',
        content: 'better',
        createdAt: '2026-11-20T09:00:00.000Z',
        modifiedAt: '2026-11-20T09:01:00.000Z',
      },
      { id: own.ids[1], author: 'tester', content: 'second', createdAt: '2026-11-20T09:00:00.000Z' },
    ])
    expect((await own.call('documents_search', { include: ['better'] })).items).toHaveLength(1)
    expect((await own.call('documents_search', { include: ['first'] })).items).toEqual([])
  })

  test('resolves and reopens, also comments by others', async () => {
    const own = await commented(['first'])
    const [id = ''] = own.ids
    const other = await connectAs('Anna', own)
    await other.call('comments_update', { comments: [{ commentId: id, resolved: true }] })
    const resolved = { resolvedAt: '2026-11-20T09:00:00.000Z', resolvedBy: 'Anna' }
    expect(await commentsOn(own, own.block)).toMatchObject([{ id, content: 'first', ...resolved }])
    const markdown = await own.client.callTool({
      name: 'blocks_get',
      arguments: { id: own.block, fetchMetadata: true, format: 'markdown' },
    })
    expect(JSON.stringify(markdown.content)).toContain(
      `Comment ${id} on block://${own.block} by tester, 2026-11-20T09:00:00.000Z, resolved by Anna, 2026-11-20T09:00:00.000Z:`,
    )
    // A second time changes nothing: the first person remains the one who resolved it.
    await own.call('comments_update', { comments: [{ commentId: id, resolved: true }] })
    expect(await commentsOn(own, own.block)).toMatchObject([resolved])
    await own.call('comments_update', { comments: [{ commentId: id, resolved: false }] })
    expect(await commentsOn(own, own.block)).toEqual([
      { id, author: 'tester', content: 'first', createdAt: '2026-11-20T09:00:00.000Z' },
    ])
  })

  test('deletes: the tag passes to the next comment, and is removed with the last', async () => {
    const own = await commented(['first', 'second', 'third'])
    const [first, second, third] = own.ids
    await own.call('comments_update', { comments: [{ commentId: second, delete: true }] })
    expect(await own.text()).toBe(`<comment id="${first}">words</comment>`)
    await own.call('comments_update', { comments: [{ commentId: first, delete: true }] })
    expect(await own.text()).toBe(`<comment id="${third}">words</comment>`)
    expect(await commentsOn(own, own.block)).toMatchObject([{ id: third }])
    await own.call('comments_update', { comments: [{ commentId: third, delete: true }] })
    expect(await own.text()).toBe('words')
    expect(await commentsOn(own, own.block)).toBeUndefined()
    expect((await own.call('documents_search', { include: ['third'] })).items).toEqual([])
  })

  test('deletes several of a thread at once, and those of other blocks stay', async () => {
    const own = await commented(['first', 'second'])
    const { other: otherBlock = '' } = await idsOf(own, own.document)
    const { commentId: kept } = await own.call('comments_add', {
      comments: [{ blockId: otherBlock, content: 'kept' }],
    })
    await own.call('comments_update', { comments: own.ids.map((commentId) => ({ commentId, delete: true })) })
    expect((await contentOf(own, own.document)).map(({ markdown }) => markdown)).toEqual([
      'words',
      `<comment id="${kept}">other</comment>`,
    ])
  })

  test('changes the revision of the document', async () => {
    const own = await commented(['first'])
    const { revision } = await own.call('blocks_get', { id: own.document })
    await own.call('comments_update', { comments: [{ commentId: own.ids[0], resolved: true }] })
    expect((await own.call('blocks_get', { id: own.document })).revision).not.toBe(revision)
  })

  test('accepts a comment as it was read', async () => {
    const own = await commented(['first'])
    const [comment] = await commentsOn(own, own.block)
    await own.call('comments_update', { comments: [{ ...comment, content: 'second' }] })
    expect(await commentsOn(own, own.block)).toMatchObject([{ content: 'second' }])
    const { id, content } = comment
    expect(await own.refused('comments_update', { comments: [{ id, content, author: 'Anna' }] })).toBe(
      'At comments[0].author: Expected author as it is ("tester"), found "Anna"; leave it out.',
    )
  })

  test('a narrow link that sends back what it was shown keeps the hidden address', async () => {
    const full = await connect()
    const hidden = await documentOf(full, 'hidden')
    const own = await commented([`see [this](block://${hidden})`], full)
    const selected = await connect('selected', { to: full, documents: [own.document] })
    const [comment] = await commentsOn(selected, own.block)
    expect(comment.content).toBe('see [this](invalid:out_of_scope)')
    const content = `${comment.content} soon`
    await selected.call('comments_update', { comments: [{ commentId: comment.id, content }] })
    expect(await commentsOn(full, own.block)).toMatchObject([{ content: `see [this](block://${hidden}) soon` }])
  })
})

describe('comments_update rejects', () => {
  test('changes and deletions of comments by others', async () => {
    const own = await commented(['first'])
    const [id] = own.ids
    const other = await connectAs('Anna', own)
    expect(await other.refused('comments_update', { comments: [{ commentId: id, content: 'mine' }] })).toBe(
      `Expected a comment of your own (Anna) to change, found ${id} by tester; resolve it, or add a comment of your own.`,
    )
    expect(await other.refused('comments_update', { comments: [{ commentId: id, delete: true }] })).toBe(
      `Expected a comment of your own (Anna) to delete, found ${id} by tester; resolve it, or add a comment of your own.`,
    )
    expect(await commentsOn(own, own.block)).toMatchObject([{ content: 'first' }])
  })

  test('an ID that is not a comment within reach', async () => {
    const own = await commented(['first'])
    const selected = await connect('selected', { to: own, documents: [await documentOf(own, 'seen')] })
    const [id] = own.ids
    expect(await selected.refused('comments_update', { comments: [{ commentId: id, resolved: true }] })).toBe(
      `Expected the ID of a comment within reach, found ${id}; read IDs with blocks_get and fetchMetadata, and name one of those.`,
    )
    expect(await own.refused('comments_update', { comments: [{ commentId: own.block, resolved: true }] })).toBe(
      `Expected the ID of a comment, found ${own.block}, which is a block's; blocks_get with fetchMetadata shows its comments.`,
    )
  })

  test.each([
    [[{}], 'none of them'],
    [[{ delete: true, content: 'x' }], 'delete with another change'],
    [[{ delete: true, resolved: true }], 'delete with another change'],
  ])('an update of %j', async ([update], found) => {
    const own = await commented(['first'])
    expect(await own.refused('comments_update', { comments: [{ commentId: own.ids[0], ...update }] })).toBe(
      `At comments[0]: Expected content, resolved or both, or delete alone, found ${found}; give what is to change.`,
    )
  })

  test('a comment that is given twice', async () => {
    const own = await commented(['first'])
    const [commentId] = own.ids
    const comments = [
      { commentId, resolved: true },
      { commentId, delete: true },
    ]
    expect(await own.refused('comments_update', { comments })).toBe(
      `Expected each comment once, found ${commentId} twice; leave one out.`,
    )
  })

  test('an address that executes code', async () => {
    const own = await commented(['first'])
    const comments = [{ commentId: own.ids[0], content: '[a](javascript:alert(1))' }]
    const added = await own.refused('comments_add', {
      comments: [{ blockId: own.block, content: comments[0]?.content }],
    })
    expect(await own.refused('comments_update', { comments })).toBe(added)
  })
})
