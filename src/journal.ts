/** What a server writes about itself, as JSON lines on standard error. */
import { pino } from 'pino'
import type { Journal } from './server/http.ts'

const STANDARD_ERROR = 2

export function openJournal(): Journal {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(STANDARD_ERROR))
  return {
    request: (entry) => logger.info(entry, 'request'),
    note: (line) => logger.warn(line),
  }
}
