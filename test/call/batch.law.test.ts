/** The law of batches: steps in a batch have the same effects and results as the same calls made one after another. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
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
const RUNS = process.env.FC_RUNS === 'long' ? 60 : 2
const STEPS = 20

interface Step {
  tool: string
  args: object
  /** The IDs that the step created. */
  ids: string[]
}

const withoutRevisions = (answer: Answer): string =>
  JSON.stringify(typeof answer === 'string' && answer.startsWith('{') ? JSON.parse(answer) : answer, (key, value) =>
    key === 'revision' ? undefined : value,
  )

/** A space with sequential IDs. A refused call uses none, so that the same calls create the same IDs. */
class Played {
  readonly space: OpenSpace
  readonly link: AccessLink
  readonly ids: { next: number }

  private constructor(space: OpenSpace, link: AccessLink, ids: { next: number }) {
    this.space = space
    this.link = link
    this.ids = ids
  }

  static async start(): Promise<Played> {
    const ids = { next: SMALLEST_ID }
    const generateIds = (count: number) => Array.from({ length: count }, () => ids.next++)
    const { space } = await buildSpace(':memory:', { generateIds })
    return new Played(space, await space.createAccessLink('full', [], 'tester'), ids)
  }

  async call(tool: string, args: object): Promise<Answer> {
    const answer = await runCall(tools.get(tool), args, this, { defaults: 'steps' })
    return 'object' in answer ? answer.object : answer.text.body
  }

  /** Makes a call as a batch with one step. Returns the IDs that it created, and its result. */
  async step(tool: string, args: object): Promise<Answer> {
    const { items } = await this.call('batch', { steps: [{ tool, arguments: args }] })
    return items[0]
  }

  /** Reads everything, except which call wrote what, and revisions, which a batch increments only once. */
  async state(): Promise<string[]> {
    const all = await readings(this.space)
    return all
      .filter(({ asked }) => !/^(log|full history_list|full changes_list|links|participants)/.test(asked))
      .map(({ asked, answer }) => `${asked} ${withoutRevisions(answer)}`)
  }
}

/** Makes random calls one after another, and returns them. */
async function chooseSteps(seed: number): Promise<Step[]> {
  const played = await Played.start()
  const chooser = new Chooser(seed)
  const learned = new Learned()
  const steps: Step[] = []
  while (steps.length < STEPS) {
    const { tool, args } = nextCall(chooser, learned.pools)
    const { next } = played.ids
    try {
      const answer = await runCall(tools.get(tool), args, played)
      const object = 'object' in answer ? answer.object : {}
      learned.learn({ tool, args }, object)
      const { writes } = await played.space.read(played.link, (view) => listAuditEntries(view, 0, 1_000))
      steps.push({ tool, args, ids: writes.at(-1)?.ids ?? [] })
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
      played.ids.next = next
    }
  }
  return steps
}

/** Converts the calls to the steps of a batch, with references to results of earlier steps. */
function asBatch(steps: readonly Step[]): object[] {
  const references = new Map<unknown, string>()
  return steps.map(({ tool, args, ids }, step) => {
    const given = JSON.parse(JSON.stringify(args), (_, value) => references.get(value) ?? value)
    for (const [index, id] of ids.entries()) if (!references.has(id)) references.set(id, `$s${step}.${index}`)
    return { tool, as: `s${step}`, arguments: given }
  })
}

test('a batch has the same effect and responses as its steps one by one', { timeout: 600_000 }, async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const steps = await chooseSteps(seed)
      const [single, together] = [await Played.start(), await Played.start()]
      const items: Answer[] = []
      for (const { tool, args } of steps) items.push(await single.step(tool, args))
      const answer = await together.call('batch', { steps: asBatch(steps) })
      expect(answer.items).toEqual(items.map((item, index) => ({ ...item, as: `s${index}` })))
      expect(await together.state()).toEqual(await single.state())
      compared++
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: RUNS, endOnFailure: true },
  )
  expect(compared).toBe(RUNS)
})

test('a failing step leaves no changes, at any position', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(STEPS), async (seed, at) => {
      const steps = await chooseSteps(seed)
      const played = await Played.start()
      const before = await played.state()
      const wrong = { tool: 'blocks_delete', as: 'wrong', arguments: { blockIds: ['123456789012'] } }
      const response = await played
        .call('batch', { steps: asBatch(steps).toSpliced(at, 0, wrong) })
        .catch((error) => error)
      expect(response).toBeInstanceOf(ScriptoriumError)
      expect(response.message).toMatch(new RegExp(`^At steps\\[${at}\\]`))
      expect(await played.state()).toEqual(before)
      expect((await played.call('history_list', { format: 'json' })).items).toEqual([])
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: RUNS, endOnFailure: true },
  )
})
