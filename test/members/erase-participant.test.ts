/** A name that is erased is nowhere afterwards, on either engine, and what was written under it stays. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addAccessLink, listAccessLinkInfos, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { setDocumentLock } from '../../src/space/documents/lock-documents.ts'
import { verifyLog } from '../../src/space/log/verify-log.ts'
import { listReachedMembers } from '../../src/space/members/members.ts'
import { updateMember } from '../../src/space/members/update-member.ts'
import { logOccurrence } from '../../src/space/model/audit-log.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { eraseParticipant, planErasure, recountBytes } from '../../src/space/participants/erase-participant.ts'
import { matchesHash } from '../../src/space/participants/erasure-list.ts'
import { addParticipant, removeParticipant } from '../../src/space/participants/participants.ts'
import { wrongByteCounts } from '../../storage/byte-counts.ts'
import { type AuditRow, writeLog } from '../../storage/schema.ts'
import { selectFrom, statement } from '../../storage/statement.ts'
import { TABLES } from '../../storage/tables.ts'
import { buildSpace } from '../build.ts'
import { proposalOf, serveProposals } from '../call/serve-proposals.ts'
import { type Answer, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'

const NAME = 'Annabel "Ann" Zw[ei]g'
const FORMER = 'Annabel Former'

/** The tables in which a text is. */
async function tablesWith(space: OpenSpace, ...texts: string[]): Promise<string[]> {
  return space.read(OPERATOR_LINK, async ({ tx }) => {
    const found: string[] = []
    for (const table of TABLES.keys()) {
      const dumped = JSON.stringify(await tx.all(statement(() => sql.raw(`SELECT * FROM ${table}`))))
      if (texts.some((text) => dumped.includes(text))) found.push(table)
    }
    return found
  })
}

/** A space in which a person did all that leaves their name somewhere. */
async function written() {
  const built = await buildSpace()
  const { space } = built
  const full = await connect('full', { to: built })
  const anna = await space.write(OPERATOR_LINK, async (view) => {
    const added = await addParticipant(view, FORMER, { handle: 'annabel' })
    await logOccurrence(view, 'participants_add', { ids: [added.id], about: { name: FORMER } })
    const change = { name: NAME, picture: '🦩' }
    const { id } = await updateMember(view, '@annabel', change)
    await logOccurrence(view, 'members_update', { ids: [id], about: change })
    return { ...added, memberId: id }
  })
  const accessLink = await space.write(OPERATOR_LINK, async (view) => {
    const documents: string[] = []
    const given = { kind: 'full', access: 'full', documents, isBearer: false, participant: NAME } as const
    const { info } = await addAccessLink(view, { ...given, name: `Program of ${NAME}` })
    await logOccurrence(view, 'links_add', { ids: [info.id], about: { name: info.name } })
    return info.id
  })
  const as = async (access: 'full' | 'propose' = 'full') =>
    connect('full', { to: built, caller: { link: await space.createAccessLink('full', [], NAME, access) } })
  const own = await as()
  const mention = `[@${NAME.replace(/[[\]]/g, '\\$&')}](person://${anna.memberId})`
  const id = await documentOf(own, `Ask ${mention} first.\n\nGone soon.\n\nStays`, `By ${mention}`)
  const [asked, gone, stays] = Object.values(await idsOf(own, id))
  await own.call('blocks_update', { blocks: [{ id: asked, markdown: `Do ask ${mention} first.` }] })
  await full.call('blocks_update', { blocks: [{ id: asked, markdown: `Really ask ${mention}, again.` }] })
  await own.call('blocks_delete', { blockIds: [gone] })
  const { commentId } = await own.call('comments_add', { comments: [{ blockId: stays, content: `See ${mention}` }] })
  await own.call('comments_add', { comments: [{ commentId, content: 'An answer' }] })
  await own.call('comments_update', { comments: [{ commentId, resolved: true }] })
  await full.call('comments_add', { comments: [{ blockId: stays, content: `With ${mention}` }] })
  await own.call('tasks_add', { tasks: [{ markdown: 'Paint the boat' }] })
  await own.call('items_claim', { scope: 'inbox' })
  await (await as('propose')).call('blocks_update', { blocks: [{ id: stays, markdown: `Changed for ${mention}` }] })
  const [proposed] = (await own.call('proposals_list')).items
  await space.write({ ...OPERATOR_LINK, author: NAME }, async (view) => {
    await view.resolveIds([new GivenId(id)])
    await setDocumentLock(view, new GivenId(id), true)
  })
  return { built, space, full, own, anna, id, accessLink, proposed }
}

async function erase(space: OpenSpace, name: string) {
  const report = await space.write(OPERATOR_LINK, async (view) =>
    eraseParticipant(view, await planErasure(view, name), (text) => text),
  )
  await space.write(OPERATOR_LINK, recountBytes)
  return report
}

