import { z } from 'zod'
import { DUE_REMINDERS_PER_ANSWER, FOR_ME_PER_CONNECTION, MEMBERS_PER_ANSWER } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { getConnectionInfo } from '../src/space/connection-info.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS } from '../src/space/model/space.ts'
import { reminder } from './shapes/block-output.ts'
import { forMeList } from './shapes/for-me-shape.ts'
import { member } from './shapes/member-shape.ts'

const get = endpoint({
  name: 'connection_get',
  title: 'Get connection',
  description:
    'Get the ID and time of the space, who you are, its members, links, due reminders, and forMe: what waits for you.',
  route: 'GET /connection',
  effect: 'read',
  isEssential: true,
  alsoKnownAs: ['spaces_get', 'space_get', 'whoami', 'time_get', 'info_get'],
  input: byKind(() => z.strictObject({})),
  output: z.strictObject({
    space: z.strictObject({
      id: z.string(),
      name: z.string(),
      timezone: z.string(),
      time: z.string(),
      friendlyDate: z.string(),
    }),
    utc: z.strictObject({ time: z.string() }),
    urlTemplates: z.strictObject({ app: z.string(), web: z.string().optional(), note: z.string().optional() }),
    link: z
      .strictObject({
        id: z.string().optional(),
        name: z.string(),
        kind: z.enum(CONNECTION_KINDS),
        access: z.enum(ACCESS_LEVELS),
        memberId: z.string().optional(),
      })
      .describe('Who you are: name is the author of what you write'),
    members: z.array(member).meta({ maxItems: MEMBERS_PER_ANSWER }),
    moreMembers: z.int().optional(),
    dueReminders: z.array(reminder).meta({ maxItems: DUE_REMINDERS_PER_ANSWER, isFolded: true }).optional(),
    forMe: forMeList(FOR_ME_PER_CONNECTION).meta({ isFolded: true }).optional(),
  }),
  handle: ({ space }) => getConnectionInfo(space),
})

export const connection = [get]
