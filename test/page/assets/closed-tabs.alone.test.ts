/** What was typed in several tabs of one browser is kept for each, and sent by other pages once a tab is closed. */
import 'fake-indexeddb/auto'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UnsavedText } from '../../../src/page/assets/sync/unsaved-text.ts'
import { stubPage } from './page-stubs.ts'

const SESSION = `${'a'.repeat(16)}-${'b'.repeat(16)}`
const DOCUMENT = '100000000001'
const text = { fields: { type: 'text' }, expected: 'Begun' } as const
const typed = (blockId: string, content: string): UnsavedText => ({ ...text, blockId, text: content })

/** Turns of the event loop that storing and sending a few calls take at most. */
const TURNS = 200

/** Another space in each test. */
let base: string
let spaces = 0
/** The Markdown and titles that the server received, and the keys of their calls. */
let received: unknown[]
let keys: unknown[]

beforeEach(() => {
  base = `/view/closed-${spaces++}`
  received = []
  keys = []
  stubPage({ base, owner: 'a'.repeat(16) })
  vi.stubGlobal('fetch', async (_address: string, request: { headers: Record<string, string>; body: string }) => {
    const { calls, ...call } = JSON.parse(request.body)
    for (const one of calls ?? [{ ...call, key: request.headers['idempotency-key'] }]) {
      keys.push(one.key)
      for (const { markdown, title } of one.arguments.blocks) received.push(markdown ?? title.value)
    }
    return Response.json({ answer: {} })
  })
})
afterEach(() => vi.unstubAllGlobals())

async function tabs(...names: string[]) {
  const { UnsavedTextStore } = await import('../../../src/page/assets/sync/unsaved-text.ts')
  return names.map((tab) => new UnsavedTextStore(base, SESSION, DOCUMENT, tab))
}

describe('two tabs with the caret in one block', () => {
  test('keep a draft each', async () => {
    const [one, other] = await tabs('one', 'other')
    one?.put('draft', typed('1', 'Of one'))
    other?.put('draft', typed('1', 'Of the other'))
    expect(one?.get('draft', '1')?.text).toBe('Of one')
    other?.remove('draft', '1')
    expect(one?.get('draft', '1')?.text).toBe('Of one')
    expect(other?.get('draft', '1')).toBeUndefined()
  })

  test('show a conflict with the text of both, once', async () => {
    const [one, other] = await tabs('one', 'other')
    const { fullText } = await import('../../../src/page/assets/sync/unsaved-text.ts')
    const shown = () => [one, other].map((store) => fullText(store?.conflict('1') ?? typed('1', 'nothing')))
    one?.put('conflict', { ...typed('1', 'Of one'), earlier: 'Before' })
    other?.put('conflict', typed('1', 'Of the other'))
    other?.put('conflict', typed('11', 'Of another block'))
    expect(shown()).toEqual(Array(2).fill('Of the other\n\nBefore\n\nOf one'))
    other?.put('conflict', typed('1', 'Of one'))
    expect(shown()).toEqual(Array(2).fill('Before\n\nOf one'))
    one?.remove('conflict', '1')
    expect(shown()).toEqual(['nothing', 'nothing'])
    expect([...(one?.conflicts ?? [])]).toEqual(['11'])
  })

  test('show what was stored before tabs had names', async () => {
    const [one] = await tabs('one')
    localStorage.setItem(`scriptorium ${base} ${SESSION} ${DOCUMENT} conflict 1`, JSON.stringify(typed('1', 'Old')))
    expect(one?.conflict('1')?.text).toBe('Old')
    one?.remove('conflict', '1')
    expect(one?.conflict('1')).toBeUndefined()
  })
})

/** A browser in which these tabs hold their locks. */
function browserWith(...open: string[]) {
  const waiting = new Map<string, () => void>()
  const isOf = (name: string, tab: string) => name.endsWith(` tab ${tab}`)
  const request = async (name: string, work: () => Promise<void>) => {
    if (open.some((tab) => isOf(name, tab))) await new Promise<void>((resolve) => waiting.set(name, resolve))
    return work()
  }
  return {
    navigator: { locks: { request } },
    close(tab: string) {
      open.splice(open.indexOf(tab), 1)
      for (const [name, resolve] of waiting) if (isOf(name, tab)) resolve()
    },
  }
}

