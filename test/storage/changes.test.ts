/** Transactions record changes for watchers by numbers that do not depend on any clock. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { ChangeWatcher } from '../../src/space/change-watcher.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { getChangeCounter } from '../../storage/changes.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { png } from '../picture.ts'

const DAY = 24 * 3600 * 1000

const counterOf = ({ space }: Connected) => space.read(OPERATOR_LINK, ({ tx }) => getChangeCounter(tx))

/** Returns how many change numbers were drawn during `work`, and whether the number of the listing changed. */
async function drawn(connected: Connected, work: () => Promise<unknown>) {
  const before = await counterOf(connected)
  await work()
  const after = await counterOf(connected)
  return { changes: after.value - before.value, isListed: after.listing > before.value }
}

/**
 * Watches a space. It polls when the test says so, and counts the notifications of documents and lists.
 *
 * @param failing  the number of a check that fails, and whether it has read the space then
 */
async function watching({ space }: Connected, failing?: { check: number; hasRead: boolean }) {
  const notices = { documents: 0, lists: 0 }
  let tick: () => Promise<void> = async () => {}
  let checks = 0
  const watcher = new ChangeWatcher(
    async (work) => {
      const lost = checks++ === failing?.check ? new Error('The connection is lost.') : undefined
      if (lost && !failing?.hasRead) throw lost
      const result = await space.read(OPERATOR_LINK, work)
      if (lost) throw lost
      return result
    },
    (poll) => {
      tick = poll
      return () => {}
    },
  )
  const watch = watcher.listen(({ documents, listChanged }) => {
    notices.documents += documents.length
    if (listChanged) notices.lists++
  })
  onTestFinished(() => watch.stop())
  await watch.ready
  return { notices, poll: () => tick() }
}

describe('the change counter', () => {
  test('is incremented by each call that changes something, and by no other', async () => {
    const full = await connect()
    const document = await documentOf(full, 'words')
    const position = { position: 'end', pageId: document }
    expect(await drawn(full, () => full.call('blocks_add', { markdown: 'more', position }))).toEqual({
      changes: 1,
      isListed: false,
    })
    expect((await drawn(full, () => full.call('blocks_get', { id: document }))).changes).toBe(0)
    const refused = await drawn(full, () =>
      full.refused('blocks_add', { markdown: 'x', position: { position: 'end', pageId: 'no' } }),
    )
    expect(refused.changes).toBe(0)
  })

  test('counts documents, files and whiteboards that appear and disappear', async () => {
    const full = await connect()
    const document = await documentOf(full, 'words')
    const position = { position: 'end', pageId: document }
    const listed = async (name: string, args: object) => {
      let answer: Awaited<ReturnType<Connected['call']>>
      const { isListed } = await drawn(full, async () => {
        answer = await full.call(name, args)
      })
      expect([name, isListed]).toEqual([name, true])
      return answer as NonNullable<typeof answer>
    }
    const { whiteboardBlockId } = await listed('whiteboards_add', { position })
    await listed('blocks_delete', { blockIds: [whiteboardBlockId] })
    const { blockId } = await listed('files_add', { position, data: png(2, 2).toString('base64') })
    await listed('blocks_delete', { blockIds: [blockId] })
    await listed('documents_delete', { documentIds: [document] })
    await listed('documents_move', { documentIds: [document], destination: { destination: 'unsorted' } })
  })
})

describe('watching', () => {
  test('reports every change after one with a clock a year ahead', async () => {
    const full = await connect()
    const [one, other] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
    const { notices, poll } = await watching(full)
    const write = (pageId: string) => full.call('blocks_add', { markdown: 'm', position: { position: 'end', pageId } })
    const now = full.clock.now
    full.clock.now = now + 365 * DAY
    await write(one)
    await poll()
    full.clock.now = now
    for (const document of [one, one, other]) {
      await write(document)
      await poll()
    }
    expect(notices).toEqual({ documents: 4, lists: 0 })
  })

  test('reports a deleted and another restored document between two checks', async () => {
    const full = await connect()
    const [one, other] = [await documentOf(full, 'one'), await documentOf(full, 'other')]
    await full.call('documents_delete', { documentIds: [other] })
    const { notices, poll } = await watching(full)
    await full.call('documents_delete', { documentIds: [one] })
    await full.call('documents_move', { documentIds: [other], destination: { destination: 'unsorted' } })
    await poll()
    await poll()
    expect(notices.lists).toBe(1)
  })

  test.each([
    ['the first check', { check: 0, hasRead: false }],
    ['a later one', { check: 1, hasRead: true }],
  ])('reports what changed before a check after %s failed', async (_, failing) => {
    const full = await connect()
    const document = await documentOf(full, 'words')
    const { notices, poll } = await watching(full, failing)
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: document } })
    await poll()
    await poll()
    expect(notices.documents).toBeGreaterThan(0)
  })
})

test('who begins to watch is notified of later changes alone, even if others still wait for earlier ones', async () => {
  const full = await connect()
  const document = await documentOf(full, 'words')
  const add = () => full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: document } })
  let tick: () => Promise<void> = async () => {}
  const watcher = new ChangeWatcher(
    (work) => full.space.read(OPERATOR_LINK, work),
    (poll) => {
      tick = poll
      return () => {}
    },
  )
  const notified: string[] = []
  const first = watcher.listen(() => void notified.push('first'))
  await first.ready
  await add()
  const second = watcher.listen(() => void notified.push('second'))
  await second.ready
  expect(notified).toEqual(['first'])
  await add()
  await tick()
  expect(notified).toEqual(['first', 'first', 'second'])
  await Promise.all([first.stop(), second.stop()])
})
