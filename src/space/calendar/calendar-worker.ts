/** The worker thread that reads calendars of others. */
import { answerInWorker } from '../../base/worker.ts'
import { expandCalendar } from './expand-calendar.ts'
import type { CalendarWork, CalendarWorkResult } from './read-calendar.ts'
import { keptText, scanCalendar } from './scan-calendar.ts'

answerInWorker<CalendarWork, CalendarWorkResult>((work) => {
  if ('days' in work) return expandCalendar(work.text, work.days)
  const scanned = scanCalendar(work.text)
  const { name, leftOut } = scanned
  return { text: keptText(scanned), leftOut, ...(name !== undefined && { name }) }
})
