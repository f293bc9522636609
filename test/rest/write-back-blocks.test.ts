/** Read-only fields of blocks: a request that contradicts the current value is rejected. */
import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../connect.ts'
import { png } from '../picture.ts'
import { askerOf, documentBy } from './rest-asker.ts'

describe('a block', () => {
  const MARKDOWN =
    'one\n\n<page><pageTitle>Page</pageTitle><content>\ntwo\n\n<page><pageTitle>Deep</pageTitle><content>x</content></page>\n</content></page>'

  /** The document, its first block, its page, and an image and a text that were uploaded into it. */
  async function build() {
    const connected = await connect()
    const asker = await askerOf({ to: connected })
    const id = await documentBy(asker, MARKDOWN)
    const position = { position: 'end', pageId: id }
    await connected.call('files_add', { position, data: png(40, 20).toString('base64'), fileName: 'a.png' })
    await connected.call('files_add', { position, text: 'words', fileName: 'a.txt' })
    const page = (await asker.ask(`GET /blocks?id=${id}&fetchMetadata=true`)).json
    const [one, inner, image, file] = page.content
    return { ...asker, id, page, one, inner, image, file }
  }
  type Built = Awaited<ReturnType<typeof build>>

  const LEAVE_OUT = 'leave it out, since the space writes it'
  const FROM_FILE = 'leave it out, since it follows from the file'
  const CHANGE_INSIDE =
    'leave it out, and change the blocks inside by entries of their own, with blocks_add, blocks_move and blocks_delete'
  test.each<[field: string, sent: (built: Built) => object, message: string | ((built: Built) => string)]>([
    [
      'metadata',
      ({ one: { id } }) => ({ id, metadata: { createdBy: 'me' } }),
      `Expected metadata.createdBy as it is ("tester"), found "me"; ${LEAVE_OUT}.`,
    ],
    [
      'metadata',
      ({ one: { id } }) => ({ id, metadata: { comments: [{ content: 'new' }] } }),
      `Expected metadata.comments as it is (none), found [{"content":"new"}]; ${LEAVE_OUT}.`,
    ],
    [
      'uploaded',
      ({ one: { id } }) => ({ id, uploaded: true }),
      'Expected uploaded as it is (false), found true; leave it out; files are uploaded with files_add.',
    ],
    [
      'mimeType',
      ({ image: { id } }) => ({ id, mimeType: 'image/gif' }),
      `Expected mimeType as it is ("image/png"), found "image/gif"; ${FROM_FILE}.`,
    ],
    ['fileSize', ({ file: { id } }) => ({ id, fileSize: 6 }), `Expected fileSize as it is (5), found 6; ${FROM_FILE}.`],
    [
      'aspectRatio',
      ({ image: { id } }) => ({ id, aspectRatio: 1 }),
      `Expected aspectRatio as it is (2), found 1; ${FROM_FILE}.`,
    ],
    [
      'displayColor',
      ({ one: { id } }) => ({ id, color: '#ffff00', displayColor: '#ffff00' }),
      'Expected displayColor as it is (none), found "#ffff00"; leave it out, since it follows from color.',
    ],
    [
      'content',
      ({ page: { id, content } }) => ({ id, content: content.slice(1) }),
      `Expected content as it is (4 entries), found 3 entries; ${CHANGE_INSIDE}.`,
    ],
    [
      'content',
      ({ inner: { id, content } }) => ({ id, content: [{ ...content[0], markdown: 'three' }, content[1]] }),
      `Expected content[0].markdown as it is ("two"), found "three"; ${CHANGE_INSIDE}.`,
    ],
    [
      'content',
      ({ one: { id }, inner: { content } }) => ({ id, content }),
      ({ inner: { content } }) =>
        `Expected content as it is (none), found ${JSON.stringify(content).slice(0, 60)}…; ${CHANGE_INSIDE}.`,
    ],
    [
      'contentPreviewMd',
      ({ inner: { id } }) => ({ id, contentPreviewMd: 'one' }),
      `Expected contentPreviewMd as it is ("two\\nDeep"), found "one"; ${CHANGE_INSIDE}.`,
    ],
    [
      'properties',
      ({ one: { id } }) => ({ id, properties: { n: 1 } }),
      'Expected properties.n as it is (none), found 1; change the properties of items with items_update.',
    ],
    [
      'documentId',
      ({ one }) => ({ id: one.id, documentId: one.id }),
      ({ id, one }) => `Expected documentId as it is ("${id}"), found "${one.id}"; move blocks with blocks_move.`,
    ],
  ])('to update with another %s', async (field, sent, message) => {
    const built = await build()
    const block = sent(built)
    const response = await built.refused(400, 'PUT /blocks', { blocks: [block] })
    expect(response).toBe(`At blocks[0].${field}: ${typeof message === 'string' ? message : message(built)}`)
    expect((await built.ask(`GET /blocks?id=${built.id}&fetchMetadata=true`)).json).toEqual(built.page)
  })

  test('to add may describe its file, but only truthfully', async () => {
    const { image, file, id, ask, refused } = await build()
    const add = (block: object) => ({ blocks: [block], position: { position: 'end', pageId: id } })
    const withoutId = ({ id: _, metadata, ...block }: Answer) => block
    const copies = await ask('POST /blocks', add(withoutId(image)))
    expect(withoutId(copies.json.items[0])).toEqual(withoutId(image))
    // Also without mentioning it.
    const { type, url } = image
    const { mimeType, fileSize, aspectRatio } = image
    const facts = { uploaded: true, mimeType, fileSize, aspectRatio }
    expect((await ask('POST /blocks', add({ type, url }))).json.items[0]).toMatchObject(facts)
    const outside = { type: 'image', url: 'https://example.org/a.png', mimeType: 'image/png', uploaded: false }
    expect(await refused(400, 'POST /blocks', add({ ...outside, uploaded: true }))).toBe(
      'At blocks[0].uploaded: Expected uploaded as it is (false), found true; leave it out; files are uploaded with files_add.',
    )
    expect(
      await refused(
        400,
        'POST /blocks',
        add({ type: 'page', title: 'a', content: [{ ...withoutId(image), fileSize: 1 }] }),
      ),
    ).toBe(`At blocks[0].content[0].fileSize: Expected fileSize as it is (${fileSize}), found 1; ${FROM_FILE}.`)
    expect(await refused(400, 'POST /blocks', add({ ...withoutId(file), mimeType: 'text/csv' }))).toBe(
      `At blocks[0].mimeType: Expected mimeType as it is ("text/plain"), found "text/csv"; ${FROM_FILE}.`,
    )
  })

  test('keeps what is stated about a file elsewhere, until its address changes', async () => {
    const { id, image, ask, refused } = await build()
    const position = { position: 'end', pageId: id }
    const sizes = { fileSize: 12_000, mimeType: 'image/png' }
    const facts = { ...sizes, aspectRatio: 1.5, previewImageWidth: 640 }
    const at = (name: string) => ({ url: `https://example.org/${name}` })
    const sent = [
      { type: 'image', ...at('a.png'), ...facts },
      { type: 'video', ...at('a.mp4'), ...sizes },
      { type: 'file', ...at('a.pdf'), ...sizes },
    ]
    const { items } = (await ask('POST /blocks', { blocks: sent, position })).json
    expect(items).toMatchObject(sent)
    expect(items[0]).not.toHaveProperty('uploaded')
    const update = async (blocks: object[]) => (await ask('PUT /blocks', { blocks })).json.items
    expect(await update(items)).toEqual(items)
    const [first] = items
    const [changed] = await update([{ id: first.id, aspectRatio: 2, mimeType: null }])
    expect(changed).toMatchObject({ fileSize: 12_000, aspectRatio: 2, previewImageWidth: 640 })
    expect(changed).not.toHaveProperty('mimeType')
    expect(await update([{ id: first.id, altText: 'A' }])).toMatchObject([{ fileSize: 12_000, aspectRatio: 2 }])
    const [moved] = await update([{ id: first.id, ...at('b.png'), previewImageWidth: 320 }])
    expect(moved).toMatchObject({ ...at('b.png'), previewImageWidth: 320 })
    for (const key of ['fileSize', 'mimeType', 'aspectRatio']) expect(moved).not.toHaveProperty(key)
    // The facts of a stored file are its own, even if those of the address before are sent with it.
    const { url, uploaded, mimeType, fileSize, aspectRatio } = image
    const known = { uploaded, mimeType, fileSize, aspectRatio }
    expect(await update([{ ...moved, url }])).toMatchObject([{ ...known, previewImageWidth: 320 }])
    expect(await update([{ ...moved, url }])).toMatchObject([{ ...known, previewImageWidth: 320 }])
    expect(await refused(400, 'PUT /blocks', { blocks: [{ ...moved, ...at('c.png'), uploaded: 1 }] })).toContain(
      'At blocks[0].uploaded: ',
    )
    expect(await update([{ id: first.id, altText: 'B', ...at('c.png'), ...known, fileSize: 5 }])).toMatchObject([
      { ...at('c.png'), mimeType, fileSize: 5 },
    ])
    expect((await ask(`GET /blocks?id=${first.id}`)).json).not.toHaveProperty('uploaded')
  })

  test.each([
    [
      { type: 'text', markdown: 'a', mimeType: 'image/png' },
      /^At blocks\[0\]: Expected fields of a text block .* found mimeType/,
    ],
    [
      { type: 'video', url: 'https://example.org/a', aspectRatio: 1 },
      /^At blocks\[0\]: Expected fields of a video block .* found aspectRatio/,
    ],
    [
      { type: 'image', url: 'https://example.org/a', mimeType: '[a](block://1)' },
      /^At blocks\[0\]\.mimeType: Expected the type of the file/,
    ],
    [{ type: 'image', url: 'https://example.org/a', fileSize: -1 }, /^At blocks\[0\]\.fileSize: /],
    [{ type: 'image', url: 'https://example.org/a', aspectRatio: 0 }, /^At blocks\[0\]\.aspectRatio: /],
  ])('%j is refused', async (block, message) => {
    const { refused } = await askerOf()
    const body = { blocks: [block], position: { position: 'end', date: 'today' } }
    expect(await refused(400, 'POST /blocks', body)).toMatch(message)
  })

  test('keeps its color as it was sent', async () => {
    const { id, one, ask, refused } = await build()
    const colors = ['#FFFF00', '#ff0000', '#00C853', '#2962ff', '#AA00FF', '#9e9e9e']
    const blocks = colors.map((color) => ({ type: 'text', markdown: color, color }))
    const position = { position: 'end', pageId: id }
    const { items } = (await ask('POST /blocks', { blocks, position })).json
    expect(items.map(({ color }: Answer) => color)).toEqual(colors)
    const copies = items.map(({ id: _, ...block }: Answer) => block)
    const added = (await ask('POST /blocks', { blocks: copies, position })).json.items
    expect(added.map(({ id: _, ...block }: Answer) => block)).toEqual(copies)
    expect((await ask('PUT /blocks', { blocks: added })).json.items).toEqual(added)
    // The variant that was read belongs to the color that was read.
    const changed = { ...items[0], color: '#000000' }
    expect((await ask('PUT /blocks', { blocks: [changed] })).json.items[0]).toMatchObject({ displayColor: '#000000' })
    expect(await refused(400, 'POST /blocks', { blocks: [{ ...copies[0], color: '#000000' }], position })).toBe(
      `At blocks[0].displayColor: Expected displayColor as it is ("#000000"), found "${copies[0].displayColor}"; leave it out, since it follows from color.`,
    )
    const cleared = { id: items[1].id, color: null }
    const [plain] = (await ask('PUT /blocks', { blocks: [cleared] })).json.items
    for (const key of ['color', 'displayColor']) expect(plain).not.toHaveProperty(key)
    expect(one).not.toHaveProperty('displayColor')
  })

  test('that shows another file may describe that one', async () => {
    const { image, file, ask } = await build()
    const change = async (url: string) => (await ask('PUT /blocks', { blocks: [{ id: file.id, url }] })).json.items[0]
    const { uploaded, mimeType, fileSize } = image
    expect(await change(image.url)).toMatchObject({ uploaded, mimeType, fileSize })
    const { id, type, markdown } = file
    const outside = await change('https://example.org/b.txt')
    expect(outside).toMatchObject({ id, type, url: 'https://example.org/b.txt' })
    for (const key of ['uploaded', 'mimeType', 'fileSize', 'aspectRatio']) expect(outside).not.toHaveProperty(key)
    expect(markdown).toContain('a.txt')
  })

  test('to add is not created from a partial read', async () => {
    const { id, inner, ask, refused } = await build()
    const [, page] = (await ask(`GET /blocks?id=${id}&maxDepth=1`)).json.content
    const { id: _, ...cut } = page
    const position = { position: 'end', pageId: id }
    const message =
      'At blocks[0]: Expected the content, found contentPreviewMd, its first lines, alone; read it with a greater maxDepth and send content, or leave contentPreviewMd out.'
    expect(await refused(400, 'POST /blocks', { blocks: [cut], position })).toBe(message)
    expect((await ask('PUT /blocks', { blocks: [page] })).status).toBe(200)
    expect(inner.id).toBe(page.id)
  })

  test.each([
    [
      'collection',
      'Expected a block of another type, found a collection; add it with collections_add, and its items with items_add.',
    ],
    ['collectionItem', 'Expected a block of another type, found an item of a collection; add it with items_add.'],
    ['drawing', 'Expected a block of another type, found a drawing; draw on a whiteboard with elements_add.'],
    ['texts', 'Expected one of text, page, code, richUrl, line, table, image, video, file, whiteboard, found "texts".'],
  ])('of type %s is not added', async (type, message) => {
    const { refused } = await askerOf()
    const body = { blocks: [{ type, markdown: 'x' }], position: { position: 'end', date: 'today' } }
    expect(await refused(400, 'POST /blocks', body)).toBe(`At blocks[0].type: ${message}`)
  })
})
