/** The log of a server: JSON lines on standard error. */
import { writeSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import { escapeJson } from './control-characters.ts'

/** The server log. It never contains secrets or block text. */
export interface Logger {
  request(entry: { requestId: string; method: string; route: string; status: number; ms: number; link?: string }): void
  /** An internal error, or one sentence. */
  warn(line: string): void
}

const STANDARD_ERROR = 2
/** How often, and with which pauses, a line is tried again while its reader is busy. */
const BUSY_TRIES = 20
const BUSY_WAIT_MS = 50

/** @param destination  standard error by default */
export function openLogger(destination: DestinationStream = { write: writeStandardError }): Logger {
  // All lines of one event loop turn are written together: a write costs more than formatting a line.
  let lines = ''
  const flush = () => {
    const text = escapeJson(lines)
    lines = ''
    if (text !== '') destination.write(text)
  }
  process.once('exit', flush)
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

/**
 * Writes to standard error. What cannot be written, such as to a full disk, is lost, and later lines are tried again. A
 * stream of Node would instead emit an error, which ends the process, and never write again.
 */
function writeStandardError(text: string): void {
  let bytes = Buffer.from(text)
  for (let tries = 0; bytes.length > 0 && tries < BUSY_TRIES; ) {
    try {
      bytes = bytes.subarray(writeSync(STANDARD_ERROR, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      // A pipe whose reader is slow.
      tries++
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_WAIT_MS)
    }
  }
}
