/** What scopes of a token let its bearer do, each with all before it. */
import type { Effect } from '../../endpoint.ts'
import type { AccessLevel } from '../../space/model/space.ts'

export const SCOPES = ['space:read', 'space:write', 'space:delete'] as const

const ACCESS_BY_SCOPE: readonly AccessLevel[] = ['read', 'no-delete', 'full']

/** The most that the scopes allow; none for scopes that are not ours. */
export const accessForScopes = (scopes: readonly string[]): AccessLevel | undefined =>
  ACCESS_BY_SCOPE[SCOPES.findLastIndex((scope) => scopes.includes(scope))]

/** The scopes of which the last allows just that. */
export const scopesForAccess = (access: AccessLevel): readonly string[] =>
  SCOPES.slice(0, ACCESS_BY_SCOPE.indexOf(access) + 1)

/** All scopes that a call needs: issuers know of no order among them. */
export const scopesForEffect = (effect: Effect): readonly string[] =>
  scopesForAccess(effect === 'read' ? 'read' : effect === 'delete' ? 'full' : 'no-delete')
