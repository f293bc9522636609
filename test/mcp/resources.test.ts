import { describe, expect, test } from 'vitest'
import { skills } from '../../tools/index.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { png } from '../picture.ts'

const uriOf = (kind: string, id: string) => `scriptorium://${kind}/${id}`
/** The resources of the space. */
const uris = async ({ client }: Connected): Promise<string[]> =>
  (await client.listResources()).resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('scriptorium://'))

/** A document with a file and a whiteboard, one hidden from narrow connections, a daily note, and one in the trash. */
async function addOneOfEach(connected: Connected) {
  const { call } = connected
  const hidden = await documentOf(connected, 'hidden words', 'Hidden')
  const document = await documentOf(connected, '# words', 'Shown')
  const position = { position: 'end', pageId: document }
  const picture = png(2, 2)
  const file = await call('files_add', { position, data: picture.toString('base64') })
  const { whiteboardBlockId: board } = await call('whiteboards_add', { position })
  await call('elements_add', { whiteboardBlockId: board, elements: [{ id: 'a', type: 'rectangle' }] })
  const { items } = await call('blocks_add', { markdown: 'day', position: { position: 'end', date: 'today' } })
  const gone = await documentOf(connected, 'gone', 'Gone')
  await call('documents_delete', { documentIds: [gone] })
  return { hidden, document, file: String(file.assetUrl), board, note: String(items[0].documentId), gone, picture }
}

describe('resources', () => {
  test('are the documents, files and whiteboards within reach, except for the trash', async () => {
    const full = await connect()
    const { hidden, document, file, board, note, picture } = await addOneOfEach(full)
    const all = [hidden, document, note].map((id) => uriOf('documents', id))
    expect(await uris(full)).toEqual([...all, file, uriOf('whiteboards', board)])
    const { resources } = await full.client.listResources()
    expect(resources[1]).toEqual({
      uri: uriOf('documents', document),
      name: 'Shown',
      title: 'Shown',
      mimeType: 'text/markdown',
      annotations: { lastModified: '2026-11-20T09:00:00.000Z' },
    })
    expect(resources[3]).toEqual({
      uri: file,
      name: 'image.png',
      title: 'image.png',
      mimeType: 'image/png',
      size: picture.length,
    })
    expect(resources[4]).toEqual({
      uri: uriOf('whiteboards', board),
      name: 'Whiteboard in Shown',
      title: 'Whiteboard in Shown',
      mimeType: 'application/json',
    })
    const selected = await connect('selected', { to: full, documents: [document] })
    expect(await uris(selected)).toEqual([uriOf('documents', document), file, uriOf('whiteboards', board)])
    expect(await uris(await connect('daily', { to: full }))).toEqual([uriOf('documents', note)])
  })

  test('have a name even if the title of the document is blank', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, '', ' ')
    await connected.call('whiteboards_add', { position: { position: 'end', pageId } })
    const { resources } = await connected.client.listResources()
    expect(resources.slice(0, 2)).toMatchObject([
      { name: 'Untitled', title: 'Untitled' },
      { name: 'Whiteboard in Untitled', title: 'Whiteboard in Untitled' },
    ])
  })

  test('within reach are all listed, however many others were created before them', async () => {
    const full = await connect()
    const hidden = await documentOf(full, 'hidden words', 'Hidden')
    const shown = await documentOf(full, 'words', 'Shown')
    const draw = (pageId: string) => full.call('whiteboards_add', { position: { position: 'end', pageId } })
    const blocks = Array(1_000).fill({ type: 'whiteboard' })
    for (let made = 0; made < 2; made++)
      await full.call('blocks_add', { blocks, position: { position: 'end', pageId: hidden } })
    const { whiteboardBlockId: board } = await draw(shown)
    const selected = await connect('selected', { to: full, documents: [shown] })
    expect(await uris(selected)).toEqual([uriOf('documents', shown), uriOf('whiteboards', board)])
  })

  test('can be read: Markdown, bytes, elements', async () => {
    const full = await connect()
    const { document, file, board, picture } = await addOneOfEach(full)
    const read = async (uri: string) => (await full.client.readResource({ uri })).contents[0] as Answer
    const markdown = await full.call('blocks_get', { id: document, format: 'markdown' })
    expect(await read(uriOf('documents', document))).toEqual({
      uri: uriOf('documents', document),
      mimeType: 'text/markdown',
      text: markdown,
    })
    expect(await read(file)).toEqual({ uri: file, mimeType: 'image/png', blob: picture.toString('base64') })
    expect(JSON.parse((await read(uriOf('whiteboards', board))).text).elements).toMatchObject([{ id: 'a' }])
    expect((await full.client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['scriptorium://documents/{id}', 'scriptorium://files/{id}', 'scriptorium://whiteboards/{id}'],
    )
  })

  test.each(['2025', '2026'] as const)('out of reach get the error of those that do not exist (%s)', async (era) => {
    const full = await connect()
    const { hidden, document, file } = await addOneOfEach(full)
    const other = await documentOf(full, '', 'Other')
    const selected = await connect('selected', { to: full, documents: [other], era })
    const refused = async (uri: string) =>
      selected.client
        .readResource({ uri })
        .catch(({ message }: Error) => message.replace(/\d{12}|[0-9a-f-]{36}/g, 'ID'))
    const nowhere = '00000000-0000-7000-8000-999999999999'
    expect(await refused(uriOf('documents', hidden))).toBe(await refused(uriOf('documents', nowhere)))
    expect(await refused(file)).toBe(await refused(uriOf('files', nowhere)))
    expect(await refused(uriOf('documents', document))).toMatch(/Expected the ID of a document within reach/)
    expect(await refused('https://example.org')).toMatch(
      /Expected the address of a resource \(scriptorium:\/\/documents\/\{id\}, /,
    )
  })

  test('are listed in pages', async () => {
    const full = await connect()
    const documents = Array.from({ length: 450 }, (_, index) => ({ title: `Document ${index}` }))
    await full.call('documents_add', { documents })
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await full.client.listResources(cursor === undefined ? {} : { cursor }, {
        autoPaginate: false,
      } as never)
      names.push(...page.resources.map(({ name }) => name))
      cursor = page.nextCursor
      // Its position is a number of the whole space, which reveals how much is out of reach.
      expect(Buffer.from(cursor ?? '', 'base64url').toString('latin1')).not.toMatch(/^\[/)
    } while (cursor !== undefined)
    expect(names.slice(0, 450)).toEqual(documents.map(({ title }) => title))
    expect(names.slice(450)).toEqual(skills.map(({ name }) => name))
    await expect(full.client.listResources({ cursor: 'made-up' })).rejects.toThrow(
      /Expected the cursor of an earlier answer/,
    )
  })
})
