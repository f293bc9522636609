/** Clients are notified of changes at the next check of the server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'

const uriOf = (kind: string, id: string) => `scriptorium://${kind}/${id}`
describe('changes', () => {
  function file(): string {
    const path = mkdtempSync(join(tmpdir(), 'scriptorium-'))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return join(path, 'space.sqlite')
  }

  /** The notifications so far, and a promise for a number of them. */
  function collect(count: number) {
    const all: string[] = []
    const waiting: { count: number; resolve: (all: string[]) => void }[] = []
    const until = (wanted: number) => {
      const { promise, resolve } = Promise.withResolvers<string[]>()
      if (all.length >= wanted) resolve(all)
      else waiting.push({ count: wanted, resolve })
      return promise
    }
    const send = (one: string) => {
      all.push(one)
      for (const { count, resolve } of waiting) if (all.length >= count) resolve(all)
    }
    return { promise: until(count), until, send, all }
  }

  test('that a client of 2025 subscribed to are reported, from any process, and no others', async () => {
    const path = file()
    const full = await connect('full', { to: await buildSpace(path) })
    const [one, other] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
    const watcher = await connect('full', { to: await buildSpace(path), era: '2025' })
    const updates = collect(1)
    const lists = collect(1)
    watcher.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.send(params.uri))
    watcher.client.setNotificationHandler('notifications/resources/list_changed', () => lists.send('list'))
    await watcher.client.subscribeResource({ uri: uriOf('documents', one) })
    full.clock.now += 1000
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: other } })
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: one } })
    expect(await updates.promise).toEqual([uriOf('documents', one)])
    await full.call('documents_add', { documents: [{ title: 'New' }] })
    expect(await lists.promise).toEqual(['list'])
  })

  test('are reported on the stream of a client of 2026', async () => {
    const path = file()
    const full = await connect('full', { to: await buildSpace(path) })
    const document = await documentOf(full, 'one')
    const { whiteboardBlockId } = await full.call('whiteboards_add', {
      position: { position: 'end', pageId: document },
    })
    const watcher = await connect('full', { to: await buildSpace(path) })
    const updates = collect(1)
    watcher.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.send(params.uri))
    const uri = uriOf('whiteboards', whiteboardBlockId)
    const subscription = await watcher.client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
    expect(subscription.honoredFilter).toMatchObject({ resourceSubscriptions: [uri], resourcesListChanged: true })
    full.clock.now += 1000
    await full.call('elements_add', { whiteboardBlockId, elements: [{ id: 'b', type: 'ellipse' }] })
    expect(await updates.promise).toEqual([uri])
    await subscription.close()
  })

  test('out of reach are not reported, even after a subscription', async () => {
    const path = file()
    const built = await buildSpace(path)
    const full = await connect('full', { to: built })
    const [hidden, shown] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
    const watcher = await connect('selected', { to: built, documents: [shown], era: '2025' })
    const updates = collect(1)
    watcher.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.send(params.uri))
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
  ])('of the list are reported to a %s link only if its list changes (%s)', async (kind, era) => {
    const full = await connect('full', { to: await buildSpace(file()) })
    const hidden = await documentOf(full, 'one')
    const day = { position: { position: 'end', date: 'today' } }
    const { items } = await full.call('blocks_add', { markdown: 'day', ...day })
    const shown = kind === 'daily' ? items[0].documentId : await documentOf(full, 'other')
    const link = await (await serveBuilt({ to: full })).link({ kind, documents: kind === 'daily' ? [] : [shown] })
    const client = await link.client(era)
    const [updates, lists] = [collect(1), collect(1)]
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.send(params.uri))
    client.setNotificationHandler('notifications/resources/list_changed', () => lists.send('list'))
    const uri = uriOf('documents', shown)
    if (era === '2026') await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
    else await client.subscribeResource({ uri })
    full.clock.now += 1000
    await full.call('documents_add', { documents: [{ title: 'New' }] })
    await full.call('files_add', { position: { position: 'end', pageId: hidden }, text: 'words', fileName: 'a.txt' })
    await full.call('documents_delete', { documentIds: [hidden] })
    // Sent in the same check as the list would have been, and after it.
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: shown } })
    expect(await updates.promise).toEqual([uri])
    expect(lists.all).toEqual([])
    await full.call('files_add', { position: { position: 'end', pageId: shown }, text: 'words', fileName: 'a.txt' })
    expect(await lists.promise).toEqual(['list'])
  })

  test.each(['2025', '2026'] as const)(
    'over HTTP are reported to each link within its reach, until it is revoked (%s)',
    async (era) => {
      const path = file()
      const built = await buildSpace(path)
      const full = await connect('full', { to: built })
      const [hidden, shown] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
      const serving = await serveBuilt({ to: built })
      const narrow = await serving.link({ kind: 'selected', documents: [shown] })
      const wide = await serving.link()
      const receives = async (link: TestLink, count: number) => {
        const client = await link.client(era)
        const updates = collect(count)
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.send(params.uri))
        const wanted = [hidden, shown].map((id) => uriOf('documents', id))
        if (era === '2026') await client.listen({ resourceSubscriptions: wanted })
        else for (const uri of wanted) await client.subscribeResource({ uri })
        return updates
      }
      const [toNarrow, toWide] = [await receives(narrow, 1), await receives(wide, 2)]
      const change = async (id: string) => {
        full.clock.now += 1000
        await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: id } })
      }
      const both = [hidden, shown].map((id) => uriOf('documents', id))
      await change(hidden)
      await change(shown)
      expect(await toNarrow.promise).toEqual([uriOf('documents', shown)])
      // Before the next changes, so that none of them is reported together with these.
      expect(await toWide.promise).toEqual(expect.arrayContaining(both))
      await built.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, narrow.info.id))
      await change(hidden)
      await change(shown)
      expect((await toWide.until(4)).slice(2)).toEqual(expect.arrayContaining(both))
      expect(toNarrow.all).toHaveLength(1)
    },
  )
})
