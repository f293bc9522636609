/** Makes the same calls to the programs of two checkouts at the same times, and compares the responses. */
import { join } from 'node:path'
import type { ProofResult } from '../proof.ts'
import type { Message, TestClient } from '../test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, NOW } from '../test-client/things.ts'
import { Calls, type Drawn } from './calls.ts'
import { firstDifference, normalize, type RawAnswer } from './normalize.ts'
import { type Call, KINDS, Product } from './product.ts'

export interface Comparison {
  /** The paths of the two checkouts. */
  directories: readonly [string, string]
  folder: string
  seed: number
  /** The number of random calls, not counting those that create the things they refer to. */
  calls: number
  log(line: string): void
  /** Changes responses of the second product, to check that differences are detected. */
  plant?(answer: RawAnswer): RawAnswer
}

/** Calls are one second apart, with a jump of a day now and then. */
const SECOND = 1000
const DAY = 24 * 3600 * SECOND
const CALLS_A_DAY = 100
/** The number of calls after which new things are created. */
const RENEWED = 125
/** The number of sets of things for each kind of connection. */
const THINGS = 3
/** The number of differences after which the comparison stops: later ones may result from earlier ones. */
const MOST = 10
/** The number of calls between two progress lines. */
const REPORT_EVERY = 500

export async function compare(comparison: Comparison): Promise<ProofResult> {
  const { directories, folder } = comparison
  const products = [
    new Product(directories[0], join(folder, 'first'), NOW),
    new Product(directories[1], join(folder, 'second'), NOW),
  ] as const
  try {
    return await new Comparing(comparison, products).run()
  } finally {
    await Promise.all(products.map((product) => product.close()))
  }
}

class Comparing {
  readonly #comparison: Comparison
  readonly #products: readonly [Product, Product]
  readonly #calls: Calls
  readonly #faults: string[] = []
  readonly #counts = { calls: 0, 'reads over REST': 0, 'other calls over REST': 0, refused: 0 }
  #time = NOW
  #exposed: string[] = []
  #days = 0

  constructor(comparison: Comparison, products: readonly [Product, Product]) {
    this.#comparison = comparison
    this.#products = products
    this.#calls = new Calls(comparison.seed)
  }

  async run(): Promise<ProofResult> {
    const { calls, log } = this.#comparison
    await this.#both((product) => product.start())
    this.#exposed = [await makeDocument(this.#maker, 'words')]
    await this.#both((product) => product.addNarrowLinks(this.#exposed))
    for (let count = 0; count < calls && this.#faults.length < MOST; count++) {
      if (count % RENEWED === 0) await this.#renew()
      if (count % CALLS_A_DAY === CALLS_A_DAY - 1) this.#time += DAY
      await this.#make(this.#calls.next())
      if (count % REPORT_EVERY === REPORT_EVERY - 1)
        log(`${count + 1} of ${calls} calls, ${this.#faults.length} differences`)
    }
    const missed = this.#faults.length < MOST ? this.#unanswered() : []
    return {
      figures: {
        ...this.#counts,
        'tools of all kinds': this.#calls.answered.size,
        differences: this.#faults.length,
      },
      faults: [...this.#faults, ...missed],
    }
  }

  /** Makes a random call, and collects from its response what later calls can refer to. */
  async #make(drawn: Drawn): Promise<void> {
    const { sent } = drawn
    const { text, isError } = await this.#ask(sent)
    if ('request' in sent) {
      this.#counts[sent.request.method === 'GET' ? 'reads over REST' : 'other calls over REST']++
    }
    if (isError) {
      this.#counts.refused++
      return
    }
    this.#calls.learn(drawn, text, objectIn(sent, text))
  }

  /** @returns the response of the first product, with numbered names */
  async #ask(call: Call): Promise<{ text: string; isError: boolean }> {
    const { plant = (answer: RawAnswer) => answer } = this.#comparison
    this.#time += SECOND
    await this.#both((product) => product.setTime(this.#time))
    const [one, other] = await this.#both((product) => product.answer(call))
    const [first, second] = this.#products
    const text = normalize(one, first.names)
    const fault = firstDifference(text, normalize(plant(other), second.names))
    this.#counts.calls++
    if (fault !== undefined) {
      this.#faults.push(`call ${this.#counts.calls}, ${shownCall(call)}: ${fault}`)
    }
    return { text, isError: one.isError }
  }

  #both<Value>(work: (product: Product) => Promise<Value>): Promise<[Value, Value]> {
    const [first, second] = this.#products
    return Promise.all([work(first), work(second)])
  }

  /** A full connection to both products, in the form that the functions for creating things need. */
  readonly #maker: Pick<TestClient, 'mcp'> = {
    mcp: async (_, params) => {
      const { name, arguments: args } = params as { name: string; arguments: object }
      const { text, isError } = await this.#ask({ kind: 'full', tool: name, args })
      if (isError) throw new Error(`Expected ${name} to be done, found it refused: ${text}. ${this.#faults[0] ?? ''}`)
      return { result: resultIn(text) }
    },
  }

  /** Replaces the oldest things by new ones, since calls delete much of what there is. */
  async #renew(): Promise<void> {
    for (const kind of KINDS) {
      const date = new Date(this.#time - (this.#days++ % 25) * DAY).toISOString().slice(0, 10)
      const document =
        kind === 'daily' ? await makeDay(this.#maker, date, 'words') : await makeDocument(this.#maker, 'words')
      const places = await makePlaces(this.#maker, 'words')
      const later = new Date(this.#time + DAY / 2).toISOString().replace('.000Z', 'Z')
      const { things } = this.#calls.pools[kind]
      things.unshift(await makeThings(this.#maker, document, 'words', places, { later }))
      things.splice(THINGS)
    }
    this.#exposed = this.#calls.pools.selected.things.map(({ document }) => document)
    await this.#both((product) => product.expose(this.#exposed))
  }

  /** Returns a fault for each tool that never succeeded, since it was not compared. */
  #unanswered(): string[] {
    return KINDS.flatMap((kind) =>
      this.#calls.pools[kind].table.names.flatMap((name) =>
        this.#calls.answered.has(`${name} over ${kind}`)
          ? []
          : [`Expected an answer of ${name} over ${kind} connections, found none in all calls.`],
      ),
    )
  }
}

/** The body in the output of {@link normalize}, which follows the first line. */
const bodyOf = (text: string): string => text.slice(text.indexOf('\n') + 1)

const resultIn = (text: string): NonNullable<Message['result']> => JSON.parse(bodyOf(text))

function objectIn(call: Call, text: string): object | undefined {
  if (!('request' in call)) return resultIn(text).structuredContent
  const body = bodyOf(text)
  return body.startsWith('{') ? (JSON.parse(body) as object) : undefined
}

const SHOWN = 500

function shownCall(call: Call): string {
  const text = JSON.stringify('request' in call ? call.request : call.args)
  return `${call.tool} over ${call.kind} ${'request' in call ? 'REST' : 'MCP'} ${text.slice(0, SHOWN)}`
}