/** Opens any page of the space. */
async function openPage(tab: string) {
  vi.resetModules()
  const { sendForClosedTabs } = await import('../../../src/page/assets/unsent/closed-tabs.ts')
  sendForClosedTabs({ base, session: SESSION, tab })
}

/** Resolves once the page has done all that does not wait for anything. */
async function done() {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate()
}

describe('what was typed in a closed tab', () => {
  test('is sent by any page, block texts and titles alike', async () => {
    vi.stubGlobal('navigator', browserWith().navigator)
    const [closed] = await tabs('closed')
    closed?.put('draft', typed('1', 'Typed last'))
    closed?.put('draft', { ...typed('2', 'A title'), attributes: [] })
    localStorage.setItem(`scriptorium ${base} ${SESSION} ${DOCUMENT} draft 3`, JSON.stringify(typed('3', 'Old')))
    await openPage('now')
    await done()
    expect(received.toSorted()).toEqual(['A title', 'Old', 'Typed last'])
    expect(Object.keys(localStorage).filter((key) => key.includes(' draft '))).toEqual([])
  })

  test('and was sent when it was closed is sent again as the same call', async () => {
    vi.stubGlobal('navigator', browserWith().navigator)
    const [closed] = await tabs('closed')
    closed?.put('draft', typed('1', 'Typed last'))
    vi.resetModules()
    const { draftCalls } = await import('../../../src/page/assets/unsent/draft-calls.ts')
    const { Calls } = await import('../../../src/page/assets/calls.ts')
    const page = new Calls({ base, session: SESSION, token: '', tab: 'closed' })
    page.sendLast(draftCalls(base, SESSION, 'closed').map(({ call }) => call))
    await openPage('now')
    await done()
    expect(received).toEqual(['Typed last', 'Typed last'])
    expect(new Set(keys).size).toBe(1)
  })

  test('is sent once if it was queued in the meantime', async () => {
    vi.stubGlobal('navigator', browserWith().navigator)
    const [closed] = await tabs('closed')
    closed?.put('draft', typed('1', 'Typed last'))
    const blocks = [
      { base: 'Begun', id: '1', markdown: 'Typed last', depth: 0, indentationLevel: 0, listStyle: 'none' },
    ]
    const call = { document: DOCUMENT, tool: 'blocks_update', arguments: { answer: 'full', blocks }, key: 'queued' }
    localStorage.setItem(`scriptorium ${base} ${SESSION} last closed`, JSON.stringify([call]))
    await openPage('now')
    await done()
    expect([received, keys]).toEqual([['Typed last'], ['queued']])
    expect(Object.keys(localStorage).filter((key) => / (?:draft|last) /.test(key))).toEqual([])
  })

  test('is sent without locks, too', async () => {
    vi.stubGlobal('navigator', {})
    const [closed] = await tabs('closed')
    closed?.put('draft', typed('1', 'Typed last'))
    await openPage('now')
    await done()
    expect(received).toEqual(['Typed last'])
  })

  test('is not sent while the tab is open, and once after that', async () => {
    const browser = browserWith('open', 'now')
    vi.stubGlobal('navigator', browser.navigator)
    const [open] = await tabs('open')
    await openPage('now')
    open?.put('draft', typed('1', 'Typed'))
    const [key] = Object.keys(localStorage).filter((one) => one.includes(' draft '))
    const stored = Object.assign(new Event('storage'), { key })
    window.dispatchEvent(stored)
    window.dispatchEvent(stored)
    open?.put('draft', typed('1', 'Typed more'))
    await done()
    expect(received).toEqual([])
    browser.close('open')
    await done()
    expect(received).toEqual(['Typed more'])
    window.dispatchEvent(stored)
    await done()
    expect(received).toEqual(['Typed more'])
  })
})
