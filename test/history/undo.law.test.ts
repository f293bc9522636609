/** The law of undo: undone calls leave the state before them, for every reader. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { SMALLEST_ID } from '../../src/space/model/ids.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { nextCall } from '../prove/calls/calls.ts'
import { Chooser } from '../prove/calls/chooser.ts'
import { Learned } from '../prove/calls/learned.ts'
import { readings } from '../schemas/readings.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is looked at by the test that called it
type Answer = any

const tools = toolCatalogFor(endpoints, 'full')

/** A call that wrote something. */
interface PlayedCall {
  id: string
  /** Which connection made it. */
  by: number
  tool: string
  args: object
  /** Its index among all calls, including those that wrote nothing. */
  turn: number
  /** What was read before it, if anything. */
  before: State | undefined
}

/** IDs depend only on the turn, so that a call creates the same things whatever came before it. Time is frozen. */
const IDS_PER_TURN = 1_000_000

/** Calls by several connections to one space, in turns, and what was read before each of them. */
class Played {
  readonly space: OpenSpace
  readonly links: AccessLink[]
  readonly calls: PlayedCall[] = []
  readonly #chooser: Chooser
  readonly #learned = new Learned()
  readonly #startTurn: (turn: number) => void
  #turn = 0

  private constructor(space: OpenSpace, links: AccessLink[], seed: number, startTurn: (turn: number) => void) {
    this.space = space
    this.links = links
    this.#chooser = new Chooser(seed)
    this.#startTurn = startTurn
  }

  static async start(seed: number, connections: number): Promise<Played> {
    let nextId = SMALLEST_ID
    const generateIds = (count: number) => Array.from({ length: count }, () => nextId++)
    const { space } = await buildSpace(':memory:', { generateIds })
    const names = Array.from({ length: connections }, (_, index) => `c${index + 1}`)
    const links = await Promise.all(names.map((name) => space.createAccessLink('full', [], name)))
    return new Played(
      space,
      links.map((link, index) => ({ ...link, connection: names[index] as string })),
      seed,
      (turn) => {
        nextId = SMALLEST_ID + turn * IDS_PER_TURN
      },
    )
  }

