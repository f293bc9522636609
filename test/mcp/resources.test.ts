import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'
import { png } from '../picture.ts'

const uriOf = (kind: string, id: string) => `scriptorium://${kind}/${id}`
const uris = async ({ client }: Connected): Promise<string[]> =>
  (await client.listResources()).resources.map(({ uri }) => uri)

/** A document with a file and a whiteboard, one that is hidden from narrow connections, a daily note, one in the trash. */
async function furnished(connected: Connected) {
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
  test('are the documents, files and whiteboards within reach, without the trash', async () => {
    const full = await connect()
    const { hidden, document, file, board, note } = await furnished(full)
    const all = [hidden, document, note].map((id) => uriOf('documents', id))
    expect(await uris(full)).toEqual([...all, file, uriOf('whiteboards', board)])
    const { resources } = await full.client.listResources()
    expect(resources[1]).toEqual({
      uri: uriOf('documents', document),
      name: 'Shown',
      mimeType: 'text/markdown',
      annotations: { lastModified: '2026-11-20T09:00:00.000Z' },
    })
    expect(resources[3]).toMatchObject({ name: 'image.png', mimeType: 'image/png', size: 68 })
    expect(resources[4]).toMatchObject({ name: 'Whiteboard in Shown', mimeType: 'application/json' })
    const selected = await connect('selected', { to: full, documents: [document] })
    expect(await uris(selected)).toEqual([uriOf('documents', document), file, uriOf('whiteboards', board)])
    expect(await uris(await connect('daily', { to: full }))).toEqual([uriOf('documents', note)])
  })

  test('within reach are listed however many out of reach were made before them', async () => {
    const full = await connect()
    const hidden = await documentOf(full, 'hidden words', 'Hidden')
    const shown = await documentOf(full, 'words', 'Shown')
    const draw = (pageId: string) => full.call('whiteboards_add', { position: { position: 'end', pageId } })
    for (let made = 0; made < 2_000; made++) await draw(hidden)
    const { whiteboardBlockId: board } = await draw(shown)
    const selected = await connect('selected', { to: full, documents: [shown] })
    expect(await uris(selected)).toEqual([uriOf('documents', shown), uriOf('whiteboards', board)])
  })

  test('are read: Markdown, bytes, elements', async () => {
    const full = await connect()
    const { document, file, board, picture } = await furnished(full)
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

  test.each(['2025', '2026'] as const)(
    'out of reach are none, in the words for what does not exist (%s)',
    async (era) => {
      const full = await connect()
      const { hidden, document, file } = await furnished(full)
      const other = await documentOf(full, '', 'Other')
      const selected = await connect('selected', { to: full, documents: [other], era })
      const refused = async (uri: string) =>
        selected.client.readResource({ uri }).catch(({ message }: Error) => message.replace(/[0-9a-f-]{36}/g, 'ID'))
      const nowhere = '00000000-0000-7000-8000-999999999999'
      expect(await refused(uriOf('documents', hidden))).toBe(await refused(uriOf('documents', nowhere)))
      expect(await refused(file)).toBe(await refused(uriOf('files', nowhere)))
      expect(await refused(uriOf('documents', document))).toMatch(/Expected the ID of a document within reach/)
      expect(await refused('https://example.org')).toMatch(
        /Expected the address of a resource \(scriptorium:\/\/documents\/\{id\}, /,
      )
    },
  )

  test('come in parts', async () => {
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
      // Its place is a number of the whole space's, which tells how much there is out of reach.
      expect(Buffer.from(cursor ?? '', 'base64url').toString('latin1')).not.toMatch(/^\[/)
    } while (cursor !== undefined)
    expect(names).toEqual(documents.map(({ title }) => title))
    await expect(full.client.listResources({ cursor: 'made-up' })).rejects.toThrow(
      /Expected the cursor of an earlier answer/,
    )
  })
})

describe('changes', () => {
  function file(): string {
    const path = mkdtempSync(join(tmpdir(), 'scriptorium-'))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return join(path, 'space.sqlite')
  }

  /** What was told, and when so many things were. */
  function heard(count: number) {
    const all: string[] = []
    const waiting: { count: number; resolve: (all: string[]) => void }[] = []
    const until = (wanted: number) => {
      const { promise, resolve } = Promise.withResolvers<string[]>()
      if (all.length >= wanted) resolve(all)
      else waiting.push({ count: wanted, resolve })
      return promise
    }
    const tell = (one: string) => {
      all.push(one)
      for (const { count, resolve } of waiting) if (all.length >= count) resolve(all)
    }
    return { promise: until(count), until, tell, all }
  }

  test('of what a client of 2025 subscribed to are told, by whichever process made them, and no others', async () => {
    const path = file()
    const full = await connect('full', { to: await buildSpace(path) })
    const [one, other] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
    const watcher = await connect('full', { to: await buildSpace(path), era: '2025' })
    const updates = heard(1)
    const lists = heard(1)
    watcher.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.tell(params.uri))
    watcher.client.setNotificationHandler('notifications/resources/list_changed', () => lists.tell('list'))
    await watcher.client.subscribeResource({ uri: uriOf('documents', one) })
    full.clock.now += 1000
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: other } })
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: one } })
    expect(await updates.promise).toEqual([uriOf('documents', one)])
    await full.call('documents_add', { documents: [{ title: 'New' }] })
    expect(await lists.promise).toEqual(['list'])
  })

  test('are told on the stream that a client of 2026 listens at', async () => {
    const path = file()
    const full = await connect('full', { to: await buildSpace(path) })
    const document = await documentOf(full, 'one')
    const { whiteboardBlockId } = await full.call('whiteboards_add', {
      position: { position: 'end', pageId: document },
    })
    const watcher = await connect('full', { to: await buildSpace(path) })
    const updates = heard(1)
    watcher.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.tell(params.uri))
    const uri = uriOf('whiteboards', whiteboardBlockId)
    const subscription = await watcher.client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
    expect(subscription.honoredFilter).toMatchObject({ resourceSubscriptions: [uri], resourcesListChanged: true })
    full.clock.now += 1000
    await full.call('elements_add', { whiteboardBlockId, elements: [{ id: 'b', type: 'ellipse' }] })
    expect(await updates.promise).toEqual([uri])
    await subscription.close()
  })

  test('of what is out of reach are not told, though it was subscribed to', async () => {
    const path = file()
    const built = await buildSpace(path)
    const full = await connect('full', { to: built })
    const [hidden, shown] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
    const watcher = await connect('selected', { to: built, documents: [shown], era: '2025' })
    const updates = heard(1)
    watcher.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.tell(params.uri))
    for (const id of [hidden, shown]) await watcher.client.subscribeResource({ uri: uriOf('documents', id) })
    full.clock.now += 1000
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: hidden } })
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: shown } })
    expect(await updates.promise).toEqual([uriOf('documents', shown)])
    expect(updates.all).toHaveLength(1)
  })

  test.each<['selected' | 'daily', '2025' | '2026']>([
    ['selected', '2025'],
    ['selected', '2026'],
    ['daily', '2025'],
    ['daily', '2026'],
  ])('of the list are told to a %s link only when it lists something else (%s)', async (kind, era) => {
    const full = await connect('full', { to: await buildSpace(file()) })
    const hidden = await documentOf(full, 'one')
    const day = { position: { position: 'end', date: 'today' } }
    const { items } = await full.call('blocks_add', { markdown: 'day', ...day })
    const shown = kind === 'daily' ? items[0].documentId : await documentOf(full, 'other')
    const link = await (await serveBuilt({ to: full })).link({ kind, documents: kind === 'daily' ? [] : [shown] })
    const client = await link.client(era)
    const [updates, lists] = [heard(1), heard(1)]
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.tell(params.uri))
    client.setNotificationHandler('notifications/resources/list_changed', () => lists.tell('list'))
    const uri = uriOf('documents', shown)
    if (era === '2026') await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
    else await client.subscribeResource({ uri })
    full.clock.now += 1000
    await full.call('documents_add', { documents: [{ title: 'New' }] })
    await full.call('files_add', { position: { position: 'end', pageId: hidden }, text: 'words', fileName: 'a.txt' })
    await full.call('documents_delete', { documentIds: [hidden] })
    // Told in the same look as the list would have been, and after it.
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: shown } })
    expect(await updates.promise).toEqual([uri])
    expect(lists.all).toEqual([])
    await full.call('files_add', { position: { position: 'end', pageId: shown }, text: 'words', fileName: 'a.txt' })
    expect(await lists.promise).toEqual(['list'])
  })

  test.each(['2025', '2026'] as const)(
    'over HTTP reach each link as far as it reaches, until it is revoked (%s)',
    async (era) => {
      const path = file()
      const built = await buildSpace(path)
      const full = await connect('full', { to: built })
      const [hidden, shown] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
      const serving = await serveBuilt({ to: built })
      const narrow = await serving.link({ kind: 'selected', documents: [shown] })
      const wide = await serving.link()
      const hears = async (link: TestLink, count: number) => {
        const client = await link.client(era)
        const updates = heard(count)
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.tell(params.uri))
        const wanted = [hidden, shown].map((id) => uriOf('documents', id))
        if (era === '2026') await client.listen({ resourceSubscriptions: wanted })
        else for (const uri of wanted) await client.subscribeResource({ uri })
        return updates
      }
      const [toNarrow, toWide] = [await hears(narrow, 1), await hears(wide, 2)]
      const change = async (id: string) => {
        full.clock.now += 1000
        await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: id } })
      }
      const both = [hidden, shown].map((id) => uriOf('documents', id))
      await change(hidden)
      await change(shown)
      expect(await toNarrow.promise).toEqual([uriOf('documents', shown)])
      // Before the next changes, so that none of them is told together with these.
      expect(await toWide.promise).toEqual(expect.arrayContaining(both))
      await built.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, narrow.info.id))
      await change(hidden)
      await change(shown)
      expect((await toWide.until(4)).slice(2)).toEqual(expect.arrayContaining(both))
      expect(toNarrow.all).toHaveLength(1)
    },
  )
})
