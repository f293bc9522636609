/** Counts that tell whether somebody should look after a space: what waits for people, and what cannot be sent. */
import { sql } from 'drizzle-orm'
import { statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

export interface OperatingCounts {
  /** Proposals that wait for a decision. */
  waitingProposals: number
  /** Webhooks and subscriptions whose last message failed, or that are paused after failures. */
  failingWebhooks: number
  /** Calls and events that the webhook furthest behind has yet to look at; 0 without webhooks that receive messages. */
  webhookBacklog: number
}

const COUNTS = statement<OperatingCounts>(
  () => sql`SELECT (SELECT count(*) FROM proposal WHERE state = 'waiting') AS "waitingProposals",
    (SELECT count(*) FROM webhook WHERE ended_at IS NULL AND (failures > 0 OR paused_at IS NOT NULL))
      AS "failingWebhooks",
    (SELECT coalesce(max(
        (SELECT coalesce(max(n), 0) FROM write_log) - webhook.call
        + (SELECT coalesce(max(n), 0) FROM event) - webhook.event), 0)
      FROM webhook WHERE ended_at IS NULL AND paused_at IS NULL) AS "webhookBacklog"`,
)

export async function operatingCounts(tx: Transaction): Promise<OperatingCounts> {
  const found = await tx.get(COUNTS)
  return {
    waitingProposals: Number(found?.waitingProposals ?? 0),
    failingWebhooks: Number(found?.failingWebhooks ?? 0),
    webhookBacklog: Math.max(0, Number(found?.webhookBacklog ?? 0)),
  }
}
