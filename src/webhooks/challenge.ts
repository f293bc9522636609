/**
 * Asks an address whether it wants to receive events, so that no one can have them sent to somebody else: the receiver
 * answers with a number that is used once.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { recentCalls } from '../../storage/audit-log.ts'
import { CHALLENGE_ANSWER_BYTES, CHALLENGES_PER_MINUTE } from '../base/limits.ts'
import { SubscriptionRefused } from '../call/event-subscriptions.ts'
import { addAuditEntry } from '../space/model/audit-log.ts'
import type { Space } from '../space/model/space.ts'
import type { WebhookTarget } from './webhook-message.ts'
import { askReceiver, type FailedAttempt, type WebhookRequestOptions, type WebhookResult } from './webhook-request.ts'

const CHALLENGE_BYTES = 32
const ID_BYTES = 12

/** @param now  milliseconds since 1970 */
export async function challengeReceiver(
  webhook: WebhookTarget,
  now: number,
  options: WebhookRequestOptions,
): Promise<WebhookResult> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const id = `msg_verification_${randomBytes(ID_BYTES).toString('hex')}`
  const message = { id, body: JSON.stringify({ type: 'verification', challenge }) }
  const { result, text } = await askReceiver(webhook, message, now, { ...options, bytes: CHALLENGE_ANSWER_BYTES })
  return !result.isAccepted || isEcho(text, challenge) ? result : NO_ECHO
}

const NO_ECHO: FailedAttempt = {
  isAccepted: false,
  reason: 'it did not answer with the challenge',
  kind: 'challenge_failed',
}

function isEcho(text: string | undefined, challenge: string): boolean {
  const given = Buffer.from(String(challengeIn(text)))
  const expected = Buffer.from(challenge)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function challengeIn(text: string | undefined): unknown {
  try {
    return (JSON.parse(text ?? '') as { challenge?: unknown } | null)?.challenge
  } catch {
    return undefined
  }
}

const MINUTE_MS = 60_000
const CHALLENGE = 'events/challenge'

/**
 * Logs that a link has an address asked. The log also limits how many it can have asked, so that links are no means to
 * flood others or to look for hosts, however many servers they ask.
 *
 * @param id  of the subscription
 * @throws SubscriptionRefused
 */
export async function logChallenge(space: Space, id: string): Promise<void> {
  const { tx, now, link } = space
  const asked = { link: link.id ?? '', endpoint: CHALLENGE, after: now - MINUTE_MS, until: now }
  const { count, first } = await recentCalls(tx, asked)
  if (count >= CHALLENGES_PER_MINUTE) {
    const retryAfter = Math.ceil(((first ?? now) + MINUTE_MS - now) / 1_000)
    throw new SubscriptionRefused(
      'ResourceExhausted',
      `Expected at most ${CHALLENGES_PER_MINUTE} new addresses per link and minute, found more; try again in ${retryAfter} seconds.`,
      { limit: 'challenges', max: CHALLENGES_PER_MINUTE, retryAfter },
    )
  }
  await addAuditEntry(space, CHALLENGE, [id])
}
