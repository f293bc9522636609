/** What a browser stores of a session is sent by that session alone, and offered for copying after it. */
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Calls as CallsOfPage } from '../../../src/page/assets/calls.ts'
import type { Clock } from '../../../src/page/assets/unsent/call-transport.ts'
import { stubPage } from './page-stubs.ts'

/** No page retries by itself: it would do so in later tests, where its database is gone. */
const clock: Clock = { after: () => () => {} }
/** The base address of the space. */
let base: string
let spaces = 0
const ANNA = 'a'.repeat(16)
const BOB = 'b'.repeat(16)

/** Changes that the server received: the form token, and the text. */
let received: { token: string; text: string }[] = []
/** How the server answers. */
let answers: 'all' | 'nobody' | 'the signed out'

beforeEach(() => {
  base = `/view/${spaces++}`
  received = []
  answers = 'all'
  vi.stubGlobal('indexedDB', new IDBFactory())
  stubPage()
  vi.stubGlobal(
    'fetch',
    async (address: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
      if (answers === 'nobody' || address !== `${base}/calls`) throw new TypeError('Failed to fetch')
      if (answers === 'the signed out') return new Response('<p>Open this space first</p>', { status: 401 })
      received.push({ token: headers['x-form-token'] ?? '', text: JSON.parse(body).arguments.markdown })
      return Response.json({ answer: {} })
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

/** A page of a session. */
async function pageOf(owner: string, token: string) {
  const { Calls } = await import('../../../src/page/assets/calls.ts')
  const { sessionName } = await import('../../../src/page/assets/session-name.ts')
  const session = sessionName(base, owner)
  const calls = new Calls({ base, session, token, tab: 'tab', clock })
  return {
    session,
    calls,
    write: (markdown: string) => calls.keep({ document: 'd', tool: 'blocks_add', arguments: { markdown } }),
  }
}

/** Resolves once the page knows that it cannot send. */
const untilStopped = (calls: CallsOfPage): Promise<void> =>
  new Promise((resolve) => {
    const check = () => calls.connection !== 'online' && resolve()
    calls.addEventListener('state', check)
    check()
  })

async function leftBehind() {
  const { findLeftBehind, deleteLeftBehind } = await import('../../../src/page/assets/unsent/left-behind.ts')
  return {
    find: (isWanted: (session: string) => boolean = () => true) => findLeftBehind(base, isWanted),
    remove: (session: string) => deleteLeftBehind(base, session),
  }
}

/** What page.js does when the person signs out. */
const signOut = (owner: string): void => localStorage.removeItem(`scriptorium ${base} session ${owner}`)

describe('a queued call', () => {
  test('of one person is never sent by a page of another', async () => {
    answers = 'nobody'
    const anna = await pageOf(ANNA, 'of Anna')
    await anna.write('Written by Anna')
    await untilStopped(anna.calls)
    answers = 'all'
    const bob = await pageOf(BOB, 'of Bob')
    await bob.calls.resume()
    await bob.write('Written by Bob')
    await bob.calls.settled('d')
    expect(received).toEqual([{ token: 'of Bob', text: 'Written by Bob' }])
    expect(await bob.calls.pending('d')).toEqual([])
    expect(await anna.calls.pending('d')).toHaveLength(1)
  })

  test('waits for the same person, whose next session sends it', async () => {
    answers = 'the signed out'
    const first = await pageOf(ANNA, 'expired')
    await first.write('Written by Anna')
    await untilStopped(first.calls)
    expect(first.calls.connection).toBe('signed-out')
    answers = 'all'
    const next = await pageOf(ANNA, 'of Anna')
    expect(next.session).toBe(first.session)
    await next.calls.resume()
    await next.calls.settled('d')
    expect(received).toEqual([{ token: 'of Anna', text: 'Written by Anna' }])
  })

  test('is not sent any more once the person has signed out, not even with the same link', async () => {
    answers = 'nobody'
    const anna = await pageOf(ANNA, 'of Anna')
    await anna.write('Written before')
    await untilStopped(anna.calls)
    signOut(ANNA)
    answers = 'all'
    const next = await pageOf(ANNA, 'next')
    await next.calls.resume()
    await next.write('Written after')
    await next.calls.settled('d')
    expect(received).toEqual([{ token: 'next', text: 'Written after' }])
    const { find } = await leftBehind()
    expect(await find()).toEqual([
      { session: anna.session, changes: [{ text: 'Written before', mayHaveArrived: true }] },
    ])
  })

  test('is sent before the person signs out, if the server can be reached', async () => {
    const anna = await pageOf(ANNA, 'of Anna')
    await anna.write('One')
    await anna.write('Two')
    await anna.calls.allSettled()
    expect(received.map(({ text }) => text)).toEqual(['One', 'Two'])
  })

  test('does not hold up signing out while the server cannot be reached', async () => {
    answers = 'nobody'
    const anna = await pageOf(ANNA, 'of Anna')
    await anna.write('One')
    await anna.calls.allSettled()
    expect(received).toEqual([])
  })
})

describe('what a session left behind', () => {
  test('is all that it queued, was refused, drafted or has in conflict, each text once', async () => {
    answers = 'nobody'
    const anna = await pageOf(ANNA, 'of Anna')
    const file = new Blob(['picture'])
    await anna.write('A block')
    await anna.calls.keep({ document: 'd', tool: 'files_add', arguments: { fileName: 'a.png' }, file })
    await anna.calls.keep({ document: 'd', tool: 'blocks_delete', arguments: { blockIds: ['1'] } })
    await anna.calls.keep({
      document: 'e',
      tool: 'batch',
      arguments: {
        steps: [
          { tool: 'blocks_update', arguments: { blocks: [{ id: '2', title: { value: 'A title', attributes: [] } }] } },
          { tool: 'blocks_update', arguments: { blocks: [{ id: '3', markdown: 'New', expectedMarkdown: 'Old' }] } },
        ],
      },
    })
    await untilStopped(anna.calls)
    const { UnsavedTextStore } = await import('../../../src/page/assets/sync/unsaved-text.ts')
    const store = new UnsavedTextStore(base, anna.session, '100000000001', 'tab')
    const text = { fields: { type: 'text' }, expected: '' } as const
    store.put('draft', { ...text, blockId: '1', text: 'A block' })
    store.put('draft', { ...text, blockId: '2', text: 'A draft' })
    store.put('conflict', { ...text, blockId: '3', text: 'Mine', earlier: 'Before' })
    const { find } = await leftBehind()
    const [{ session, changes } = { session: '', changes: [] }, ...more] = await find()
    expect([session, more]).toEqual([anna.session, []])
    expect(changes.map((change) => change.text)).toEqual([
      'A block',
      'a.png',
      'blocks_delete {"blockIds":["1"]}',
      'A title\n\nNew',
      'A draft',
      'Before\n\nMine',
    ])
    expect(changes.map((change) => change.mayHaveArrived)).toEqual([true, false, false, true, false, false])
    expect(changes[1]?.file).toBeDefined()
  })

  test('is deleted on request, and that of others stays', async () => {
    answers = 'nobody'
    const [anna, bob] = [await pageOf(ANNA, 'of Anna'), await pageOf(BOB, 'of Bob')]
    await anna.write('Of Anna')
    await bob.write('Of Bob')
    await untilStopped(anna.calls)
    localStorage.setItem(`scriptorium ${base} ${anna.session} 100000000001 draft 1`, '{"text":"Draft of Anna"}')
    const { find, remove } = await leftBehind()
    expect((await find((one) => one === anna.session))[0]?.changes).toHaveLength(2)
    await remove(anna.session)
    expect((await find()).map(({ session }) => session)).toEqual([bob.session])
    await expect(anna.write('More')).rejects.toMatchObject({ name: 'InvalidStateError' })
    expect(Object.keys(localStorage).filter((key) => key.includes(' draft '))).toEqual([])
  })

  test('is of this space alone', async () => {
    const anna = await pageOf(ANNA, 'of Anna')
    localStorage.setItem(`scriptorium ${base}0 ${anna.session} 100000000001 draft 1`, '{"text":"Of another space"}')
    const { find } = await leftBehind()
    expect(await find()).toEqual([])
  })

  test('includes what was stored before sessions had names, which is never sent', async () => {
    const old = await openDB(`scriptorium ${base}`, 1, {
      upgrade(database) {
        for (const table of ['calls', 'refused']) {
          database
            .createObjectStore(table, { keyPath: 'order', autoIncrement: true })
            .createIndex('document', 'document')
        }
        database.createObjectStore('names', { keyPath: 'name' })
      },
    })
    await old.add('calls', { document: 'd', tool: 'blocks_add', arguments: { markdown: 'Old text' }, key: 'k' })
    localStorage.setItem(`scriptorium ${base} 100000000001 draft 1`, '{"words":"Old draft"}')
    const anna = await pageOf(ANNA, 'of Anna')
    await anna.calls.resume()
    await anna.calls.settled('d')
    expect(received).toEqual([])
    const { find, remove } = await leftBehind()
    const texts = async () =>
      (await find()).map(({ session, changes }) => [session, ...changes.map(({ text }) => text)])
    expect(await texts()).toEqual([['', 'Old text', 'Old draft']])
    await remove('')
    expect(await texts()).toEqual([])
    old.close()
  })
})
