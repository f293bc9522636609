/**
 * The laws of proposals, over random calls: a link that proposes changes nothing, and an approved proposal has the
 * effect that was shown.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import type { Answer } from '../connect.ts'
import { nextCall } from '../prove/calls/calls.ts'
import { Chooser } from '../prove/calls/chooser.ts'
import { Learned } from '../prove/calls/learned.ts'
import { readings } from '../schemas/readings.ts'

const catalog = toolCatalogFor(endpoints, 'full')
const isLong = process.env.FC_RUNS === 'long'
const SEED = Number(process.env.FC_SEED ?? 1)

/** Creates a space with some calls made in it, and two links. */
async function begin(seed: number) {
  const { space } = await buildSpace()
  const person = await space.createAccessLink('full', [], 'Anna')
  const agent = await space.createAccessLink('full', [], 'Robot', 'propose')
  const chooser = new Chooser(seed)
  const learned = new Learned()
  const start = async (link: AccessLink) => {
    const { tool, args } = nextCall(chooser, learned.pools)
    const answer = await call(space, link, tool, args)
    if (answer !== undefined) learned.learn({ tool, args }, answer)
    return answer === undefined ? undefined : { tool, answer }
  }
  for (let count = 0; count < 15; count++) await start(person)
  return { space, person, agent, start }
}

/** Makes a call. Returns undefined if it is refused. */
async function call(space: OpenSpace, link: AccessLink, tool: string, args: object): Promise<Answer> {
  try {
    const endpoint = catalog.find(tool)
    if (endpoint === undefined) throw new Error(`Expected an endpoint, found ${tool}.`)
    const answer = await runCall(endpoint, args, { space, link })
    return 'object' in answer ? answer.object : {}
  } catch (error) {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  }
}

/** Reads everything, except pending proposals and who rejected them. */
const stateOf = async (space: OpenSpace): Promise<string[]> =>
  (await readings(space))
    .filter(({ asked }) => !/^(full proposals_list|full history_list|full changes_list|log|links)/.test(asked))
    .map(({ asked, answer }) => `${asked} ${JSON.stringify(answer)}`)

const rejectAll = async (space: OpenSpace, person: AccessLink): Promise<number> => {
  const { items } = await call(space, person, 'proposals_list', { limit: 200 })
  for (const { proposalId } of items) await call(space, person, 'proposals_reject', { proposalId })
  return items.length
}

test('a proposing link changes nothing', { timeout: 3_600_000 }, async () => {
  // Set FC_CALLS for more calls: twenty thousand take about ten minutes.
  const CALLS = Number(process.env.FC_CALLS ?? (isLong ? 1_500 : 20))
  // Each waiting proposal is carried out again by those after it.
  const WAITING = isLong ? 50 : 10
  let proposed = 0
  for (let seed = SEED, made = 0; made < CALLS; seed++) {
    const { space, person, agent, start } = await begin(seed)
    const before = await stateOf(space)
    for (let count = 0; count < WAITING; count++, made++) await start(agent)
    proposed += await rejectAll(space, person)
    expect(await stateOf(space)).toEqual(before)
  }
  expect(proposed).toBeGreaterThan(CALLS / 5)
})

test('what is approved is what was shown, with the promised IDs', { timeout: 3_600_000 }, async () => {
  let approved = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { space, person, agent, start } = await begin(seed)
      const waiting: Answer[] = []
      while (waiting.length < (isLong ? 8 : 6)) {
        const done = await start(agent)
        if (done !== undefined) waiting.push(done.answer)
      }
      for (const { proposal, ...promised } of waiting) {
        const { proposalId } = proposal
        const { items: read } = await call(space, person, 'proposals_list', { proposalId })
        const done = await call(space, person, 'proposals_approve', { proposalId, fingerprint: read[0].fingerprint })
        expect(done).toMatchObject({ proposalId, summary: proposal.summary })
        const { items, diff } = await call(space, person, 'history_list', { call: done.callId })
        expect(items[0].summary || 'Nothing: all is as before.').toBe(proposal.summary)
        expect(diff).toBe(proposal.diff)
        const [id] = idsIn(promised)
        if (id !== undefined) expect(JSON.stringify(items) + (await textOf(space))).toContain(id)
        approved++
      }
    }),
    { seed: SEED, numRuns: isLong ? 60 : 1, endOnFailure: true },
  )
  expect(approved).toBeGreaterThan(0)
})

/** The IDs of text blocks in a response. */
const idsIn = ({ items }: { items?: { id?: string; type?: string }[] }): string[] =>
  (items ?? []).flatMap(({ id, type }) => (type === 'text' && id !== undefined ? [id] : []))

const textOf = async (space: OpenSpace): Promise<string> => JSON.stringify(await readings(space))
