/**
 * Proposals: calls of a connection that may only propose. They change nothing, are answered as if they ran after the
 * pending ones, and run when they are approved.
 */
import type { Pools } from '../calls/pools.ts'
import type { BatchArgs } from './batches.ts'
import { compareIds, differentAnswer } from './match.ts'
import { type Call, expectIn, type When } from './model.ts'
import { poolsOf } from './pools.ts'
import type { Ask } from './readings.ts'
import type { Decided, Deciding } from './spaces.ts'
import type { World } from './world.ts'

/** The author of proposals. */
export const AGENT = 'robot'

interface Waiting {
  id: string
  call: Call
  /** The response to the proposal, with the IDs that it promises. */
  answer: object
  /** The types of the blocks that the call refers to. */
  types: string
  /** The day on which it was proposed. */
  day: string
  /** True if the calls before it are still the same as when it was proposed, so that it has the same effect. */
  isFresh: boolean
}

export class Proposals {
  readonly #world: World
  readonly #space: Deciding
  readonly #known: Set<string>
  /** True if something was created whose IDs no response contained. They are learned when it is read. */
  hasUnknown = false
  /** IDs that pending proposals promised. */
  readonly promised = new Set<string>()
  /** Pending proposals, oldest first. */
  readonly #waiting: Waiting[] = []

  /** @param known  all IDs of existing things that are known so far */
  constructor(world: World, space: Deciding, known: Set<string>) {
    this.#world = world
    this.#space = space
    this.#known = known
  }

  get count(): number {
    return this.#waiting.length
  }

  /** True if the effects of all pending proposals are known, so that another one can be added. */
  isFresh(now: number): boolean {
    return this.#waiting.every((one) => this.#isFresh(one, now))
  }

  /** Records another change: the pending proposals may have another effect from now on. */
  outdate(from = 0): void {
    for (const one of this.#waiting.slice(from)) one.isFresh = false
  }

  /** Returns what a new proposal can refer to, including what the pending ones would create. */
  poolsOf(gone: readonly string[], now: number): Pools {
    return this.#afterWaiting(now, () => poolsOf(this.#world, gone))
  }

  async propose(call: Call, now: number): Promise<string | undefined> {
    const found = await this.#space.propose(call)
    const known = new Set(this.#known)
    let types = ''
    const fault = this.#afterWaiting(now, () => {
      types = this.#typesIn(call)
      const expected = expectIn(this.#world, call, by(AGENT, now))
      return differentAnswer(expected, found, known)
    })
    if (fault !== undefined || 'refused' in found) return fault && `as a proposal ${fault}`
    const { id, answer } = found
    if (known.has(id)) return `expected a new ID of a proposal, found ${id}`
    for (const promised of [...known].slice(this.#known.size)) this.promised.add(promised)
    this.#known.add(id)
    this.#waiting.push({ id, call, answer: answer as object, types, day: dayOf(now), isFresh: true })
    return undefined
  }

  /** Approves the oldest proposal. If its effect is another one by now, that is approved. */
  async approve(now: number): Promise<string | undefined> {
    const [oldest] = this.#waiting
    if (oldest === undefined) return undefined
    // If a text block has become a page, a Markdown prefix becomes part of its title, which the model does not
    // implement.
    const agrees = !isShownInTexts(oldest.call) && this.#typesIn(oldest.call) === oldest.types
    const decided = await this.#space.approve(oldest.id, agrees)
    const isOther = 'refused' in decided ? decided.refused === 'CONFLICT' : decided.isOther
    if (isOther && this.#isFresh(oldest, now)) return this.#fault(oldest, 'it would change something else by now')
    // The new effect was not approved, so it is unknown whether the call would be refused.
    if (isOther && 'refused' in decided) return this.reject(0)
    const fault = this.#hold(oldest, decided, now)
    if (!('refused' in decided)) {
      this.#waiting.shift()
      if (isOther) {
        this.outdate()
        this.hasUnknown = true
      }
    }
    return fault && this.#fault(oldest, fault)
  }

  #fault = ({ call }: Waiting, fault: string): string =>
    `approval of ${call.tool} ${JSON.stringify(call.args)}: ${fault}`

  #hold(waiting: Waiting, decided: Decided, now: number): string | undefined {
    const isFresh = this.#isFresh(waiting, now)
    const when = by(AGENT, now)
    if ('refused' in decided) {
      if (isFresh) return `expected it to be done as it was shown, found ${decided.refused}: ${decided.why}`
      const expected = this.#world.tryOut(() => expectIn(this.#world, waiting.call, when))
      return differentAnswer(expected, decided, this.#known)
    }
    const expected = this.#world.apply(() => expectIn(this.#world, waiting.call, when))
    if ('refused' in expected) return `expected it to be refused with ${expected.refused}, found it done`
    if (!decided.isOther) return compareIds(expected.answer, waiting.answer, this.#known)
    this.#world.forgetGuesses()
    return undefined
  }

  /** @param at  an index into the pending proposals */
  async reject(at: number): Promise<string | undefined> {
    const one = this.#waiting[at]
    if (one === undefined) return undefined
    const decided = await this.#space.reject(one.id)
    this.#waiting.splice(at, 1)
    this.outdate(at)
    return 'refused' in decided ? `expected to reject a proposal, found ${decided.refused}: ${decided.why}` : undefined
  }

  /** Describes the first difference in the list of pending proposals. */
  async difference(ask: Ask): Promise<string | undefined> {
    const { items } = (await ask('proposals_list', { limit: 100 })) as { items: { proposalId: string }[] }
    const found = items.map(({ proposalId }) => proposalId).join(' ')
    const expected = this.#waiting
      .map(({ id }) => id)
      .toReversed()
      .join(' ')
    return found === expected ? undefined : `expected the proposals ${expected} to wait, found ${found}`
  }

  #typesIn({ args }: Call): string {
    const ids = JSON.stringify(args).match(/\d{12}/g) ?? []
    return ids.map((id) => this.#world.blocks.get(id)?.type).join(' ')
  }

  #isFresh({ isFresh, day }: Waiting, now: number): boolean {
    return isFresh && day === dayOf(now)
  }

  /** Runs `work` as if the pending proposals had been approved, and reverts everything afterwards. */
  #afterWaiting<T>(now: number, work: () => T): T {
    return this.#world.tryOut(() => {
      for (const { call, answer } of this.#waiting) {
        const expected = expectIn(this.#world, call, by(AGENT, now))
        if ('answer' in expected) compareIds(expected.answer, answer, new Set(this.#known))
      }
      return work()
    })
  }
}

/** True if the call creates something whose ID appears in the texts of blocks, which cannot be compared without it. */
const isShownInTexts = ({ tool, args }: Call): boolean =>
  tool === 'comments_add' ||
  tool === 'files_add' ||
  (tool === 'batch' && (args as BatchArgs).steps.some(isShownInTexts))

const by = (author: string, now: number): When => ({ author, now })
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)
