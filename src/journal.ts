/** What a server writes about itself, as JSON lines on standard error. */
import { pino } from 'pino'
import { escapeJson } from './control-characters.ts'
import type { Journal } from './server/http.ts'

const STANDARD_ERROR = 2

export function openJournal(): Journal {
  const destination = pino.destination(STANDARD_ERROR)
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void destination.write(escapeJson(line)) },
  )
  return {
    request: (entry) => logger.info(entry, 'request'),
    note: (line) => logger.warn(line),
  }
}
