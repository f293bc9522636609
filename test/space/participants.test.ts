import { expect, test } from 'vitest'
import { addAccessLink, getActiveLink, listAccessLinkInfos } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant, listParticipants, removeParticipant } from '../../src/space/participants/participants.ts'
import { accessLinkOfSignIn, findIdentity, insertSignIn } from '../../storage/identities.ts'
import { buildSpace } from '../build.ts'

const ISSUER = 'https://id.example/realm'
const as = (subject: string, issuer = ISSUER) => ({ issuer, subject })

async function opened() {
  const { space } = await buildSpace()
  return { space, write: <T>(work: (view: Space) => Promise<T>) => space.write(OPERATOR_LINK, work) }
}

test('a participant signs in as the subject of an issuer, with one subject or several', async () => {
  const { space, write } = await opened()
  const anna = await write((view) => addParticipant(view, 'Anna', { identity: as('a-1') }))
  expect(anna).toMatchObject({ name: 'Anna', signsInAs: [as('a-1')] })
  // The creator of the space is a participant already.
  await write((view) => addParticipant(view, 'Owner', { identity: as('o-1') }))
  await write((view) => addParticipant(view, 'Owner', { identity: as('a-1', 'https://other.example') }))
  // Adding one twice adds it once.
  await write((view) => addParticipant(view, 'Owner', { identity: as('o-1') }))
  const listed = await space.read(OPERATOR_LINK, listParticipants)
  expect(listed.map(({ name, signsInAs }) => [name, signsInAs])).toEqual([
    ['Owner', [as('o-1'), as('a-1', 'https://other.example')]],
    ['Anna', [as('a-1')]],
  ])
})

test('a subject belongs to one participant, and may not be empty', async () => {
  const { write } = await opened()
  await write((view) => addParticipant(view, 'Anna', { identity: as('a-1') }))
  await expect(write((view) => addParticipant(view, 'Owner', { identity: as('a-1') }))).rejects.toThrow(
    "Expected a subject that no participant has yet, found a-1, which is Anna's; remove it there, or name another for Owner.",
  )
  await expect(write((view) => addParticipant(view, 'Bob', { identity: as(' ') }))).rejects.toThrow(
    'Expected a subject of the issuer as --subject, found none.',
  )
  // A rejected change stores nothing.
  await expect(write((view) => removeParticipant(view, 'Bob'))).rejects.toThrow('found Bob; choose one of Owner (')
})

test('a participant who signs in no more, or has left, is unknown, and their sessions have ended', async () => {
  const { space, write } = await opened()
  await write((view) => addParticipant(view, 'Anna', { identity: as('a-1') }))
  await write((view) => addParticipant(view, 'Anna', { identity: as('a-2') }))
  const ids = await write(async (view) => {
    const links: string[] = []
    for (const subject of ['a-1', 'a-2']) {
      const { n } = (await findIdentity(view.tx, as(subject))) ?? { n: 0 }
      const input = { kind: 'full', access: 'full', documents: [], isBearer: true, participant: 'Anna' } as const
      const { info } = await addAccessLink(view, input)
      await insertSignIn(view.tx, n, 'client', info.id)
      expect(await accessLinkOfSignIn(view.tx, n, 'client')).toBe(info.id)
      links.push(info.id)
    }
    return links
  })
  const standing = () =>
    space.read(OPERATOR_LINK, async (view) =>
      Promise.all(ids.map(async (id) => (await getActiveLink(view, id)) !== undefined)),
    )
  expect(await standing()).toEqual([true, true])
  await expect(write((view) => removeParticipant(view, 'Anna', { identity: as('a-3') }))).rejects.toThrow(
    'Expected a subject that Anna signs in as, found a-3 of https://id.example/realm; run participants list to see them.',
  )
  expect(await write((view) => removeParticipant(view, 'Anna', { identity: as('a-1') }))).toMatchObject({
    signsInAs: [as('a-2')],
  })
  expect(await standing()).toEqual([false, true])
  await write((view) => removeParticipant(view, 'Anna'))
  expect(await standing()).toEqual([false, false])
  expect(await space.read(OPERATOR_LINK, (view) => findIdentity(view.tx, as('a-2')))).toBeUndefined()
  expect(
    (await space.read(OPERATOR_LINK, listAccessLinkInfos)).map(({ revokedAt }) => revokedAt !== undefined),
  ).toEqual([true, true])
  // Someone else may have it now.
  await write((view) => addParticipant(view, 'Bob', { identity: as('a-2') }))
})
