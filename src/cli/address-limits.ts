/** Counts requests per address, in the memory of a process or in the database that it serves. */
import type { AddressScope } from '../../storage/postgres/address-usage.ts'
import type { Database } from '../../storage/postgres/database.ts'
import { type AddressLimiter, AddressRateLimiter } from '../call/rate-limiter.ts'
import { SharedAddressLimiter } from '../call/shared-address-limiter.ts'

/** @param limit  requests per address and window; 0 for no limit @param scope  each scope is counted separately */
export type LimitAddresses = (limit: number, scope: AddressScope) => AddressLimiter

/** Processes that serve files count separately. */
export const limitInProcess: LimitAddresses = (limit) => new AddressRateLimiter(limit)

/** Counts across all processes that serve a database. @param address  of the database, or of a space in it */
export async function limitInDatabase(
  address: string,
): Promise<{ database: Database; limitAddresses: LimitAddresses; close: () => Promise<void> }> {
  const { useDatabase, releaseDatabase } = await import('../../storage/postgres/database.ts')
  const { DatabaseAddressUsage } = await import('../../storage/postgres/address-usage.ts')
  const database = await useDatabase(address)
  return {
    database,
    limitAddresses: (limit, scope) => new SharedAddressLimiter(new DatabaseAddressUsage(database, scope), limit),
    close: () => releaseDatabase(database),
  }
}
