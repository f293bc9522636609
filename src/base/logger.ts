/** The log of a server: JSON lines on standard error. */
import { writeSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import { escapeJson } from './control-characters.ts'
import type { ErrorCode } from './errors.ts'

/** From all lines to those about faults of the server only. */
export const LOG_LEVELS = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The line about a request that has ended. */
export interface RequestEntry {
  requestId: string
  method: string
  /** The path, without secrets. */
  route: string
  status: number
  ms: number
  /** The address that the request came from, as proxies that are trusted say it. */
  client?: string
  /** The ID of the access link. */
  link?: string
  /** The tool that was called. */
  tool?: string
  /** Why the request was refused, or failed. */
  code?: ErrorCode
  /** Present if a password was refused. */
  signIn?: 'refused'
}

/** The server log. It never contains secrets or block text. */
export interface Logger {
  /** A request has ended. The level is `error` for statuses from 500 on. */
  request(entry: RequestEntry): void
  /** Something happened as it should. */
  info(line: string): void
  /** Something needs attention, and the server goes on. */
  warn(line: string): void
  /** A fault of the server or of what it stands on. @param requestId  of the request that met it */
  error(line: string, requestId?: string): void
}

/** The first status that is the fault of the server. */
const SERVER_FAULT = 500

const STANDARD_ERROR = 2
/** How often, and with which pauses, a line is tried again while its reader is busy. */
const BUSY_TRIES = 20
const BUSY_WAIT_MS = 50

/** @param destination  standard error by default */
export function openLogger(
  level: LogLevel = 'info',
  destination: DestinationStream = { write: writeStandardError },
): Logger {
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
  const pinoLogger = pino({ base: null, level, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  return {
    request: (entry) => pinoLogger[entry.status < SERVER_FAULT ? 'info' : 'error'](entry, 'request'),
    info: (line) => pinoLogger.info(line),
    warn: (line) => pinoLogger.warn(line),
    error: (line, requestId) => pinoLogger.error({ requestId }, line),
  }
}

/** A log that shows what needs attention, and leaves out what happens as it should. */
export const logFaultsTo = (report: (line: string) => void): Logger => ({
  request() {},
  info() {},
  warn: (line) => report(line),
  error: (line, requestId) => report(requestId === undefined ? line : `${requestId} ${line}`),
})

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
