/** What scopes of a token let its bearer do, each with all before it. */
import type { Effect } from '../../endpoint.ts'
import type { Access } from '../../space/space.ts'

export const SCOPES = ['space:read', 'space:write', 'space:delete'] as const

const ACCESS: readonly Access[] = ['read', 'no-delete', 'full']

/** What is asked of who comes without a token: enough to work with documents; to delete is asked for when it is needed. */
export const FIRST_SCOPES: readonly string[] = SCOPES.slice(0, 2)

/** The most that the scopes allow; none for scopes that are not ours. */
export const accessOf = (scopes: readonly string[]): Access | undefined =>
  ACCESS[SCOPES.findLastIndex((scope) => scopes.includes(scope))]

/** All scopes that a call needs: issuers know of no order among them. */
export const scopesFor = (effect: Effect): readonly string[] =>
  SCOPES.slice(0, effect === 'read' ? 1 : effect === 'delete' ? 3 : 2)
