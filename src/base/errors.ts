/**
 * Scriptorium's error class and its codes, with the HTTP status of each code.
 *
 * A message is written for the agent or person who must act on it: what was expected, what was found, and what to do
 * next. It never reveals anything outside the caller's reach.
 */

import { formatCount } from './format-number.ts'
import { MAX_FIELD_ERRORS } from './limits.ts'

/**
 * Every code with its HTTP status. Source: the Errors section of the interface, and section 7 of the shapes it leaves
 * open.
 */
export const HTTP_STATUS = {
  VALIDATION_ERROR: 400,
  INVALID_REGEX_ERROR: 400,
  CURSOR_INVALID: 400,
  INVALID_AUTH_HEADER: 401,
  FORBIDDEN: 403,
  LINK_PAUSED: 403,
  DOCUMENT_LOCKED: 403,
  REMINDERS_UNAVAILABLE: 403,
  NOT_FOUND_ERROR: 404,
  NOT_AVAILABLE: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  FILE_DAMAGED: 500,
  SPACE_REPLACED: 503,
  MIGRATING: 503,
  STORAGE_UNAVAILABLE: 503,
  CLOCK_WRONG: 503,
  STORAGE_FULL: 507,
  QUOTA_EXCEEDED: 507,
} as const

export type ErrorCode = keyof typeof HTTP_STATUS

/** One of several errors: its path in the input (`blocks[2].color`) and what is wrong there. */
export interface FieldError {
  path: string
  message: string
}

/** The body of an error response, the same on every transport. */
export interface ErrorBody {
  error: string
  code: ErrorCode
  details?: FieldError[]
}

export class ScriptoriumError extends Error {
  readonly code: ErrorCode
  readonly details: readonly FieldError[]
  /** Whole seconds, at least 1, until the same call can succeed. HTTP sends them as Retry-After. */
  readonly retryAfter?: number

  constructor(code: ErrorCode, message: string, details: readonly FieldError[] = [], retryAfter?: number) {
    super(message)
    this.name = 'ScriptoriumError'
    this.code = code
    this.details = details
    if (retryAfter !== undefined) this.retryAfter = retryAfter
  }

  get status(): number {
    return HTTP_STATUS[this.code]
  }

  /** True if the call was refused, and not prevented by a fault of the server or its storage. */
  get isRefusal(): boolean {
    return this.status < 500 || this.code === 'QUOTA_EXCEEDED'
  }

  get body(): ErrorBody {
    const { message: error, code, details } = this
    return details.length > 0 ? { error, code, details: [...details] } : { error, code }
  }
}

/** The input violates a rule of the interface. */
export const invalid = (message: string, details?: readonly FieldError[]) =>
  new ScriptoriumError('VALIDATION_ERROR', message, details)

/**
 * Combines one or more errors into one. The message is that of the first, with its path. `details` lists all of them,
 * at most {@link MAX_FIELD_ERRORS}.
 */
export function invalidFields(errors: readonly FieldError[]): ScriptoriumError {
  const reported = errors.slice(0, MAX_FIELD_ERRORS)
  const [first, ...more] = reported
  const location = first === undefined || first.path === '' ? '' : `At ${first.path}: `
  const others = reported.length < errors.length ? ', and others' : ''
  const rest = more.length > 0 ? ` (${more.length} more in details${others})` : ''
  return invalid(
    `${location}${first?.message ?? 'Expected another input.'}${rest}`,
    more.length > 0 || location ? reported : [],
  )
}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * A person paused the link of the caller.
 *
 * @param pausedAt  milliseconds since 1970
 */
export const linkPaused = (pausedAt: number) =>
  new ScriptoriumError(
    'LINK_PAUSED',
    `Expected a link whose calls are carried out, found that a person paused this one at ${new Date(pausedAt).toISOString()}; stop here, and go on once they resume it.`,
  )

/** The object does not exist or is out of the connection's reach. The caller cannot tell which. */
export const notFound = (message: string) => new ScriptoriumError('NOT_FOUND_ERROR', message)

/**
 * A limit was reached. The message includes the delay, since the message is all that a model sees.
 *
 * @param waitMs  milliseconds until the window of the limit ends
 */
export function rateLimited(message: string, waitMs: number): ScriptoriumError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const delay = `Retry after ${formatCount(seconds, 'second')}.`
  return new ScriptoriumError('RATE_LIMITED', `${message} ${delay}`, [], seconds)
}
