/** The messages between the harness and its writing processes. */
import type { ErrorBody } from '../../../src/base/errors.ts'

/** A call with an idempotency key of its own. The space stores its response in the transaction of the write. */
export interface KeyedCall {
  key: string
  tool: string
  args: Record<string, unknown>
  /** The name of the proposer, if the call comes from a connection that may only propose. */
  proposedBy?: string
}

export interface Acknowledged {
  key: string
  answer?: object
  refused?: ErrorBody
}

/** A call together with its response. */
export interface AnsweredCall extends KeyedCall {
  answer: object
}
