/** What `oidc-provider` keeps, in a database of its own next to that of the space. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { IssuedRecord, SignInPayload, SignIns } from '../../../storage/sign-ins.ts'
import { PENDING_LIMITS, REFRESH_GRACE_SECONDS, REGISTRATION_SECONDS } from '../../base/limits.ts'
import { decryptSuccessor, storeSuccessor } from './refresh-rotation.ts'

/** What a consent came to: a link of the space. */
export interface ConsentStore {
  /** Whether the link that a grant stands for stands. */
  isActive(grantId: string): Promise<boolean>
  /** Ends the link. */
  revoke(grantId: string): Promise<void>
}

/** Bearers can use these, so only their hashes are stored. */
const BEARER_MODELS = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken'])

/** The address that a request to the issuer comes from, while it is answered. */
export const requestAddress = new AsyncLocalStorage<string>()

/** Seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

export const createAdapter =
  (signIns: SignIns, consents: ConsentStore) =>
  (model: string): Adapter => {
    const keyOf = (id: string): string =>
      BEARER_MODELS.has(model) ? createHash('sha256').update(id).digest('base64url') : id
    /** Within the grace it is as if it had not been used, until its successor is. */
    const isConsumed = async ({ consumedAt, successor }: IssuedRecord, id: string | undefined): Promise<boolean> => {
      if (consumedAt === undefined) return false
      const now = nowInSeconds()
      if (model !== 'RefreshToken' || id === undefined || consumedAt + REFRESH_GRACE_SECONDS < now) return true
      if (successor === undefined) return false
      const successorToken = await signIns.find(model, keyOf(decryptSuccessor(successor, id)), now)
      return successorToken === undefined || successorToken.consumedAt !== undefined
    }
    const toPayload = async (
      found: IssuedRecord | undefined,
      id: string | undefined,
    ): Promise<AdapterPayload | undefined> => {
      if (found === undefined) return undefined
      const { payload, consumedAt } = found
      return {
        ...payload,
        ...(id !== undefined && { jti: id }),
        ...((await isConsumed(found, id)) && { consumed: consumedAt }),
      }
    }
    return {
      async upsert(id, payload, expiresIn) {
        const now = nowInSeconds()
        // A program that registers and is never granted access is forgotten.
        const lifetime = expiresIn ?? (model === 'Client' ? REGISTRATION_SECONDS : undefined)
        const { jti: _, ...rest } = payload as SignInPayload
        const stored = BEARER_MODELS.has(model) ? rest : (payload as SignInPayload)
        const from = requestAddress.getStore()
        // Without a sign-in, anyone could create as many of these as they like.
        const isPending = from !== undefined && stored.accountId === undefined && stored.grantId === undefined
        const pending = isPending ? { from, most: PENDING_LIMITS } : undefined
        await signIns.save(model, keyOf(id), stored, lifetime === undefined ? undefined : now + lifetime, now, pending)
        if (model === 'RefreshToken') await storeSuccessor(signIns, keyOf, id)
      },
      async find(id) {
        if (model === 'Grant' && !(await consents.isActive(id))) return undefined
        const found = await signIns.find(model, keyOf(id), nowInSeconds())
        return toPayload(found, BEARER_MODELS.has(model) ? id : undefined)
      },
      async findByUid(uid) {
        return toPayload(await signIns.findByUid(model, uid, nowInSeconds()), undefined)
      },
      // Of devices without a browser, which there are none of here.
      async findByUserCode() {
        return undefined
      },
      async consume(id) {
        const isFirst = await signIns.consume(model, keyOf(id), nowInSeconds())
        // Of two concurrent requests with it, both found it unused.
        if (!isFirst && model === 'AuthorizationCode') throw new errors.InvalidGrant('authorization code already used')
      },
      async destroy(id) {
        await signIns.delete(model, keyOf(id))
        if (model === 'Grant') await consents.revoke(id)
      },
      async revokeByGrantId(grantId) {
        await signIns.deleteByGrant(model, grantId)
      },
    }
  }
