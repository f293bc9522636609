/** `scriptorium members`: who can be given work, named and asked. */

import { listReachedMembers, type Member, memberAnswer } from '../../space/members/members.ts'
import { type MemberChange, updateMember } from '../../space/members/update-member.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'

export type MembersAction = 'list' | 'update'

export async function runMembers(space: OpenSpace, action: MembersAction, options: Options): Promise<CommandResult> {
  switch (action) {
    case 'list': {
      const members = await space.read(OPERATOR_LINK, async (view) =>
        (await listReachedMembers(view)).map((row) => memberAnswer(view, row)),
      )
      const table = { columns: MEMBER_COLUMNS, rows: members.map(memberRow) }
      return { value: members, lines: members.map(memberLine), table }
    }
    case 'update': {
      const change = { name: options.rename, ...memberFields(options) }
      const member = await space.write(OPERATOR_LINK, async (view) => {
        const changed = await updateMember(view, options.operand, change)
        await logOccurrence(view, 'members_update', { ids: [changed.id], about: change })
        return changed
      })
      return { value: member, lines: [memberLine(member)] }
    }
  }
}

export const memberLine = ({ id, kind, name, handle, picture }: Member): string[] => [
  ...(picture === undefined ? [] : [picture]),
  name,
  ...(handle === undefined ? [] : [`@${handle}`]),
  kind,
  id,
]

export const MEMBER_COLUMNS = ['Picture', 'Name', 'Handle', 'Kind', 'ID']

export const memberRow = ({ id, kind, name, handle, picture = '' }: Member): string[] => [
  picture,
  name,
  handle === undefined ? '' : `@${handle}`,
  kind,
  id,
]

/** The handle and the picture that flags give to a member: null to remove them, undefined to keep them. */
export const memberFields = ({ handle, picture }: Options): Pick<MemberChange, 'handle' | 'picture'> => ({
  handle: handle === 'none' ? null : handle,
  picture: picture === 'none' ? null : picture,
})
