/** What scopes of a token let its bearer do, each with all before it. */
import type { Effect } from '../../endpoint.ts'
import type { Access } from '../../space/space.ts'

export const SCOPES = ['space:read', 'space:write', 'space:delete'] as const

const ACCESS: readonly Access[] = ['read', 'no-delete', 'full']

/** The most that the scopes allow; none for scopes that are not ours. */
export const accessOf = (scopes: readonly string[]): Access | undefined =>
  ACCESS[SCOPES.findLastIndex((scope) => scopes.includes(scope))]

/** The scopes of which the last allows just that. */
export const scopesOf = (access: Access): readonly string[] => SCOPES.slice(0, ACCESS.indexOf(access) + 1)

/** All scopes that a call needs: issuers know of no order among them. */
export const scopesFor = (effect: Effect): readonly string[] =>
  scopesOf(effect === 'read' ? 'read' : effect === 'delete' ? 'full' : 'no-delete')
