/** What a connection is told of its space. Source: the interface's shapes, 6. */
import { dateInWords, localTime, moment, resolveDate } from './dates.ts'
import { urlTemplates } from './deep-links.ts'
import type { Space } from './space.ts'

export function describeConnection(space: Space) {
  const { id, name, timezone } = space.info
  return {
    space: { id, name, timezone, time: localTime(space), friendlyDate: dateInWords(resolveDate('today', space)) },
    utc: { time: moment(space.now) },
    urlTemplates: urlTemplates(space.info),
  }
}
