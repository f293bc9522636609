/** The access that token scopes grant. Delete includes write, and both include read. */
import type { Effect } from '../../endpoint.ts'
import type { AccessLevel } from '../../space/model/space.ts'

/** From the lowest to the highest. */
export const SCOPES = ['space:read', 'space:comment', 'space:propose', 'space:write', 'space:delete'] as const
type Scope = (typeof SCOPES)[number]

const ACCESS_BY_SCOPE: Record<Scope, AccessLevel> = {
  'space:read': 'read',
  'space:comment': 'comment',
  'space:propose': 'propose',
  'space:write': 'no-delete',
  'space:delete': 'full',
}

/**
 * All scopes that correspond to an access level. They are listed individually, since issuers do not know their order.
 */
const SCOPES_BY_ACCESS: Record<AccessLevel, readonly Scope[]> = {
  read: ['space:read'],
  comment: ['space:read', 'space:comment'],
  propose: ['space:read', 'space:propose'],
  'no-delete': ['space:read', 'space:write'],
  full: ['space:read', 'space:write', 'space:delete'],
}

/** The highest access that the scopes allow; undefined if none of them is known. */
export function accessForScopes(scopes: readonly string[]): AccessLevel | undefined {
  const highest = SCOPES.findLast((scope) => scopes.includes(scope))
  return highest && ACCESS_BY_SCOPE[highest]
}

export const scopesForAccess = (access: AccessLevel): readonly string[] => SCOPES_BY_ACCESS[access]

/** All scopes that a call needs. */
export const scopesForEffect = (effect: Effect): readonly string[] => scopesForAccess(ACCESS_BY_EFFECT[effect])

const ACCESS_BY_EFFECT: Readonly<Record<Effect, AccessLevel>> = {
  ...{ read: 'read', comment: 'comment', add: 'no-delete', change: 'no-delete', decide: 'no-delete', delete: 'full' },
}
