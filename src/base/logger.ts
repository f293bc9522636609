/** The log of a server: JSON lines on standard error. */
import { type DestinationStream, pino } from 'pino'
import { escapeJson } from './control-characters.ts'

/** The server log. It never contains secrets or block text. */
export interface Logger {
  request(entry: { requestId: string; method: string; route: string; status: number; ms: number; link?: string }): void
  /** An internal error, or one sentence. */
  warn(line: string): void
}

const STANDARD_ERROR = 2

/** A buffered destination. `flushSync` writes the buffer immediately. */
interface Destination extends DestinationStream {
  flushSync?(): void
}

/** @param destination  standard error by default */
export function openLogger(destination: Destination = pino.destination(STANDARD_ERROR)): Logger {
  // All lines of one event loop turn are written together: a write costs more than formatting a line.
  let lines = ''
  const flush = () => {
    const text = escapeJson(lines)
    lines = ''
    if (text !== '') destination.write(text)
  }
  process.once('exit', () => {
    flush()
    destination.flushSync?.()
  })
  const write = (line: string) => {
    if (lines === '') setImmediate(flush)
    lines += line
  }
  const pinoLogger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  return {
    request: (entry) => pinoLogger.info(entry, 'request'),
    warn: (line) => pinoLogger.warn(line),
  }
}
