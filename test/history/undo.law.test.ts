/** The law of undo: calls that are taken back leave what was before them, to whoever reads. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { runCall } from '../../src/call/run.ts'
import { toolCatalogFor } from '../../src/call/tool-catalog.ts'
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

/** Calls by several connections to one space, in turns, and what was read after each of them. */
class Played {
  readonly space: OpenSpace
  readonly links: AccessLink[]
  /** The IDs of calls that wrote, with whose each was, and what was read before it. */
  readonly calls: { id: string; by: number; tool: string; before: State }[] = []
  readonly #chooser: Chooser
  readonly #learned = new Learned()

  private constructor(space: OpenSpace, links: AccessLink[], seed: number) {
    this.space = space
    this.links = links
    this.#chooser = new Chooser(seed)
  }

  static async start(seed: number, connections: number): Promise<Played> {
    const { space } = await buildSpace()
    const names = Array.from({ length: connections }, (_, index) => `c${index + 1}`)
    const links = await Promise.all(names.map((name) => space.createAccessLink('full', [], name)))
    return new Played(
      space,
      links.map((link, index) => ({ ...link, connection: names[index] as string })),
      seed,
    )
  }

  /** Makes calls by chance until so many have written. */
  async play(count: number): Promise<void> {
    while (this.calls.length < count) {
      const by = this.#chooser.number(this.links.length)
      const call = nextCall(this.#chooser, this.#learned.pools)
      const before = await this.state()
      const answer = await this.ask(by, call.tool, call.args).catch((error) => {
        if (!(error instanceof ScriptoriumError)) throw error
      })
      if (answer === undefined) continue
      this.#learned.learn(call, answer)
      const { items } = await this.ask(by, 'history_list', { limit: 1 })
      if (items[0].tool === call.tool && items[0].callId !== this.calls.at(-1)?.id)
        this.calls.push({ id: items[0].callId, by, tool: call.tool, before })
    }
  }

  async ask(by: number, tool: string, args: object): Promise<Answer> {
    const link = this.links[by] as AccessLink
    const answer = await runCall(tools.get(tool), args, { space: this.space, link })
    return 'object' in answer ? answer.object : answer.text.body
  }

  undo(args: object): Promise<Answer> {
    return this.ask(0, 'history_undo', args)
  }

  /** All that reading tools answer, but for what undo may leave: times, and documents that it moved to the trash. */
  async state(): Promise<State> {
    const all = await readings(this.space)
    return new Map(
      all
        .filter(({ asked }) => !OTHER.some((one) => asked.startsWith(one)))
        .map(({ asked, answer }) => [asked, parsed(answer)]),
    )
  }
}

type State = ReadonlyMap<string, Answer>

/** What is no matter of undo. */
const OTHER = ['log', 'full history_list', 'links', 'participants', 'full connection_get']
const TIMES = new Set(['modifiedAt', 'lastModifiedAt', 'revision'])
/** Documents come as text. */
const parsed = (answer: Answer): Answer =>
  typeof answer === 'string' && answer.startsWith('{') ? JSON.parse(answer) : answer

/** An answer as text, without times and what is told of some documents in the trash. */
function comparable(answer: Answer, aside: ReadonlySet<string>, without?: string): string {
  const isAside = (one: Answer): boolean => aside.has(one?.rootBlockId) || aside.has(one?.location?.documentId)
  return JSON.stringify(answer, (key, value) => {
    if (TIMES.has(key) || key === without) return undefined
    if (value?.id === 'trash') return { ...value, documentCount: undefined }
    return Array.isArray(value) ? value.filter((one) => !isAside(one)) : value
  })
}

const TRASH = 'full documents_list {"location":"trash"}'
const trashed = (state: State): string[] => state.get(TRASH).items.map((one: Answer) => one.rootBlockId)

/** What was asked before is answered as before; only what was undone into the trash is read besides. */
function expectSame(now: State, before: State): void {
  const old = new Set(trashed(before))
  const aside = new Set(trashed(now).filter((id) => !old.has(id)))
  const differences = [...before].flatMap(([asked, answer]) => {
    const [was, is] = [comparable(answer, aside), comparable(now.get(asked), aside)]
    return was === is ? [] : firstDifference(asked, was, is ?? '')
  })
  expect(differences).toEqual([])
}

/** Where two texts part, with what stands around it. */
function firstDifference(asked: string, before: string, now: string): string {
  if (before === now) return SAME
  let at = 0
  while (at < before.length && before[at] === now[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 100)
  return `${asked}\n  before ${around(before)}\n  now    ${around(now)}`
}

const RUNS = process.env.FC_RUNS === 'long' ? 20 : 4
/** The same sequences in every run; others with `FC_SEED`. */
const SEED = Number(process.env.FC_SEED ?? 1)

const options = { seed: SEED, numRuns: RUNS, endOnFailure: process.env.FC_SHRINK === undefined }
const CALLS = 30

/** What is undone is had again by undoing the undo. */
async function expectUndoOfUndo(played: Played, after: State): Promise<void> {
  const { items } = await played.ask(0, 'history_list', { limit: 1 })
  await played.undo({ calls: [items[0].callId] })
  expectSame(await played.state(), after)
}

/** Whether it was done; not where others changed later what it would change. */
async function undoUnlessConflict(played: Played, args: object): Promise<boolean> {
  try {
    await played.undo(args)
    return true
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'CONFLICT') {
      expect(error.message).toMatch(/\(call \d{12}\)/)
      return false
    }
    throw error
  }
}

test('undo of the last calls leaves what was before them', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 15 }), async (seed, count) => {
      const played = await Played.start(seed, 1)
      await played.play(CALLS)
      const after = await played.state()
      const last = played.calls.slice(-count)
      await played.undo({ calls: last.map(({ id }) => id) })
      expectSame(await played.state(), last[0]?.before as State)
      await expectUndoOfUndo(played, after)
    }),
    options,
  )
})

