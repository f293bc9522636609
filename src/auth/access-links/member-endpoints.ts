/**
 * Endpoints for members on the pages, which are not tools: who there is, with what agents are doing, and changes of handles
 * and pictures. People change their own, and the person who runs the program those of all.
 */
import { z } from 'zod'
import { membersByIds } from '../../../storage/members.ts'
import { notFound, ScriptoriumError } from '../../base/errors.ts'
import { HANDLE_LENGTH, MEMBERS_PER_ANSWER, NAME_LENGTH, PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { AGENT_STATES } from '../../space/agents/agent-states.ts'
import { findListedMembers } from '../../space/agents/list-members.ts'
import { MEMBER_KINDS } from '../../space/members/members.ts'
import { changeMember } from '../../space/members/update-member.ts'
import { GivenId } from '../../space/model/ids.ts'
import { ownMember } from '../../space/model/member-reach.ts'
import type { Space } from '../../space/model/space.ts'

const member = {
  id: z.string(),
  kind: z.enum(MEMBER_KINDS),
  name: z.string(),
  handle: z.string().optional(),
  picture: z.string().optional(),
}

const state = z.strictObject({
  state: z.enum(AGENT_STATES),
  at: z.string().optional(),
  document: z.strictObject({ documentId: z.string(), title: z.string() }).optional(),
})

const id = z
  .string()
  .min(1)
  .max(100)
  .transform((text) => new GivenId(text))

const list = endpoint({
  name: 'members_list',
  title: 'List members',
  description: 'List the members whom the connection knows, by what is typed, with what agents are doing.',
  route: 'GET /members',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() =>
    z.strictObject({
      query: z.string().max(PAGE_QUERY_LENGTH).optional(),
      limit: z.int().min(1).max(MEMBERS_PER_ANSWER).optional(),
      memberId: id.optional(),
      documentId: id.optional(),
      states: z.boolean().default(false),
    }),
  ),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        ...member,
        isOwn: z.literal(true).optional(),
        linkId: z.string().optional(),
        state: state.optional(),
      }),
    ),
    more: z.int().optional(),
  }),
  handle: ({ space }, input) => findListedMembers(space, input),
})

const update = endpoint({
  name: 'members_update',
  title: 'Change a member',
  description: 'Change the name, the handle or the picture of a member.',
  route: 'PUT /members',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() =>
    z.strictObject({
      memberId: id,
      name: z.string().min(1).max(NAME_LENGTH).optional(),
      handle: z
        .string()
        .max(HANDLE_LENGTH + 1)
        .nullable()
        .optional(),
      picture: z.string().max(100).nullable().optional(),
    }),
  ),
  output: z.strictObject(member),
  writtenIds: ({ id }) => [id],
  administers: ({ memberId: _, ...change }) => change,
  async handle({ space }, { memberId, ...change }) {
    const [row] = await membersByIds(space.tx, [memberId.number], space.now)
    if (row === undefined || row.isActive === 0 || !(await mayChange(space, row.n))) {
      throw notFound('Expected a member that you may change, found none with this ID; open the page again.')
    }
    if (change.name !== undefined && !isOperator(space)) throw notRenamed()
    return changeMember(space, row, change)
  },
})

const isOperator = ({ link }: Space): boolean => link.id === undefined && link.kind === 'full' && link.access === 'full'

/** People who signed in change their own member. A link is not who uses it. */
const mayChange = async (space: Space, n: number): Promise<boolean> =>
  isOperator(space) || (space.link.isSignedIn === true && (await ownMember(space)) === n)

const notRenamed = (): ScriptoriumError =>
  new ScriptoriumError(
    'FORBIDDEN',
    'Expected the person who runs this space to change a name, found another; change your handle or picture, or ask them.',
  )

export const memberEndpoints = [list, update]
