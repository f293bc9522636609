/** When a page reads what others changed, and which reads it uses. */
import 'fake-indexeddb/auto'
import { setImmediate } from 'node:timers/promises'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubPage } from './page-stubs.ts'

let spaces = 0
/** The queries of reads that have begun. */
let reads: { since: string; ids: string }[]
/** Answers reads that have begun, oldest first. */
let waiting: ((response: Response) => void)[]

beforeEach(() => {
  reads = []
  waiting = []
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.stubGlobal('indexedDB', new IDBFactory())
  stubPage({ base: `/reader/${spaces++}`, token: 't', session: 'a'.repeat(16) })
  const body = Object.assign(new EventTarget(), { dataset: document.body.dataset })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { body, hidden: false }))
  vi.stubGlobal('location', { pathname: '/reader/d/p', search: '' })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', (address: string) => {
    const query = new URL(address, 'http://space').searchParams
    reads.push({ since: query.get('since') ?? '', ids: query.get('ids') ?? '' })
    return new Promise((resolve) => waiting.push(resolve))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The feed says what happened. */
const tell = (...ids: string[]) =>
  document.body.dispatchEvent(new CustomEvent('spacefeed', { detail: { documents: ['d'], ids } }))

/** Lets everything happen that waits for nothing. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
}

/** Lets the pause between two reads pass. */
async function pass(): Promise<void> {
  await rest()
  vi.runAllTimers()
  await rest()
}

async function answer(readAt: string, status = 200): Promise<void> {
  waiting.shift()?.(Response.json({ readAt, order: [], blocks: [] }, { status }))
  await pass()
}

async function openReader() {
  const { PageReader } = await import('../../../src/page/assets/sync/page-reader.ts')
  const own = { changes: 0, kept: async () => {} }
  const reader = new PageReader({ documentId: 'd', pageId: 'p', base: '/reader', readAt: 'first' }, own)
  const used: string[] = []
  reader.onRead = ({ readAt }) => {
    used.push(readAt)
  }
  reader.onGone = () => used.push('gone')
  reader.start()
  return { reader, own, used }
}

test('what the feed tells of is read, from the time of the last read on', async () => {
  const { used } = await openReader()
  tell('one', 'two')
  await pass()
  await answer('second')
  tell('three')
  await pass()
  await answer('third')
  expect(reads).toEqual([
    { since: 'first', ids: 'one,two' },
    { since: 'second', ids: 'three' },
  ])
  expect(used).toEqual(['second', 'third'])
})

test('what is changed here during a read makes it read again', async () => {
  const { own, used } = await openReader()
  tell('one')
  await pass()
  own.changes++
  await answer('early')
  await answer('late')
  expect(reads.map(({ since, ids }) => [since, ids])).toEqual([
    ['first', 'one'],
    ['first', 'one'],
  ])
  expect(used).toEqual(['late'])
})

test('a read that fails is repeated, with what it asked for', async () => {
  const { used } = await openReader()
  tell('one')
  await pass()
  await answer('failed', 500)
  await answer('second')
  expect(reads.map(({ ids }) => ids)).toEqual(['one', 'one'])
  expect(used).toEqual(['second'])
})

test('a document that is gone is not read again before something is heard of it', async () => {
  const { used } = await openReader()
  tell('one')
  await pass()
  await answer('', 404)
  await pass()
  expect(reads).toHaveLength(1)
  tell('two')
  await pass()
  await answer('restored')
  expect(used).toEqual(['gone', 'restored'])
})

test('a page that was hidden while it was drawn does not wait for ten times as long', async () => {
  const { reader, used } = await openReader()
  // A browser draws no hidden page: its next frame comes when somebody looks again.
  reader.onRead = ({ readAt }) => {
    used.push(readAt)
    return new Promise((resolve) => setTimeout(resolve, 60_000))
  }
  tell('one')
  await pass()
  await answer('second')
  tell('two')
  await rest()
  vi.advanceTimersByTime(3_000)
  await rest()
  expect(reads).toHaveLength(2)
})

test('the pause after a read is ten times what the browser needs to draw it', async () => {
  const { reader } = await openReader()
  reader.onRead = () => new Promise((resolve) => setTimeout(resolve, 100))
  tell('one')
  await pass()
  await answer('second')
  tell('two')
  await rest()
  vi.advanceTimersByTime(999)
  await rest()
  expect(reads).toHaveLength(1)
  vi.advanceTimersByTime(1)
  await rest()
  expect(reads).toHaveLength(2)
})
