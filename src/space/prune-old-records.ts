/**
 * Deletes expired records: history, proposals, stored responses and audit log entries. Runs when a space is opened, and
 * every hour while it is. Writes do this too, but a space without writes would otherwise keep them forever.
 */
import { hasAuditRowsBefore, lastCallTime } from '../../storage/audit-log.ts'
import { clockFault, isWritableTime } from '../../storage/clock-fault.ts'
import { CONFIRMING_DAYS, expiryTime } from '../../storage/expiry.ts'
import { historySize } from '../../storage/history-retention.ts'
import { expireEntries } from '../../storage/log-chain.ts'
import { endProposals, hasProposalsToEnd } from '../../storage/proposals.ts'
import type { Storage } from '../../storage/storage.ts'
import { deleteStoredResponsesBefore, hasStoredResponsesBefore } from '../../storage/stored-responses.ts'
import { deleteEndedCalendars, hasEndedCalendars } from '../../storage/subscribed-calendars.ts'
import { IDEMPOTENCY_KEY_SECONDS, PROPOSAL_SECONDS } from '../base/limits.ts'
import { CLOCK_JUMP_MS } from './clock-watch.ts'
import { pruneHistory } from './model/prune-history.ts'
import type { SpaceInfo } from './model/space.ts'

/** How many audit log rows one transaction deletes, and how many such transactions run. Later writes delete the rest. */
const PRUNED_PER_BATCH = 1_000
const PRUNE_BATCHES = 20

/**
 * @param now  milliseconds since 1970
 * @param report  receives a sentence if the clock seems to be wrong, or if records are kept because it might be
 */
export async function pruneOldRecords(
  storage: Storage,
  now: number,
  info: SpaceInfo,
  report?: (sentence: string) => void,
): Promise<void> {
  // Nothing expires by a clock that is known to be wrong.
  if (!isWritableTime(now)) {
    report?.(clockFault(now).reason)
    return
  }
  const { auditLogRetention, historyRetention = Infinity } = info
  const expired = (age: number): Promise<number> => storage.read((tx) => expiryTime(tx, now, age))
  const { oldest } = await storage.read(historySize)
  if (oldest !== null && oldest <= now - historyRetention) {
    await storage.write((tx) => pruneHistory({ tx, now, info }))
    await reportKept(storage, now, oldest, report)
  }
  const proposalsSince = await expired(PROPOSAL_SECONDS * 1000)
  if (await storage.read((tx) => hasProposalsToEnd(tx, proposalsSince, now))) {
    await storage.write((tx) => endProposals(tx, proposalsSince, now))
  }
  const answersSince = await expired(IDEMPOTENCY_KEY_SECONDS * 1000)
  if (await storage.read((tx) => hasStoredResponsesBefore(tx, answersSince))) {
    await storage.write((tx) => deleteStoredResponsesBefore(tx, answersSince))
  }
  if (await storage.read((tx) => hasEndedCalendars(tx, now))) {
    await storage.write((tx) => deleteEndedCalendars(tx, now))
  }
  if (auditLogRetention !== undefined) {
    const before = await expired(auditLogRetention)
    if (await storage.read((tx) => hasAuditRowsBefore(tx, before))) {
      for (let step = 0; step < PRUNE_BATCHES; step++) {
        if (!(await storage.write((tx) => expireEntries(tx, { now, before, limit: PRUNED_PER_BATCH })))) break
      }
    }
  }
  const last = await storage.read(lastCallTime)
  if (last !== undefined && last - now > CLOCK_JUMP_MS)
    report?.(
      `Expected a clock that is not behind the last write to the space, which was made at ${new Date(last).toISOString()}, found ${new Date(now).toISOString()}; one of the two is wrong. Set the clock of this machine if it is this one.`,
    )
}

/** Reports history that would have expired by the clock alone. */
async function reportKept(
  storage: Storage,
  now: number,
  oldest: number,
  report?: (sentence: string) => void,
): Promise<void> {
  const left = (await storage.read(historySize)).oldest
  if (left !== oldest) return
  report?.(
    `The history since ${new Date(oldest).toISOString()} has not expired yet, although it is old enough at ${new Date(now).toISOString()}: it is kept until the space was written on ${CONFIRMING_DAYS} days since, in case the clock of this machine is wrong.`,
  )
}