  /**
   * Makes random calls until this number has written something.
   *
   * @param readBefore  reads the state before the writing call with this index
   */
  async play(
    count: number,
    readBefore: (index: number) => Promise<State> | undefined = () => undefined,
  ): Promise<void> {
    while (this.calls.length < count) {
      const by = this.#chooser.number(this.links.length)
      const { tool, args } = nextCall(this.#chooser, this.#learned.pools)
      const before = await readBefore(this.calls.length)
      const turn = ++this.#turn
      this.#startTurn(turn)
      const answer = await this.ask(by, tool, args).catch((error) => {
        if (!(error instanceof ScriptoriumError)) throw error
      })
      if (answer === undefined) continue
      this.#learned.learn({ tool, args }, answer)
      const { items } = await this.ask(by, 'history_list', { limit: 1 })
      if (items[0].tool === tool && items[0].callId !== this.calls.at(-1)?.id)
        this.calls.push({ id: items[0].callId, by, tool, args, turn, before })
    }
  }

  /**
   * Makes the given calls of another space, in their turns.
   *
   * @returns true if all of them wrote something: a call may need the result of one that is left out
   */
  async replay(calls: readonly PlayedCall[]): Promise<boolean> {
    for (const { by, tool, args, turn } of calls) {
      this.#startTurn(turn)
      try {
        await this.ask(by, tool, args)
      } catch (error) {
        if (error instanceof ScriptoriumError) return false
        throw error
      }
    }
    return true
  }

  async ask(by: number, tool: string, args: object): Promise<Answer> {
    const link = this.links[by] as AccessLink
    const answer = await runCall(tools.get(tool), args, { space: this.space, link })
    return 'object' in answer ? answer.object : answer.text.body
  }

  undo(args: object): Promise<Answer> {
    return this.ask(0, 'history_undo', args)
  }

  /**
   * All responses of reading tools, except for what undo may leave: times, and documents that it moved to the trash.
   */
  async state(): Promise<State> {
    const all = await readings(this.space)
    return new Map(
      all
        .filter(({ asked }) => !OTHER.some((one) => asked.startsWith(one)))
        .map(({ asked, answer }) => [asked, parsed(answer)]),
    )
  }

  /**
   * The part of it about blocks: all documents, including those in the trash. Not as Markdown, which names things in
   * other documents by their current titles.
   */
  async documents(): Promise<State> {
    const lists = [{ location: 'trash' }, { fetchMetadata: true }]
    const listed: Answer[] = await Promise.all(lists.map((args) => this.ask(0, 'documents_list', args)))
    const ids = new Set<string>(listed.flatMap(({ items }) => items.map((one: Answer) => one.rootBlockId)))
    const found = new Map<string, Answer>()
    for (const id of ids) {
      const args = { id, fetchMetadata: true }
      found.set(`full blocks_get ${JSON.stringify(args)}`, parsed(await this.ask(0, 'blocks_get', args)))
    }
    return found
  }
}

type State = ReadonlyMap<string, Answer>

/** What undo does not restore. */
const OTHER = ['log', 'full history_list', 'full changes_list', 'links', 'participants', 'full connection_get']
/**
 * Who changed what last and when, and positions in lists of resources, which count rows that came and went. A change of
 * only an item's values has no history of the item's own row, so its timestamp stays.
 */
const STAMPS = new Set(['modifiedAt', 'lastModifiedAt', 'lastModifiedBy', 'revision', 'at'])
/** Documents are returned as text. */
const parsed = (answer: Answer): Answer =>
  typeof answer === 'string' && answer.startsWith('{') ? JSON.parse(answer) : answer

/** A response as text, without timestamps and without some documents in the trash. */
function comparable(answer: Answer, ignored: ReadonlySet<string>, without?: string): string {
  const isIgnored = (one: Answer): boolean => ignored.has(one?.rootBlockId) || ignored.has(one?.location?.documentId)
  return JSON.stringify(answer, (key, value) => {
    if (STAMPS.has(key) || key === without) return undefined
    if (value?.id === 'trash') return { ...value, documentCount: undefined }
    return Array.isArray(value) ? value.filter((one) => !isIgnored(one)) : value
  })
}

const TRASH = 'full documents_list {"location":"trash"}'
const trashed = (state: State): string[] => state.get(TRASH).items.map((one: Answer) => one.rootBlockId)

/** Earlier requests get the earlier responses. Only what undo moved to the trash is additional. */
function expectSame(now: State, before: State): void {
  const old = new Set(trashed(before))
  const ignored = new Set(trashed(now).filter((id) => !old.has(id)))
  const differences = [...before].flatMap(([request, answer]) => {
    const [was, is] = [comparable(answer, ignored), comparable(now.get(request), ignored)]
    return was === is ? [] : firstDifference(request, was, is ?? '')
  })
  expect(differences).toEqual([])
}

/** The first difference of two texts, with its context. */
function firstDifference(request: string, before: string, now: string): string {
  if (before === now) return SAME
  let at = 0
  while (at < before.length && before[at] === now[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 100)
  return `${request}\n  before ${around(before)}\n  now    ${around(now)}`
}

const IS_LONG = process.env.FC_RUNS === 'long'
const RUNS = IS_LONG ? 20 : 1
/** The same sequences in every run; others with `FC_SEED`. */
const SEED = Number(process.env.FC_SEED ?? 1)

const options = { seed: SEED, numRuns: RUNS, endOnFailure: process.env.FC_SHRINK === undefined }
const CALLS = IS_LONG ? 30 : 18
/** Few enough that connections do not always conflict. */
const FEW_CALLS = IS_LONG ? 12 : 7

/** Undoing the undo restores what was undone. */
async function expectUndoOfUndo(played: Played, after: State): Promise<void> {
  const { items } = await played.ask(0, 'history_list', { limit: 1 })
  await played.undo({ calls: [items[0].callId] })
  expectSame(await played.state(), after)
}

/**
 * Returns whether it was carried out. It is not if others changed later what it would change.
 *
 * @param isUndone  true for the calls to undo: the conflicting calls must be others, and later
 */
async function undoUnlessConflict(
  played: Played,
  args: object,
  isUndone: (call: PlayedCall) => boolean,
): Promise<boolean> {
  try {
    await played.undo(args)
    return true
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'CONFLICT') {
      const first = played.calls.findIndex(isUndone)
      const mayConflict = played.calls.filter((call, index) => index > first && !isUndone(call)).map(({ id }) => id)
      const named = [...error.message.matchAll(/\(call (\d{12})\)/g)].map(([, id]) => id)
      expect(named.length).toBeGreaterThan(0)
      expect(mayConflict).toEqual(expect.arrayContaining(named))
      return false
    }
    throw error
  }
}

test('undo of the last calls restores the state before them', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 15 }), async (seed, count) => {
      const played = await Played.start(seed, 1)
      await played.play(CALLS, (index) => (index === CALLS - count ? played.state() : undefined))
      const after = await played.state()
      const last = played.calls.slice(-count)
      await played.undo({ calls: last.map(({ id }) => id) })
      expectSame(await played.state(), last[0]?.before as State)
      await expectUndoOfUndo(played, after)
    }),
    options,
  )
})

