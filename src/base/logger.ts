/** What a server writes about itself, as JSON lines on standard error. */
import { type DestinationStream, pino } from 'pino'
import { escapeJson } from './control-characters.ts'

/** What the server writes about itself: never a secret, and no text of a block. */
export interface Logger {
  request(entry: { requestId: string; method: string; route: string; status: number; ms: number; link?: string }): void
  /** A fault of ours, or one sentence. */
  warn(line: string): void
}

const STANDARD_ERROR = 2

/** Takes text as it comes, and writes it later where it can be told to write it at once. */
interface Destination extends DestinationStream {
  flushSync?(): void
}

/** @param destination  standard error when absent */
export function openLogger(destination: Destination = pino.destination(STANDARD_ERROR)): Logger {
  // The lines of one turn of the event loop go together, since writing takes longer than making them.
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
