/** Errors for input that exceeds the limits of any call, wherever this is detected first. */

import { invalid, ScriptoriumError } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { CALL_BYTES, FIELD_NAME_LENGTH, FIELDS_PER_OBJECT, NESTING_PER_CALL } from '../base/limits.ts'

export const nestingTooDeep = () =>
  invalid(
    `Expected blocks nested at most ${NESTING_PER_CALL} levels deep in one call, found more; add the inner ones to their page by a further call.`,
  )

export const callTooLarge = () =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a call of less than ${CALL_BYTES / 1024 / 1024} MiB, found more; split it into several calls.`,
  )

export const tooManyFields = () =>
  invalid(
    `Expected at most ${formatNumber(FIELDS_PER_OBJECT)} fields in one object, found more; leave out those that mean nothing.`,
  )

export const fieldNameTooLong = () =>
  invalid(
    `Expected a field's name of at most ${formatNumber(FIELD_NAME_LENGTH)} characters, found a longer one; leave it out.`,
  )
