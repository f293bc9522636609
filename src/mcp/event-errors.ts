/** Errors of MCP Events: their codes, and the data by which programs tell them apart. Source: SEP-3415. */
import { ProtocolError } from '@modelcontextprotocol/server'
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'
import { toErrorBody } from '../call/error-body.ts'
import { type SubscriptionRefusal, SubscriptionRefused } from '../call/event-subscriptions.ts'
import { INVALID_PARAMS, toProtocolError } from './mcp-resources.ts'

export const EVENT_ERRORS = {
  NotFound: -32011,
  Forbidden: -32012,
  ResourceExhausted: -32013,
  Unsupported: -32014,
  CallbackEndpointError: -32015,
} as const satisfies Record<SubscriptionRefusal | 'Forbidden', number>

export async function withEventErrors<T>(log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw eventError(error, log)
  }
}

/** The code of the extension for an error of this program. */
export function eventError(error: unknown, log: (line: string) => void): ProtocolError {
  if (error instanceof SubscriptionRefused) {
    return new ProtocolError(EVENT_ERRORS[error.refusal], error.message, error.data)
  }
  if (!(error instanceof ScriptoriumError)) return toProtocolError(error, log)
  const { error: sentence, code } = toErrorBody(error, log)
  const known = CODE_OF[code]
  if (known === undefined) return toProtocolError(error, log)
  const data = {
    ...(known === EVENT_ERRORS.NotFound && { kind: 'argument' }),
    ...(known === EVENT_ERRORS.ResourceExhausted && { limit: 'requests', retryAfter: error.retryAfter }),
    ...((known === INVALID_PARAMS || code === 'LINK_PAUSED') && { code }),
  }
  return new ProtocolError(known, sentence, data)
}

/** The codes of the extension. All other errors have those of every request. */
const CODE_OF: Partial<Record<ErrorCode, number>> = {
  NOT_FOUND_ERROR: EVENT_ERRORS.NotFound,
  INVALID_AUTH_HEADER: EVENT_ERRORS.Forbidden,
  FORBIDDEN: EVENT_ERRORS.Forbidden,
  LINK_PAUSED: EVENT_ERRORS.Forbidden,
  REMINDERS_UNAVAILABLE: EVENT_ERRORS.Forbidden,
  RATE_LIMITED: EVENT_ERRORS.ResourceExhausted,
  VALIDATION_ERROR: INVALID_PARAMS,
  CURSOR_INVALID: INVALID_PARAMS,
}
