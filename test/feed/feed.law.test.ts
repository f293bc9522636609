/** Readers of the feed that are interrupted anywhere, and continue with any of their cursors, miss nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { folder } from '../program.ts'
import { chance } from '../prove/proof.ts'
import { type Asker, askerOf } from '../rest/rest-asker.ts'
import { runs } from '../support/runs.ts'
import { cursorNow, page } from './reading-feed.ts'

/** Timeout of the long form in milliseconds. */
const LONG = 120_000

/** Documents of the space; a selected connection reaches all but the last. */
const DOCUMENTS = 3

/** An acknowledged write, and the documents that it changed. */
interface Write {
  made: string
  documents: number[]
}

/** Makes random writes, several at once so that some share a COMMIT. */
class Writers {
  readonly acknowledged: Write[] = []
  readonly #connections: readonly Connected[]
  readonly #documents: readonly string[]
  readonly #random: () => number

  constructor(connections: readonly Connected[], documents: readonly string[], random: () => number) {
    this.#connections = connections
    this.#documents = documents
    this.#random = random
  }

  async writeSome(): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 4)
    await Promise.all(Array.from({ length: count }, () => this.#write()))
  }

  async #write(): Promise<void> {
    const connection = this.#connections[Math.floor(this.#random() * this.#connections.length)] as Connected
    const document = Math.floor(this.#random() * DOCUMENTS)
    const position = { position: 'end', pageId: this.#documents[document] }
    const { items } = await connection.call('blocks_add', { markdown: 'words', position })
    this.acknowledged.push({ made: items[0].id, documents: [document] })
    if (this.#random() < 0.7) return
    const to = Math.floor(this.#random() * DOCUMENTS)
    const target = { position: 'start', pageId: this.#documents[to] }
    await connection.call('blocks_move', { blockIds: [items[0].id], position: target })
    this.acknowledged.push({ made: `moved ${items[0].id}`, documents: [document, to] })
  }
}

/** A reader that is interrupted at random, and continues with the cursor of what it has read. */
class Reader {
  readonly read: Answer[] = []
  readonly #asker: Asker
  readonly #random: () => number
  #cursor: string

  constructor(asker: Asker, cursor: string, random: () => number) {
    this.#asker = asker
    this.#cursor = cursor
    this.#random = random
  }

  async readOn(): Promise<boolean> {
    const limit = 1 + Math.floor(this.#random() * 5)
    const answer = await page(this.#asker.ask, `cursor=${this.#cursor}&limit=${limit}`)
    const draw = this.#random()
    // The whole response was lost.
    if (draw < 0.2) return true
    const received = draw < 0.5 ? Math.floor(this.#random() * answer.items.length) : answer.items.length
    this.read.push(...answer.items.slice(0, received))
    if (received === answer.items.length) this.#cursor = answer.cursor
    else if (received > 0) this.#cursor = answer.items[received - 1].cursor
    return answer.hasMore || received < answer.items.length
  }
}

/** The write of an item, as a {@link Write}. */
const writeOf = ({ made, moved }: Answer): string => made?.[0] ?? `moved ${moved[0]}`

async function law(kind: ConnectionKind, seed: number): Promise<void> {
  const random = chance(seed)
  const file = `${folder()}/space.sqlite`
  // Two openings of one file, as in two processes.
  const [first, second] = [
    await connect('full', { to: await buildSpace(file) }),
    await connect('full', { to: await buildSpace(file, { generateIds: drawn(2), generateCallId: calls(2) }) }),
  ]
  const documents: string[] = []
  for (let index = 0; index < DOCUMENTS; index++) documents.push(await documentOf(first))
  const asker = await askerOf({ to: first, kind, documents: kind === 'full' ? [] : documents.slice(0, -1) })
  const reader = new Reader(asker, await cursorNow(asker.ask), random)
  const writers = new Writers([first, second], documents, random)
  for (let step = 0; step < 12; step++) {
    await Promise.all([writers.writeSome(), ...(random() < 0.6 ? [reader.readOn()] : [])])
  }
  while (await reader.readOn());
  const isSeen = ({ documents }: Write) => kind === 'full' || documents.some((one) => one < DOCUMENTS - 1)
  // A block that came from the hidden document counts as created on this connection.
  const expected = writers.acknowledged.filter(isSeen).map(({ made, documents: [from = 0] }) => {
    return kind === 'selected' && made.startsWith('moved') && from === DOCUMENTS - 1
      ? made.slice('moved '.length)
      : made
  })
  const read = reader.read.map(writeOf)
  expect(read.toSorted()).toEqual(expected.toSorted())
  if (kind === 'full') {
    const numbers = reader.read.map(({ number }) => number)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    expect(new Set(numbers).size).toBe(numbers.length)
  }
}

const drawn = (which: number) => {
  let count = 0
  return (wanted: number) => Array.from({ length: wanted }, () => which * 200_000_000_000 + ++count)
}
const calls = (which: number) => {
  let count = 0
  return () => 800_000_000_000 + which * 10_000_000_000 + ++count
}

test.each(['full', 'selected'] as const)(
  'a %s reader sees every acknowledged call once, wherever it is interrupted',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => law(kind, seed)),
      { numRuns: runs(2, 25) },
    )
  },
  LONG,
)
