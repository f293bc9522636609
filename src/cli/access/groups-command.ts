/** `scriptorium groups`: names for several members, who are given work, named and asked together. */

import { giveToNewcomers } from '../../auth/access-links/group-links.ts'
import { addGroup, type Group, listGroups, removeGroup, updateGroup } from '../../space/members/groups.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'
import { givenLinks } from './links-command.ts'
import { MEMBER_COLUMNS, memberFields, memberLine, memberRow } from './members-command.ts'

export type GroupsAction = 'add' | 'list' | 'update' | 'remove'

export async function runGroups(space: OpenSpace, action: GroupsAction, options: Options): Promise<CommandResult> {
  const { operand, rename, add, remove } = options
  switch (action) {
    case 'add': {
      const fields = { add, ...memberFields(options) }
      const group = await space.write(OPERATOR_LINK, async (view) => {
        const added = await addGroup(view, operand, fields)
        await logOccurrence(view, 'groups_add', { ids: [added.id], about: { name: operand, ...fields } })
        return added
      })
      return result(group)
    }
    case 'list': {
      const groups = await space.read(OPERATOR_LINK, listGroups)
      const none = [['There are no groups; groups add makes one.']]
      if (groups.length === 0) return { value: groups, lines: none }
      const table = { columns: [...MEMBER_COLUMNS, 'Members'], rows: groups.map(groupRow) }
      return { value: groups, lines: groups.map(groupLine), table }
    }
    case 'update': {
      const change = { name: rename, add, remove, ...memberFields(options) }
      const { group, links } = await space.write(OPERATOR_LINK, async (view) => {
        const group = await updateGroup(view, operand, change)
        const links = await giveToNewcomers(view, group.id)
        await logOccurrence(view, 'groups_update', {
          ids: [group.id, ...links.map(({ info }) => info.id)],
          about: change,
        })
        return { group, links }
      })
      const given = givenLinks(links, options)
      const value = { ...group, ...(links.length > 0 && { links: given.value }) }
      return { value, lines: [groupLine(group), ...given.lines] }
    }
    case 'remove': {
      const group = await space.write(OPERATOR_LINK, async (view) => {
        const removed = await removeGroup(view, operand)
        await logOccurrence(view, 'groups_remove', { ids: [removed.id], about: { name: removed.name } })
        return removed
      })
      return { value: group, lines: [[`Removed the group ${group.name}`, group.id]] }
    }
  }
}

const result = (group: Group): CommandResult => ({ value: group, lines: [groupLine(group)] })

const groupLine = (group: Group): string[] => [...memberLine(group), namesOf(group)]
const groupRow = (group: Group): string[] => [...memberRow(group), namesOf(group)]

function namesOf({ members }: Group): string {
  const names = members.map(({ name }) => name).join(', ')
  return names === '' ? 'no one' : names
}
