/** Random calls of all tools over all kinds of connections, most of them valid and some of them invalid. */
import { toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import { endpoints } from '../../../tools/index.ts'
import { nextCall as nextWrite } from '../calls/calls.ts'
import { Chooser } from '../calls/chooser.ts'
import { Learned } from '../calls/learned.ts'
import { chance } from '../proof.ts'
import { Chance, nextCall, type Pools } from '../test-client/generated-calls.ts'
import { endpointNamed, requestFor } from '../test-client/test-client.ts'
import { type Args, type ToolCall, validCalls } from '../test-client/valid-calls.ts'
import { type Call, KINDS } from './product.ts'

/** The share of reads that go over REST. */
const READS_OVER_REST = 0.2
/** The share of the other calls that go over REST, whatever they do. */
const OTHERS_OVER_REST = 0.15
/** The share of calls that are valid calls of the tool with the fewest successful responses. */
const BALANCED = 0.25
/** The share of calls of full connections that refer to things from earlier responses. */
const LEARNED = 0.5
/** The probability that a call is fully valid, and that a change inserts an odd value. */
const CHANGES = { valid: 0.75, odd: 0.3 }
const ODD_VALUES = [null, -1, 1e21, true, '', 'x'.repeat(300), '🦊', [], {}, [[]]].map((value) => () => value)
/** How many recent IDs and cursors are kept for later calls. */
const IDS = 60
const CURSORS = 20

const READS = new Set(endpoints.filter(({ effect }) => effect === 'read').map(({ name }) => name))

/** A tool, its arguments, and the transport. */
export interface Drawn {
  kind: ConnectionKind
  tool: string
  args: Args
  sent: Call
}

export class Calls {
  readonly pools: Record<ConnectionKind, Pools>
  readonly #chance: Chance
  readonly #chooser: Chooser
  readonly #learned = new Learned()
  /** The number of successful calls by tool and kind, such as `blocks_get over daily`. */
  readonly answered = new Map<string, number>()

  constructor(seed: number) {
    this.#chance = new Chance(chance(seed))
    this.#chooser = new Chooser(seed + 1)
    const poolsOf = (kind: ConnectionKind): Pools => ({
      ...{ kind, table: toolCatalogFor(endpoints, kind), things: [], ids: [], cursors: [] },
    })
    this.pools = { full: poolsOf('full'), selected: poolsOf('selected'), daily: poolsOf('daily') }
  }

  next(): Drawn {
    if (!this.#chance.is(READS_OVER_REST)) return this.#drawn(OTHERS_OVER_REST)
    for (;;) {
      const drawn = this.#drawn(1)
      if (READS.has(drawn.tool) && 'request' in drawn.sent) return drawn
    }
  }

  #drawn(overRest: number): Drawn {
    const kind = this.#chance.one(KINDS)
    const pools = this.pools[kind]
    const [tool, args] = this.#toolAndArgs(kind)
    const found = endpointNamed(pools.table, tool)
    const isOverRest = this.#chance.is(overRest) || found.endpoint.isRestOnly
    const request = isOverRest ? requestFor(found, args) : undefined
    return { kind, tool, args, sent: request === undefined ? { kind, tool, args } : { kind, tool, request } }
  }

  #toolAndArgs(kind: ConnectionKind): readonly [tool: string, args: Args] {
    if (this.#chance.is(BALANCED)) return this.#leastAnswered(kind)
    if (kind === 'full' && this.#chance.is(LEARNED)) return this.#write()
    return nextCall(this.#chance, this.pools[kind], CHANGES, ODD_VALUES)
  }

  #leastAnswered(kind: ConnectionKind): readonly [tool: string, args: Args] {
    const { things } = this.pools[kind]
    const count = ([tool]: ToolCall) => this.answered.get(`${tool} over ${kind}`) ?? 0
    // Tools that only REST has decide on proposals, of which there are none here.
    const calls = validCalls(kind, this.#chance.one(things)).filter(([tool]) =>
      this.pools[kind].table.names.includes(tool),
    )
    const least = Math.min(...calls.map(count))
    return this.#chance.one(calls.filter((call) => count(call) === least))
  }

  #write(): readonly [tool: string, args: Args] {
    const { tool, args } = nextWrite(this.#chooser, this.#learned.pools)
    return [tool, args as Args]
  }

  /**
   * Learns from a successful call.
   *
   * @param text  its response with numbered names
   * @param object  the response as an object, if it is one
   */
  learn({ kind, tool, args }: Drawn, text: string, object: object | undefined): void {
    const name = `${tool} over ${kind}`
    this.answered.set(name, (this.answered.get(name) ?? 0) + 1)
    const { ids, cursors } = this.pools[kind]
    for (const [cursor] of text.matchAll(/\bcursor-\d{8}\b/g)) cursors.unshift(cursor)
    for (const [id] of text.matchAll(/\b1\d{11}\b/g)) ids.unshift(id)
    cursors.splice(CURSORS)
    ids.splice(IDS)
    if (kind === 'full' && object !== undefined) this.#learned.learn({ tool, args: modelArgs(tool, args) }, object)
  }
}

/** Converts the arguments for the model of calls, which names the arguments of a batch's steps `args`. */
function modelArgs(tool: string, args: Args): object {
  if (tool !== 'batch') return args
  const steps = args.steps as { arguments: object }[]
  return { steps: steps.map(({ arguments: args, ...step }) => ({ ...step, args })) }
}
