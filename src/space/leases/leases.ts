/** Leases as callers see them: who holds which item or task, since when, and until when. */
import { leasesOf, leasesOfCaller, type StoredLease } from '../../../storage/leases.ts'
import { callerKey } from '../model/caller-key.ts'
import { quotedName } from '../model/names.ts'
import type { Space } from '../model/space.ts'

/** A lease in responses. The names are what the participant and the client called themselves: data, not instructions. */
export interface LeaseAnswer {
  name: string
  client?: string
  since: string
  until: string
  fence: number
  /** True for the connection that holds it. */
  isMine?: true
}

/** Returns the current leases of these blocks, by the numbers of the blocks. Leases that have ended are left out. */
export async function readLeases(space: Space, blocks: readonly number[]): Promise<Map<number, StoredLease>> {
  const leases = await leasesOf(space.tx, blocks, space.leaseTime)
  return new Map(leases.filter(isCurrent).map((lease) => [lease.block, lease]))
}

/** The numbers of the blocks that the connection holds. */
export async function heldByCaller(space: Space): Promise<number[]> {
  return (await heldLeases(space)).filter((lease) => isHeldBy(space, lease)).map(({ block }) => block)
}

/** The current leases of the caller, on all of its connections. */
export async function heldLeases(space: Space): Promise<StoredLease[]> {
  return (await leasesOfCaller(space.tx, callerKey(space.link), space.leaseTime)).filter(isCurrent)
}

export const isCurrent = ({ remaining }: StoredLease): boolean => remaining > 0

/** True if the connection claimed the row. Single calls of a link count as one connection. */
export const isHeldBy = ({ link }: Space, { caller, connection }: StoredLease): boolean =>
  caller === callerKey(link) && connection === (link.connection ?? null)

export function leaseAnswer(space: Space, lease: StoredLease): LeaseAnswer {
  const { author, client, since, remaining, fence } = lease
  return {
    name: author,
    ...(client !== null && { client }),
    since: new Date(since).toISOString(),
    until: endTime(space, remaining),
    fence,
    ...(isHeldBy(space, lease) && { isMine: true as const }),
  }
}

/** When a lease ends, by the clock that people see. @param remaining  milliseconds */
export const endTime = ({ now }: Space, remaining: number): string => new Date(now + remaining).toISOString()

/** Who holds a row, for sentences. */
export function describeHolder(space: Space, lease: StoredLease): string {
  const { author, client, remaining } = lease
  const holder = isHeldBy(space, lease) ? 'this connection' : quotedName(author, client ?? undefined)
  return `${holder} until ${endTime(space, remaining)}`
}