test('undo of any calls is done or refused, and can be undone', { timeout: 600_000 }, async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), async (seed, chosen) => {
      const played = await Played.start(seed, 1)
      await played.play(CALLS)
      const after = await played.state()
      const chooser = new Chooser(chosen)
      const some = chooser.some(played.calls, 6).map(({ id }) => id)
      if (!(await undoUnlessConflict(played, { calls: some }))) {
        expectSame(await played.state(), after)
        await played.undo({ calls: some, skipConflicts: true })
      } else done++
      await expectUndoOfUndo(played, after)
    }),
    options,
  )
  expect(done).toBeGreaterThan(0)
})

test('undo of one of three connections is done or refused, and can be undone', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat({ max: 2 }), async (seed, by) => {
      const played = await Played.start(seed, 3)
      await played.play(CALLS)
      const after = await played.state()
      if (!(await undoUnlessConflict(played, { connection: `c${by + 1}` }))) {
        expectSame(await played.state(), after)
        await played.undo({ connection: `c${by + 1}`, skipConflicts: true })
      }
      await expectUndoOfUndo(played, after)
    }),
    options,
  )
})

test('a document read at a call is what was read then', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const played = await Played.start(seed, 1)
      await played.play(CALLS)
      const present = await played.state()
      for (const [index, { before }] of played.calls.entries()) {
        const at = played.calls[index - 1]?.id
        if (at === undefined) continue
        for (const [asked, answer] of before) {
          const args = documentReading(asked)
          if (args === undefined || !present.has(asked)) continue
          const then = await played.ask(0, 'blocks_get', { ...args, at })
          expect(
            firstDifference(asked, comparable(answer, NONE, 'metadata'), comparable(parsed(then), NONE, 'metadata')),
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

/** The arguments of a reading of a document. */
function documentReading(asked: string): object | undefined {
  // As Markdown it names what it refers to, in other documents, as that is now.
  const [, args] = /^full blocks_get (.*)$/.exec(asked) ?? []
  return args === undefined || args.includes('markdown') ? undefined : { ...JSON.parse(args), fetchMetadata: false }
}
