/** Translates errors of PostgreSQL and of connections to it into messages that say what to do. */
import { type ErrorCode, ScriptoriumError } from '../../src/base/errors.ts'
import { StorageFault } from '../storage-fault.ts'

type Fault = readonly [code: ErrorCode, message: string]

const UNREACHABLE: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected the database of the space to answer, found that it does not; nothing was written, try again soon.',
]
const OVERLOADED: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected a free connection to the database, found all of them taken; nothing was written, try again soon. Ask the person who runs the server to compare --database-pool with max_connections if this lasts.',
]
const FULL: Fault = [
  'STORAGE_FULL',
  "Expected room on the database's disk, found it full; nothing was written. Ask the person who runs the server to free some, then try again.",
]
const FAILING: Fault = [
  'STORAGE_UNAVAILABLE',
  "Expected the database's disk to work, found that it fails to read or write; nothing was written. Ask the person who runs the server to check it, then try again.",
]
const READ_ONLY: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected a database that can be written, found it read-only, as a standby is; nothing was written, try again soon.',
]
const NO_RIGHTS: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected the role of the server to own the tables of the space, found that it may not use one; nothing was written. Ask the person who runs the server to read its log, then try again.',
]
const DAMAGED: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected a sound database, found it damaged; nothing was written. Ask the person who runs the server to read its log, and restore a backup.',
]
const TOO_SLOW: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected the database to answer within a minute, found that it takes longer; nothing was written, try again later or ask for less.',
]
const OVERTAKEN: Fault = [
  'CONFLICT',
  'Expected to write by itself, found another write in the way; nothing was written, try again.',
]
const LOCKED: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected to use the tables of the space, found one locked by another program for five seconds; nothing was written, try again soon. Ask the person who runs the server what locks it if this lasts.',
]
const STATEMENTS_LOST: Fault = [
  'STORAGE_UNAVAILABLE',
  'Expected the database to remember prepared statements, found that a pooler between forgets them; nothing was written, try again. Ask the person who runs the server to set max_prepared_statements in PgBouncer.',
]

/** By SQLSTATE, or the beginning of one. Source: PostgreSQL's documentation, Appendix A. */
const BY_STATE: readonly (readonly [state: string, fault: Fault])[] = [
  ['08', UNREACHABLE],
  ['57P', UNREACHABLE],
  ['53100', FULL],
  ['53300', OVERLOADED],
  ['53', OVERLOADED],
  ['25006', READ_ONLY],
  ['42501', NO_RIGHTS],
  ['57014', TOO_SLOW],
  ['40', OVERTAKEN],
  ['55P03', LOCKED],
  ['26000', STATEMENTS_LOST],
  ['42P05', STATEMENTS_LOST],
  ['58', FAILING],
  ['XX001', DAMAGED],
  ['XX002', DAMAGED],
]

const SQLSTATE = /^[0-9A-Z]{5}$/
/** Messages of node-postgres and pg-pool about connections that end. These errors have no code. */
const CONNECTION_ENDED =
  /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout expired|Query read timeout)/

/** Message of pg-pool if no connection became free in time. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect'

/** True if the connection is gone, so that statements sent on it may or may not have been executed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined || error instanceof AggregateError) return true
  if (SQLSTATE.test(code)) return code.startsWith('08') || code.startsWith('57P')
  return CONNECTION_ENDED.test(error.message)
}

/** The SQLSTATE of an error of the database. */
export function sqlState(error: unknown): string | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' && SQLSTATE.test(code) && !code.startsWith('E') ? code : undefined
}

/** The error with a message for the caller. Errors of this program are returned unchanged. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ScriptoriumError || error instanceof StorageFault) return error
  const state = sqlState(error)
  const fault = state === undefined ? connectionFault(error) : BY_STATE.find(([start]) => state.startsWith(start))?.[1]
  return fault === undefined ? error : new StorageFault(...fault, error)
}

function connectionFault(error: Error): Fault | undefined {
  if (error.message === POOL_EXHAUSTED) return OVERLOADED
  return isConnectionLost(error) ? UNREACHABLE : undefined
}

/** True if the cause of the error may be gone soon, so that a retry makes sense. */
export const isTransient = (error: unknown): boolean =>
  isConnectionLost(error) || sqlState(error) === '25006' || sqlState(error) === '26000'