test('undo of any calls succeeds or is rejected, and can be undone', { timeout: 600_000 }, async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), async (seed, chosen) => {
      const played = await Played.start(seed, 1)
      await played.play(CALLS)
      const after = await played.state()
      const chooser = new Chooser(chosen)
      const some = chooser.some(played.calls, 6).map(({ id }) => id)
      if (!(await undoUnlessConflict(played, { calls: some }, ({ id }) => some.includes(id)))) {
        expectSame(await played.state(), after)
        await played.undo({ calls: some, skipConflicts: true })
      } else done++
      await expectUndoOfUndo(played, after)
    }),
    options,
  )
  expect(done).toBeGreaterThan(0)
})

test('undo of one of three connections succeeds or is rejected, and can be undone', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat({ max: 2 }), async (seed, by) => {
      const played = await Played.start(seed, 3)
      await played.play(CALLS)
      const after = await played.state()
      if (!(await undoUnlessConflict(played, { connection: `c${by + 1}` }, (call) => call.by === by))) {
        expectSame(await played.state(), after)
        await played.undo({ connection: `c${by + 1}`, skipConflicts: true })
      }
      await expectUndoOfUndo(played, after)
    }),
    options,
  )
})

test('undo of one of three connections leaves what the others alone would have written', {
  timeout: 600_000,
}, async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat({ max: 2 }), async (seed, by) => {
      const played = await Played.start(seed, 3)
      await played.play(FEW_CALLS)
      const isBy = (call: PlayedCall) => call.by === by
      if (!played.calls.some(isBy)) return
      const others = await Played.start(seed, 3)
      const couldReplay = await others.replay(played.calls.filter((call) => !isBy(call)))
      const isUndone = await undoUnlessConflict(played, { connection: `c${by + 1}` }, isBy)
      if (!couldReplay || !isUndone) return
      compared++
      expectSame(await played.state(), await others.state())
    }),
    { ...options, numRuns: IS_LONG ? 160 : 12 },
  )
  expect(compared).toBeGreaterThan(0)
})

test('a document read at a call is what was read then', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const played = await Played.start(seed, 1)
      await played.play(CALLS, (index) => (index > 0 ? played.documents() : undefined))
      const present = await played.state()
      for (const [index, { before }] of played.calls.entries()) {
        const at = played.calls[index - 1]?.id
        if (at === undefined) continue
        for (const [request, answer] of before as State) {
          if (!present.has(request)) continue
          const [, args = ''] = request.split('full blocks_get ')
          const then = await played.ask(0, 'blocks_get', { ...JSON.parse(args), fetchMetadata: false, at })
          expect(
            firstDifference(request, comparable(answer, NONE, 'metadata'), comparable(parsed(then), NONE, 'metadata')),
          ).toBe(SAME)
        }
      }
      expectSame(await played.state(), present)
    }),
    options,
  )
})

const NONE: ReadonlySet<string> = new Set()
const SAME = 'the same'
