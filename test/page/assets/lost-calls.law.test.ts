/** No call of a page is lost, and none is carried out twice, whatever happens to its tab, other tabs and the network. */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { runs } from '../../support/runs.ts'
import { FATES, FAULTS, type Fault, QueueBrowser, type Tab } from './queue-browser.ts'

afterEach(() => vi.unstubAllGlobals())

const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('write' as const), tab: fc.nat(2), document: fc.constantFrom('d', 'e') }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('write on' as const), tab: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('wait' as const), turns: fc.nat(30) }) },
  fc.record({ what: fc.constant('tick' as const) }),
  fc.record({ what: fc.constant('open' as const) }),
  fc.record({ what: fc.constantFrom('close' as const, 'crash' as const), tab: fc.nat(2) }),
  fc.record({ what: fc.constant('write and close' as const), tab: fc.nat(2), document: fc.constantFrom('d', 'e') }),
)
const fate = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('lost' as const) },
  { weight: 3, arbitrary: fc.constantFrom(...FATES) },
)
type Act = typeof act extends fc.Arbitrary<infer Given> ? Given : never

let spaces = 0

/** Someone who writes numbered words, each in a call of its own or in an amended one. */
class Writer {
  readonly browser: QueueBrowser
  /** The words that must arrive, as far as the page could keep them. */
  readonly wanted = new Set<string>()
  /** All words, by the tab and the document that they were written in. */
  readonly lanes = new Map<string, string[]>()
  #words = 0

  constructor(fault?: Fault) {
    this.browser = new QueueBrowser(`/lost-${spaces++}`, fault)
  }

  async do(next: Act): Promise<void> {
    const open = this.browser.tabs.filter(({ isClosed }) => !isClosed)
    const tab = 'tab' in next ? open[next.tab % Math.max(1, open.length)] : undefined
    if (next.what === 'open' || open.length === 0) await this.browser.open()
    else if (next.what === 'wait') await this.browser.rest(next.turns)
    else if (next.what === 'tick') this.browser.tick()
    else if (tab === undefined) return
    else if (next.what === 'write') this.#write(tab, next.document)
    else if (next.what === 'write on') await this.#writeOn(tab)
    else {
      if (next.what === 'write and close') this.#write(tab, next.document)
      await this.#leave(tab, next.what === 'crash' ? 'crash' : 'close')
    }
  }

  #write(tab: Tab, document: string): void {
    const words = `${++this.#words}`
    tab.unstored.add(words)
    this.browser
      .in(tab, async () => {
        const order = await tab.calls.keep({ document, tool: 'add', arguments: { words } })
        if (tab.isClosed) return
        tab.unstored.delete(words)
        this.wanted.add(words)
        tab.last = { order, words }
      })
      .catch(console.error)
  }

  /** Amends the last call, unless it was sent. */
  async #writeOn(tab: Tab): Promise<void> {
    const { last } = tab
    if (last === undefined) return
    const words = `${last.words}, ${++this.#words}`
    const isAmended = await this.browser.in(tab, () =>
      tab.calls.amend(last.order, (call) => ({ ...call, arguments: { words } })),
    )
    if (!isAmended) return
    this.wanted.delete(last.words)
    this.wanted.add(words)
    for (const [lane, written] of this.lanes)
      this.lanes.set(
        lane,
        written.map((one) => (one === last.words ? words : one)),
      )
    tab.last = { order: last.order, words }
  }

  async #leave(tab: Tab, how: 'close' | 'crash'): Promise<void> {
    if (how === 'close') {
      this.browser.in(tab, () => tab.calls.sendLast())
      // Whether it was stored or sent last, it must not be lost.
      for (const words of tab.unstored) this.wanted.add(words)
    }
    await this.browser.close(tab)
  }

  /** Closes all, and opens one page while the network works. */
  async comeBack(): Promise<Tab> {
    await this.browser.rest()
    this.browser.fates = []
    for (const tab of this.browser.tabs) if (!tab.isClosed) await this.#leave(tab, 'close')
    const tab = await this.browser.open()
    do await this.browser.rest()
    while (this.browser.tick())
    return tab
  }
}

const acts = fc.array(act, { minLength: 1, maxLength: 25 })
const fates = fc.array(fate, { maxLength: 25 })

/** The law: every call arrives once, in the order of its tab. */
const law = (fault?: Fault) =>
  fc.asyncProperty(acts, fates, async (acts, fates) => {
    const writer = new Writer(fault)
    writer.browser.fates = [...fates]
    for (const next of acts) await writer.do(next)
    const tab = await writer.comeBack()
    const { done, misused } = writer.browser.server
    expect(done.filter((words) => writer.wanted.has(words)).toSorted()).toEqual([...writer.wanted].toSorted())
    for (const lane of writer.lanes.values()) {
      const wanted = lane.filter((words) => writer.wanted.has(words))
      expect(done.filter((words) => wanted.includes(words))).toEqual(wanted)
    }
    expect(misused).toEqual([])
    expect(await tab.calls.pending('d')).toEqual([])
    expect(await tab.calls.pending('e')).toEqual([])
  })

test('every call arrives once, in the order of its tab', async () => {
  await fc.assert(law(), { numRuns: runs(60, 2_000) })
})

test.each(FAULTS)('a browser or server that %s is found out', async (fault) => {
  const { failed } = await fc.check(law(fault), { numRuns: 300, endOnFailure: true })
  expect(failed).toBe(true)
})
