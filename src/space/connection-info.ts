/** The information about its space that a client connection receives. Source: the interface's shapes, 6. */

import { FOR_ME_PER_CONNECTION } from '../base/limits.ts'
import { type ForMe, listForMe } from './for-me/for-me.ts'
import { listMembers } from './members/members.ts'
import { formatLocalTime, formatLongDate, formatTimestamp, resolveDate } from './model/dates.ts'
import { urlTemplates } from './model/deep-links.ts'
import type { Space } from './model/space.ts'
import { listDueReminders } from './reminders/reminders.ts'

export async function getConnectionInfo(space: Space) {
  const { id, name, timezone } = space.info
  const due = await listDueReminders(space)
  const { id: linkId, author, kind, access } = space.link
  const { members, moreMembers } = await listMembers(space)
  const own = await listForMe(space, FOR_ME_PER_CONNECTION)
  return {
    space: {
      id,
      name,
      timezone,
      time: formatLocalTime(space),
      friendlyDate: formatLongDate(resolveDate('today', space)),
    },
    utc: { time: formatTimestamp(space.now) },
    urlTemplates: urlTemplates(space),
    // The name is the author of what the connection writes, as histories and events show it.
    link: {
      ...(linkId !== undefined && { id: linkId }),
      name: author,
      kind,
      access,
      ...(own !== undefined && { memberId: own.memberId }),
    },
    members,
    ...(moreMembers !== undefined && { moreMembers }),
    ...(due.length > 0 && { dueReminders: due }),
    ...(own !== undefined && own.items.length > 0 && { forMe: forMeOf(own) }),
  }
}

const forMeOf = ({ memberId: _, dailyLine: __, ...forMe }: ForMe): Omit<ForMe, 'memberId' | 'dailyLine'> => forMe
