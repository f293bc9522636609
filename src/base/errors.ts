/**
 * The one error of Scriptorium, its codes, and what each code is on HTTP.
 *
 * A message is written for the agent or person who must act on it: what was expected, what was found,
 * and what to do next. It never tells of anything outside the caller's reach.
 */

import { MAX_FIELD_ERRORS } from './limits.ts'

/** Every code, with its HTTP status. Source: the interface's Errors part and the shapes it leaves open, 7. */
export const HTTP_STATUS = {
  VALIDATION_ERROR: 400,
  INVALID_REGEX_ERROR: 400,
  CURSOR_INVALID: 400,
  INVALID_AUTH_HEADER: 401,
  FORBIDDEN: 403,
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
  STORAGE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const

export type ErrorCode = keyof typeof HTTP_STATUS

/** One fault among several: where in the input it stands (`blocks[2].color`) and what is wrong there. */
export interface FieldError {
  path: string
  message: string
}

/** What is answered for an error, on every transport. */
export interface ErrorBody {
  error: string
  code: ErrorCode
  details?: FieldError[]
}

export class ScriptoriumError extends Error {
  readonly code: ErrorCode
  readonly details: readonly FieldError[]
  /** Whole seconds, at least 1, after which the same call can pass: what HTTP says as Retry-After. */
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

  get body(): ErrorBody {
    const { message: error, code, details } = this
    return details.length > 0 ? { error, code, details: [...details] } : { error, code }
  }
}

/** The input breaks a rule of the interface. */
export const invalid = (message: string, details?: readonly FieldError[]) =>
  new ScriptoriumError('VALIDATION_ERROR', message, details)

/**
 * One error for several faults, at least one: the sentence of the first with its path, and all of them in details; of
 * more than {@link MAX_FIELD_ERRORS} the first.
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

/** There is no such thing within the connection's reach, or none at all: the caller cannot tell which. */
export const notFound = (message: string) => new ScriptoriumError('NOT_FOUND_ERROR', message)

/**
 * A limit was reached. The delay stands in the sentence too, since nothing else of it reaches a model.
 *
 * @param waitMs  milliseconds until the limit's window ends
 */
export function rateLimited(message: string, waitMs: number): ScriptoriumError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const delay = `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return new ScriptoriumError('RATE_LIMITED', `${message} ${delay}`, [], seconds)
}
