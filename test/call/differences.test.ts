/** Differences are made outside of transactions, with one limit for each request. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { Comparer } from '../../src/difference/comparer.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { Answer } from '../connect.ts'
import { proposalOf, serveProposals } from './serve-proposals.ts'

/** Everything that makes a difference, after two blocks were added in two calls. */
const WAYS: Readonly<Record<string, (world: World) => Promise<Answer>>> = {
  'the history of a call': ({ owner, first }) => owner.ask(`GET /history?call=${first}`),
  'the history between two moments': ({ owner, plan, first, second }) =>
    owner.ask(`GET /history?documentId=${plan}&since=${first}&until=${second}`),
  'a dry run': ({ owner, plan }) => owner.ask('POST /blocks', added(plan), { prefer: 'dry-run' }),
  'a proposal': ({ agent, plan }) => agent.ask('POST /blocks', added(plan)),
  'an approval': ({ approve, person, waiting }) => approve(person, waiting),
}

const added = (pageId: string) => ({ markdown: 'five', position: { position: 'end', pageId } })

type World = Awaited<ReturnType<typeof serveWorld>>

async function serveWorld() {
  const served = await serveProposals()
  await served.write(served.owner, 'three')
  await served.write(served.owner, 'four')
  const { items } = (await served.owner.ask('GET /history?ids=short')).json
  const waiting = proposalOf(await served.write(served.agent, 'proposed'))
  return { ...served, first: items[1].callId as string, second: items[0].callId as string, waiting }
}

test.each(Object.entries(WAYS))('others write while %s is compared', async (_, ask) => {
  const world = await serveWorld()
  const compare = Comparer.prototype.compareDocuments
  let written = 0
  // This write could not begin while a transaction waits for the comparison.
  const spy = vi.spyOn(Comparer.prototype, 'compareDocuments').mockImplementation(async function (
    this: Comparer,
    documents,
  ) {
    await world.space.write(OPERATOR_LINK, async () => void written++)
    return compare.call(this, documents)
  })
  onTestFinished(() => spy.mockRestore())
  expect((await ask(world)).status).toBeLessThan(300)
  expect(written).toBe(1)
})
