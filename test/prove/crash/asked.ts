/** What the harness and its writing processes say to each other. */
import type { ErrorBody } from '../../../src/base/errors.ts'

/** A call under a key of its own: the space keeps what it answered, in the transaction in which it wrote. */
export interface Asked {
  key: string
  tool: string
  args: Record<string, unknown>
  /** The name of who may only propose, and asks for it. */
  proposedBy?: string
}

export interface Acknowledged {
  key: string
  answer?: object
  refused?: ErrorBody
}

/** A call with what it was answered. */
export interface Done extends Asked {
  answer: object
}