const leave = (space: OpenSpace, id: string, links: readonly string[] = []) =>
  space.write(OPERATOR_LINK, async (view) => {
    for (const link of links) await revokeAccessLink(view, link)
    await removeParticipant(view, id)
  })
const verify = (space: OpenSpace) => space.read(OPERATOR_LINK, (view) => verifyLog(view))

test('a name is in no table afterwards, and the log, undo and the counts of bytes are as they should be', async () => {
  const { space, full, anna, accessLink, id } = await written()
  expect(await tablesWith(space, 'Annabel')).toHaveLength(9)
  await leave(space, anna.id, [accessLink])
  const { replacement, changed, left } = await erase(space, NAME)
  expect(await tablesWith(space, 'nnabel', '🦩', 'Zw[ei')).toEqual([])
  expect(left).toEqual({})
  expect(changed).toMatchObject({ blocks: 5, comments: 3, locks: 1, claims: 1, proposals: 1, 'texts of blocks': 3 })
  expect(await space.read(OPERATOR_LINK, ({ tx }) => wrongByteCounts(tx))).toEqual([])
  expect(await verify(space)).toMatchObject({ unhashed: 0, problems: [] })
  expect(await full.call('documents_search', { query: 'Annabel' })).toMatchObject({ items: [] })
  const calls = (await full.call('history_list')).items
  expect(calls.map(({ author }: Answer) => author)).toEqual(expect.arrayContaining(['tester', replacement]))
  // What she had deleted comes back, as hers under the other name.
  await space.write(OPERATOR_LINK, async (view) => {
    await view.resolveIds([new GivenId(id)])
    await setDocumentLock(view, new GivenId(id), false)
  })
  const deletion = calls.find(({ tool }: Answer) => tool === 'blocks_delete')
  await full.call('history_undo', { callIds: [deletion.callId] })
  expect(JSON.stringify(await full.call('blocks_get', { id }))).toContain('Gone soon.')
  expect(await tablesWith(space, 'nnabel')).toEqual([])
})

test('the entry of an erasure has IDs and salted hashes, and without it the names are missing', async () => {
  const { space, anna, accessLink } = await written()
  await leave(space, anna.id, [accessLink])
  const { erased } = await erase(space, NAME)
  const entry = await space.read(OPERATOR_LINK, ({ tx }) =>
    tx.get(statement<AuditRow>(() => sql`${selectFrom(writeLog)} WHERE endpoint = 'participants_erase'`)),
  )
  expect(entry).toMatchObject({ ids: JSON.stringify([anna.id, anna.memberId]) })
  expect(JSON.parse(entry?.detail ?? '')).toEqual({ names: erased.names })
  expect(await matchesHash(NAME, erased.names)).toBe(true)
  expect(await matchesHash('Annabel', erased.names)).toBe(false)
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(statement(() => sql`UPDATE write_log SET erased = NULL`)))
  const { problems } = await verify(space)
  expect(problems.map(({ problem }) => problem)).toContain(
    'its names are gone, and no later entry says that they were erased',
  )
})

test('who approved a proposal is erased, with the difference that mentioned them', async () => {
  const { space, person, agent, write, approve } = await serveProposals()
  const added = await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna'))
  const { memberOfAnna } = await space.read(OPERATOR_LINK, async (view) => ({
    memberOfAnna: (await listReachedMembers(view)).find(({ name, kind }) => name === 'Anna' && kind === 'person'),
  }))
  const proposed = await write(agent, `For [@Anna](person://${memberOfAnna?.id})`)
  expect((await approve(person, proposalOf(proposed))).status).toBe(200)
  await leave(space, added.id)
  await expect(erase(space, 'Anna')).rejects.toThrow(
    /^Expected a name that no one else has, found Anna, which is that of \S+ as well; members update --rename/,
  )
  await space.write(OPERATOR_LINK, async (view) => {
    for (const { id, name } of await listAccessLinkInfos(view)) if (name === 'Anna') await revokeAccessLink(view, id)
  })
  await erase(space, added.id)
  expect(await tablesWith(space, 'Anna')).toEqual([])
  expect(await verify(space)).toMatchObject({ problems: [] })
})

test('what somebody wrote with the name in it stays, and is counted', async () => {
  const { space } = await buildSpace()
  const full = await connect('full', { to: { space, clock: { now: 0 } } })
  const { id } = await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Carla'))
  await documentOf(full, 'Carla was here\n\nand carla again', 'Of Carla')
  await expect(erase(space, 'Carla')).rejects.toThrow(
    `Expected a participant who was removed, found Carla (${id}), who takes part; participants remove ends that`,
  )
  await expect(erase(space, 'Dora')).rejects.toThrow('found Dora; none was removed.')
  await leave(space, id)
  await expect(erase(space, 'Dora')).rejects.toThrow(`found Dora; removed were Carla (${id}).`)
  expect((await erase(space, 'Carla')).left).toEqual({ blocks: 3 })
  expect(await tablesWith(space, 'Carla')).toEqual(['block'])
})
