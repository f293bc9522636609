/** What scopes of a token let its bearer do, each with all before it. */
import type { Effect } from '../../endpoint.ts'
import type { AccessLevel } from '../../space/model/space.ts'

export const SCOPES = ['space:read', 'space:write', 'space:delete'] as const
type Scope = (typeof SCOPES)[number]

const ACCESS_BY_SCOPE: Record<Scope, AccessLevel> = {
  'space:read': 'read',
  'space:write': 'no-delete',
  'space:delete': 'full',
}

/** The most that the scopes allow; undefined if none of them is known. */
export function accessForScopes(scopes: readonly string[]): AccessLevel | undefined {
  const highest = SCOPES.findLast((scope) => scopes.includes(scope))
  return highest && ACCESS_BY_SCOPE[highest]
}

/** The scopes that together allow exactly this, from the least to the most. */
export const scopesForAccess = (access: AccessLevel): readonly string[] =>
  SCOPES.slice(0, SCOPES.findIndex((scope) => ACCESS_BY_SCOPE[scope] === access) + 1)

/** All scopes that a call needs: issuers know of no order among them. */
export const scopesForEffect = (effect: Effect): readonly string[] =>
  scopesForAccess(effect === 'read' ? 'read' : effect === 'delete' ? 'full' : 'no-delete')
