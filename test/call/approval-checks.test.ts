/** What is checked once more when an approved proposal runs: what it changes, and that it stays within reach. */
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import type { Endpoint } from '../../src/endpoint.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { itemsOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'

const CHANGED =
  'Expected what the proposal changes to stay as it was while the proposal was checked, found it changed by another call; nothing was written, approve it again.'

/** The endpoints, with work between the check of an approval and its transaction, where other calls may write. */
function writingBetween(work: () => Promise<unknown>): readonly Endpoint[] {
  return endpoints.map((endpoint) => {
    const { name, prepare } = endpoint
    if (name !== 'proposals_approve' || prepare === undefined) return endpoint
    return {
      ...endpoint,
      async prepare(...args: Parameters<typeof prepare>) {
        const prepared = await prepare(...args)
        await work()
        return prepared
      },
    } as Endpoint
  })
}

/** Approves as this connection. @returns the message of the refusal */
async function refusal(
  { space, link }: { space: Connected['space']; link: AccessLink },
  args: object,
  serving = endpoints,
) {
  const endpoint = toolCatalogFor(serving, link.kind).find('proposals_approve')
  if (endpoint === undefined) throw new Error('Expected proposals_approve, found no such endpoint.')
  return runCall(endpoint, args, { space, link }).then(
    () => 'approved',
    (error: Error) => error.message,
  )
}

const fingerprintOf = async ({ call }: Connected, proposalId: string): Promise<string> =>
  (await call('proposals_list', { proposalId, format: 'json' })).items[0].fingerprint

test('what is changed by another call after the check is not approved', async () => {
  const owner = await connect()
  const agent = await connect('full', { to: owner, access: 'propose' })
  const document = await documentOf(owner, 'one\n\ntwo')
  const { two = '' } = await idsOf(owner, document)
  const { proposal } = await agent.call('blocks_delete', { blockIds: [two] })
  const write = () => owner.call('blocks_update', { blocks: [{ id: two, color: '#aa0000' }] })
  const link = await owner.space.createAccessLink('full', [], 'Anna')
  const { proposalId } = proposal
  const approval = { proposalId, fingerprint: await fingerprintOf(owner, proposalId) }
  expect(await refusal({ ...owner, link }, approval, writingBetween(write))).toBe(CHANGED)
  expect(Object.keys(await idsOf(owner, document)).sort()).toEqual(['one', 'two'])
  expect((await owner.call('proposals_list', { format: 'json' })).items).toMatchObject([{ state: 'waiting' }])
})

test('what a proposal changes beyond the reach of the person is not approved', async () => {
  const owner = await connect()
  const [document, other] = [await documentOf(owner, 'one', 'Near'), await documentOf(owner, 'two', 'Far')]
  const add = async (pageId: string, properties: object[]): Promise<string> => {
    const position = { position: 'end', pageId }
    return (await owner.call('collections_add', { schema: { name: 'Things', properties }, position })).collectionBlockId
  }
  const near = await add(document, [])
  const far = await add(other, [{ type: 'relation', name: 'Of', targetCollectionId: near }])
  const [item = ''] = await itemsOf(owner, near, [{ title: 'Thing' }])
  const agent = await connect('selected', { to: owner, access: 'propose', documents: [document] })
  const link = await owner.space.createAccessLink('selected', [document], 'Anna')
  const { proposal } = await agent.call('items_delete', { collectionId: near, idsToDelete: [item] })
  const { proposalId } = proposal
  const approval = { proposalId, fingerprint: await fingerprintOf(owner, proposalId) }
  // From now on, the item has a relation in a document that neither of them reaches.
  await itemsOf(owner, far, [{ title: 'Other', properties: { of: { relations: [{ blockId: item }] } } }])
  expect(await refusal({ ...owner, link }, approval)).toBe(
    `Expected proposal ${proposalId} to change only what this connection reaches, found that by now it would change something else as well; nothing was written, let somebody decide who reaches all of it.`,
  )
  expect((await owner.call('items_list', { collectionId: near })).items).toHaveLength(1)
})
