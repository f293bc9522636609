/** What a connection is told of its space. Source: the interface's shapes, 6. */
import { dateInWords, localTime, moment, resolveDate } from './dates.ts'
import { urlTemplates } from './deep-links.ts'
import { dueReminders } from './reminders.ts'
import type { Space } from './space.ts'

export async function describeConnection(space: Space) {
  const { id, name, timezone } = space.info
  const due = await dueReminders(space)
  return {
    space: { id, name, timezone, time: localTime(space), friendlyDate: dateInWords(resolveDate('today', space)) },
    utc: { time: moment(space.now) },
    urlTemplates: urlTemplates(space.info),
    ...(due.length > 0 && { dueReminders: due }),
  }
}
