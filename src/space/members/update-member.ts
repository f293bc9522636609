/** What the person who runs the space changes of its members. */
import {
  activeMembers,
  freeHandle,
  type MemberRow,
  membersByNumbers,
  memberWithHandle,
  renameMember,
  updateMember as update,
} from '../../../storage/members.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import { findControlCharacter } from '../../base/control-characters.ts'
import { invalid } from '../../base/errors.ts'
import { HANDLE_LENGTH, PICTURE_CHARACTERS, PICTURE_LENGTH } from '../../base/limits.ts'
import { memberNamed } from '../model/given-members.ts'
import { validateMemberName } from '../model/names.ts'
import type { Space } from '../model/space.ts'
import { type Member, memberAnswer } from './members.ts'

export interface MemberChange {
  name?: string | undefined
  /** With or without the `@`; null for none. */
  handle?: string | null | undefined
  /** An emoji or a few letters; null for none. */
  picture?: string | null | undefined
}

/**
 * @param reference  ID, handle with `@`, or name
 * @throws VALIDATION_ERROR for a member that does not exist, and for invalid or taken names and handles
 */
export async function updateMember(space: Space, reference: string, change: MemberChange): Promise<Member> {
  return changeMember(
    space,
    memberNamed(await activeMembers(space.tx, space.now), reference, 'scriptorium members list shows them'),
    change,
  )
}

/** The same for a member that is at hand. */
export async function changeMember(space: Space, row: MemberRow, change: MemberChange): Promise<Member> {
  const { name, handle = row.handle, picture = row.picture } = change
  if (name !== undefined) await rename(space, row, name)
  const changed = {
    n: row.n,
    handle: handle === null ? null : await validateHandle(space, handle, row.n),
    picture: picture === null ? null : validatePicture(picture),
  }
  await update(space.tx, changed)
  const [updated] = await membersByNumbers(space.tx, [row.n], space.now)
  if (updated === undefined) throw new Error(`Expected the member ${row.n} that was changed.`)
  return memberAnswer(space, updated)
}

async function rename(space: Space, row: MemberRow, input: string): Promise<void> {
  const subject = row.participant !== null ? 'a participant' : row.link !== null ? 'a link' : 'a group'
  const name = validateMemberName(input, subject)
  if (row.participant !== null) {
    const other = (await activeParticipants(space.tx)).find((one) => one.name === name && one.n !== row.participant)
    if (other !== undefined) {
      throw invalid(
        `Expected a name that no participant has, found ${name}, which is that of ${other.id}; choose another.`,
      )
    }
  }
  if (row.kind === 'group') await assertFreeGroupName(space, name, row.n)
  await renameMember(space.tx, row, name)
}

/** @param own  the number of the group that gets the name @throws VALIDATION_ERROR for the name of another group */
export async function assertFreeGroupName(space: Space, name: string, own?: number): Promise<void> {
  const active = await activeMembers(space.tx, space.now)
  const other = active.find((one) => one.kind === 'group' && one.name === name && one.n !== own)
  if (other === undefined) return
  throw invalid(`Expected a name that no group has, found ${name}, which is that of ${other.id}; choose another.`)
}

const HANDLE = new RegExp(`^[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}_-]{0,${HANDLE_LENGTH - 1}})$`, 'u')

/** @throws VALIDATION_ERROR for an invalid handle, and for one that another active member has */
async function validateHandle(space: Space, input: string, ownN: number): Promise<string> {
  const handle = input.trim().replace(/^@/, '').normalize('NFC').toLowerCase()
  if (!HANDLE.test(handle)) {
    throw invalid(
      `Expected a handle of 1 to ${HANDLE_LENGTH} letters, digits, - and _ that begins with a letter or digit, found ${JSON.stringify(input.slice(0, 60))}.`,
    )
  }
  const other = await memberWithHandle(space.tx, handle, space.now)
  if (other === undefined || other.n === ownN) return handle
  if (other.isActive === 1) {
    throw invalid(`Expected a handle that no member has, found @${handle}, which is that of ${other.name}.`)
  }
  await freeHandle(space.tx, other.n)
  return handle
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function validatePicture(input: string): string {
  const picture = input.trim()
  const count = picture.length > PICTURE_LENGTH ? Infinity : [...characters.segment(picture)].length
  if (count > 0 && count <= PICTURE_CHARACTERS && findControlCharacter(picture) === undefined) return picture
  throw invalid(
    `Expected an emoji, or up to ${PICTURE_CHARACTERS} letters, as the picture, found ${JSON.stringify(input.slice(0, 60))}.`,
  )
}
