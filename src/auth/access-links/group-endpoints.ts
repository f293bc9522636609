/** Endpoints for groups on the pages, which are not tools: only the person who runs the program may use them. */
import { z } from 'zod'
import { HANDLE_LENGTH, MEMBERS_PER_GROUP, NAME_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { addGroup, listGroups, removeGroup, updateGroup } from '../../space/members/groups.ts'
import { MEMBER_KINDS } from '../../space/members/members.ts'
import { giveToNewcomers } from './group-links.ts'
import { assertOperator } from './link-managers.ts'

const operatorOnly = ['full'] as const
const groupId = z.string().min(1).max(100)
const members = z.array(z.string().min(1).max(100)).max(MEMBERS_PER_GROUP)

const member = z.strictObject({
  id: z.string(),
  kind: z.enum(MEMBER_KINDS),
  name: z.string(),
  handle: z.string().optional(),
  picture: z.string().optional(),
})
const group = member.extend({ members: z.array(member) })

const ofGroup = {
  handle: z
    .string()
    .max(HANDLE_LENGTH + 1)
    .nullable()
    .optional(),
  picture: z.string().max(100).nullable().optional(),
  add: members.optional(),
}

const list = endpoint({
  name: 'groups_list',
  title: 'List groups',
  description: 'List the groups of the space, with who is in them.',
  route: 'GET /groups',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), operatorOnly),
  output: z.strictObject({ items: z.array(group) }),
  async handle({ space }) {
    assertOperator(space)
    return { items: await listGroups(space) }
  },
})

const add = endpoint({
  name: 'groups_add',
  title: 'Add a group',
  description: 'Make a group of people and agents.',
  route: 'POST /groups',
  effect: 'add',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ name: z.string().min(1).max(NAME_LENGTH), ...ofGroup }), operatorOnly),
  output: group,
  writtenIds: ({ id }) => [id],
  administers: (input) => input,
  async handle({ space }, { name, ...change }) {
    assertOperator(space)
    return addGroup(space, name, change)
  },
})

const update = endpoint({
  name: 'groups_update',
  title: 'Change a group',
  description:
    'Change who is in a group. People who join it get the links of the group; their secrets are answered once.',
  route: 'PUT /groups',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(
    () =>
      z.strictObject({
        groupId,
        name: z.string().min(1).max(NAME_LENGTH).optional(),
        ...ofGroup,
        remove: members.optional(),
      }),
    operatorOnly,
  ),
  output: z.strictObject({
    group,
    links: z.array(z.strictObject({ linkId: z.string(), participant: z.string(), secret: z.string() })),
  }),
  writtenIds: ({ group: { id } }) => [id],
  administers: ({ groupId: _, ...change }) => change,
  async handle({ space }, { groupId: reference, ...change }) {
    assertOperator(space)
    const changed = await updateGroup(space, reference, change)
    const links = await giveToNewcomers(space, changed.id)
    return {
      group: changed,
      links: links.map(({ info: { id, participant }, secret }) => ({ linkId: id, participant, secret })),
    }
  },
})

const remove = endpoint({
  name: 'groups_remove',
  title: 'Remove a group',
  description: 'Remove a group. What its members reach by it ends.',
  route: 'DELETE /groups',
  effect: 'delete',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ groupId }), operatorOnly),
  output: group,
  writtenIds: ({ id }) => [id],
  administers: () => ({}),
  async handle({ space }, { groupId: reference }) {
    assertOperator(space)
    return removeGroup(space, reference)
  },
})

export const groupEndpoints = [list, add, update, remove]
