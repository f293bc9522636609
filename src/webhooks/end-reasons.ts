/** Why a subscription ended, for the operator and for its receiver. */

export interface EndReason {
  /** As it follows "ended:". */
  sentence: string
  /** What its receiver is sent; absent if it is sent nothing. Codes are those of MCP Events and JSON-RPC. */
  error?: { code: number; message: string; data?: object }
}

const NOT_FOUND = -32011
const FORBIDDEN = -32012
const INVALID_PARAMS = -32602

export const END_REASONS = {
  expired: { sentence: 'it was not refreshed in time' },
  gone: { sentence: 'its receiver wants no more (status 410)' },
  link: {
    sentence: 'its link was revoked or has expired',
    error: { code: FORBIDDEN, message: 'The access that this subscription was made with has ended.' },
  },
  forbidden: {
    sentence: 'its link may not subscribe any more',
    error: { code: FORBIDDEN, message: 'The access that this subscription was made with may not subscribe any more.' },
  },
  reach: {
    sentence: 'what it names was deleted, or left the reach of its link',
    error: {
      code: NOT_FOUND,
      message: 'What this subscription names was deleted, or is out of reach.',
      data: { kind: 'argument' },
    },
  },
  arguments: {
    sentence: 'its arguments do not fit this link or this version any more',
    error: {
      code: INVALID_PARAMS,
      message: 'The arguments of this subscription are not valid any more; see events/list.',
    },
  },
  removed: {
    sentence: 'it was removed here',
    error: { code: FORBIDDEN, message: 'The person who runs this space has removed this subscription.' },
  },
} as const satisfies Record<string, EndReason>

export type EndReasonName = keyof typeof END_REASONS

/** The reason with this name, as it is stored. */
export const endReasonOf = (name: string | null): EndReason => REASONS.get(name ?? '') ?? END_REASONS.expired

const REASONS: ReadonlyMap<string, EndReason> = new Map(Object.entries(END_REASONS))
