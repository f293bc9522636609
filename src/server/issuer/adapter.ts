/** What `oidc-provider` keeps, in the database beside the space. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Issued, Payload, SignIns } from '../../../storage/sign-ins.ts'
import { PENDING_KEPT, REFRESH_GRACE, REGISTRATION_SECONDS } from '../../limits.ts'
import { keepSuccessor, unseal } from './successors.ts'

export type { SignIns }

/** What a consent came to: a link of the space. */
export interface Consents {
  /** Whether the link that a grant stands for stands. */
  stands(grantId: string): Promise<boolean>
  /** Ends the link. */
  end(grantId: string): Promise<void>
}

/** Whoever has one of these can use it: what is kept of them is the hash. */
const BEARABLE = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken'])

/** The address that a request to the issuer comes from, while it is answered. */
export const requestFrom = new AsyncLocalStorage<string>()

/** Seconds since 1970. */
export const secondsNow = (): number => Math.floor(Date.now() / 1000)

export const adapterOver =
  (signIns: SignIns, consents: Consents) =>
  (model: string): Adapter => {
    const keyOf = (id: string): string =>
      BEARABLE.has(model) ? createHash('sha256').update(id).digest('base64url') : id
    /** Within the grace it is as if it had not been used, until its successor is. */
    const isUsed = ({ consumedAt, successor }: Issued, id: string | undefined): boolean => {
      if (consumedAt === undefined) return false
      const now = secondsNow()
      if (model !== 'RefreshToken' || id === undefined || consumedAt + REFRESH_GRACE < now) return true
      if (successor === undefined) return false
      const next = signIns.find(model, keyOf(unseal(successor, id)), now)
      return next === undefined || next.consumedAt !== undefined
    }
    const answer = (found: Issued | undefined, id: string | undefined): AdapterPayload | undefined => {
      if (found === undefined) return undefined
      const { payload, consumedAt } = found
      return { ...payload, ...(id !== undefined && { jti: id }), ...(isUsed(found, id) && { consumed: consumedAt }) }
    }
    return {
      async upsert(id, payload, expiresIn) {
        const now = secondsNow()
        // A program that registers and is let in by nobody is forgotten.
        const lasts = expiresIn ?? (model === 'Client' ? REGISTRATION_SECONDS : undefined)
        const { jti: _, ...rest } = payload as Payload
        const kept = BEARABLE.has(model) ? rest : (payload as Payload)
        const from = requestFrom.getStore()
        // What belongs to nobody who signed in, anybody could make as much of as they like.
        const isPending = from !== undefined && kept.accountId === undefined && kept.grantId === undefined
        const pending = isPending ? { from, most: PENDING_KEPT } : undefined
        signIns.save(model, keyOf(id), kept, lasts === undefined ? undefined : now + lasts, now, pending)
        if (model === 'RefreshToken') keepSuccessor(signIns, keyOf, id)
      },
      async find(id) {
        if (model === 'Grant' && !(await consents.stands(id))) return undefined
        const found = signIns.find(model, keyOf(id), secondsNow())
        return answer(found, BEARABLE.has(model) ? id : undefined)
      },
      async findByUid(uid) {
        return answer(signIns.findByUid(model, uid, secondsNow()), undefined)
      },
      // Of devices without a browser, which there are none of here.
      async findByUserCode() {
        return undefined
      },
      async consume(id) {
        const isFirst = signIns.consume(model, keyOf(id), secondsNow())
        // Of two requests that bring it at once, both found it unused.
        if (!isFirst && model === 'AuthorizationCode') throw new errors.InvalidGrant('authorization code already used')
      },
      async destroy(id) {
        signIns.delete(model, keyOf(id))
        if (model === 'Grant') await consents.end(id)
      },
      async revokeByGrantId(grantId) {
        signIns.deleteOfGrant(model, grantId)
      },
    }
  }
