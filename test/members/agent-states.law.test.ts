/** What agents do out of reach changes nothing of what a narrow connection sees of them. */
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAccessLink, getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { AGENT_STATES } from '../../src/space/agents/agent-states.ts'
import { findListedMembers, type MemberItem } from '../../src/space/agents/list-members.ts'
import { type AccessLink, OPERATOR_LINK } from '../../src/space/model/space.ts'
import { setLinkPaused } from '../../storage/access-links.ts'
import { statement } from '../../storage/statement.ts'
import { endpoints, type ToolName } from '../../tools/index.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { runs, timeOfRuns } from '../support/runs.ts'

const END_LEASES = statement(() => sql`UPDATE lease SET ends_at = 0`)

const AGENTS = ['Robot', 'Codex'] as const
const action = fc.record({
  who: fc.constantFrom(...AGENTS),
  what: fc.constantFrom('read', 'write', 'ask', 'claim', 'letGo'),
  where: fc.constantFrom('seen', 'hidden'),
  /** Seconds until the next one. */
  wait: fc.constantFrom(0, 10, 30, 70),
})
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

/** A space with a document within reach and one out of reach, and two agents that reach both. */
async function world() {
  const built = await buildSpace()
  const full = await connect('full', { to: built })
  const tasks = '- [ ] one\n\n- [ ] two\n\n- [ ] three'
  const documents = ['seen', 'hidden'].map((title) => ({ title, markdown: `Words.\n\n${tasks}` }))
  const { items } = await full.call('documents_add', { documents })
  const [seen, hidden] = items.map(({ id }: { id: string }) => id)
  const places = { seen, hidden }
  const linkOf = (name: string, more: object) =>
    built.space.write(OPERATOR_LINK, async (view) => {
      const link = { kind: 'full', access: 'full', documents: [], isBearer: false, name, ...more } as const
      const { info } = await addAccessLink(view, link)
      return (await getActiveLink(view, info.id)) as AccessLink
    })
  const agents = new Map<string, AccessLink>()
  for (const name of AGENTS) agents.set(name, await linkOf(name, {}))
  const narrow = await linkOf('Narrow', { kind: 'selected', documents: [seen] })
  const { members } = await full.call('connection_get')
  const owner = members.find(({ kind }: { kind: string }) => kind === 'person').id
  const call = (link: AccessLink, tool: ToolName, args: object) =>
    runCall(toolCatalogFor(endpoints, link.kind).get(tool), args, { space: built.space, link })
  // All of them are known from the beginning.
  for (const link of agents.values()) await call(link, 'blocks_add', addedTo(seen))
  return { ...built, places, agents, narrow, owner, call }
}

type World = Awaited<ReturnType<typeof world>>

const addedTo = (pageId: string) => ({ markdown: 'More.', position: { position: 'end', pageId } })

async function carryOut({ space, call, agents, places, owner }: World, { who, what, where }: Action): Promise<void> {
  const link = agents.get(who) as AccessLink
  const documentId = places[where]
  const content = `[@Owner](person://${owner}) which one?`
  switch (what) {
    case 'read':
      await call(link, 'blocks_get', { id: documentId })
      return
    case 'write':
      await call(link, 'blocks_add', addedTo(documentId))
      return
    case 'ask':
      await call(link, 'comments_add', { comments: [{ blockId: documentId, content }] })
      return
    case 'claim':
      await call(link, 'items_claim', { scope: 'document', documentId })
      return
    case 'letGo':
      // What is held in the other document is not let go: only its lease is over.
      await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END_LEASES))
      await space.endLeases()
  }
}

const statesFor = ({ space }: BuiltSpace, link: AccessLink): Promise<Pick<MemberItem, 'name' | 'state'>[]> =>
  space.read(link, async (view) => {
    const { items, ...more } = await findListedMembers(view, { states: true })
    expect(more).toEqual({})
    return items.map(
      ({ name, state }) => ({ name, ...(state && { state: { ...state, document: state.document?.title } }) }) as never,
    )
  })

const RUNS = runs(2, 60)

test('twins that differ in what agents do out of reach show the same states', {
  timeout: timeOfRuns(RUNS),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 10 }), fc.boolean(), async (actions, isStopped) => {
      const [bare, busy] = [await world(), await world()]
      for (const one of actions) {
        await carryOut(busy, one)
        // The end of leases out of reach is nothing that happens within.
        if (one.where === 'seen' || one.what === 'letGo') await carryOut(bare, one)
        expect(await statesFor(busy, busy.narrow)).toEqual(await statesFor(bare, bare.narrow))
        busy.clock.now += one.wait * 1_000
        bare.clock.now += one.wait * 1_000
        expect(await statesFor(busy, busy.narrow)).toEqual(await statesFor(bare, bare.narrow))
      }
      if (isStopped) await busy.space.write(OPERATOR_LINK, ({ tx, now }) => setLinkPaused(tx, 1, now))
      expect(await statesFor(busy, busy.narrow)).toEqual(await statesFor(bare, bare.narrow))
    }),
    { numRuns: RUNS },
  )
})

test('each state is reached, within reach and for a full connection', async () => {
  const seen = new Set<string | undefined>()
  const built = await world()
  const note = async () => {
    for (const link of [built.narrow, OPERATOR_LINK]) {
      for (const { name, state } of await statesFor(built, link))
        if (name === 'Robot') seen.add(`${link.kind} ${state?.state}`)
    }
  }
  const act = async (what: Action['what']) => {
    await carryOut(built, { who: 'Robot', what, where: 'seen', wait: 0 })
    await note()
    built.clock.now += 70_000
    await note()
  }
  for (const what of ['read', 'claim', 'letGo', 'ask'] as const) await act(what)
  await built.space.write(OPERATOR_LINK, ({ tx, now }) => setLinkPaused(tx, 1, now))
  await note()
  const full = AGENT_STATES.map((state) => `full ${state}`)
  const narrow = AGENT_STATES.filter((state) => state !== 'stopped').map((state) => `selected ${state}`)
  expect([...seen].sort()).toEqual([...full, ...narrow].sort())
})
