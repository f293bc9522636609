/** Builds the next messages of a webhook: events since its position, within the current reach of its link. */
import { feedBounds } from '../../storage/feed.ts'
import type { WebhookRow } from '../../storage/schema.ts'
import type { WebhookProgress, WebhookRecord } from '../../storage/webhooks.ts'
import { getActiveLink } from '../auth/access-links/access-links.ts'
import type { FeedPosition } from '../space/feed/feed-position.ts'
import { type FeedItem, readFeed } from '../space/feed/read-feed.ts'
import type { Space } from '../space/model/space.ts'
import { createMessage, messageId, type WebhookMessage } from './webhook-message.ts'

/** A message, and the webhook's progress once it was accepted. */
export interface PlacedMessage {
  message: WebhookMessage
  progress: Omit<WebhookProgress, 'deliveredAt'>
}

export interface MessageBatch {
  messages: PlacedMessage[]
  /** The webhook's progress once all messages were accepted. */
  progress: Omit<WebhookProgress, 'deliveredAt'>
  hasMore: boolean
}

/**
 * The next messages of a webhook from its position, at most `limit`.
 *
 * If events are no longer available, one message of the type `changes.missed` is sent instead. If the reach of the link
 * has changed, one of the type `reach.changed` is sent. In both cases, the receiver should read the space again.
 *
 * @returns undefined if the link has ended
 */
export async function nextMessages(
  space: Space,
  webhook: WebhookRow & Pick<WebhookRecord, 'linkId'>,
  limit: number,
): Promise<MessageBatch | undefined> {
  const { n, id } = webhook
  const active = await getActiveLink(space, webhook.linkId)
  if (active === undefined) return undefined
  const view = space.withLink({ ...active, idSpelling: 'long' })
  const idOf = (...about: readonly (string | number)[]) => messageId(space.info.secret, id, ...about)
  const messages: PlacedMessage[] = []
  let { call, event, reachChanges } = webhook
  const add = (message: WebhookMessage) => void messages.push({ message, progress: { n, call, event, reachChanges } })
  const { reachChanges: reachNow = 0 } = active
  if (reachNow !== reachChanges) {
    reachChanges = reachNow
    add(createMessage(idOf('reach.changed', reachNow), 'reach.changed', space.now, {}))
  }
  const { forgotten } = await feedBounds(space.tx)
  if (call < forgotten) {
    call = forgotten
    add(createMessage(idOf('changes.missed', forgotten), 'changes.missed', space.now, {}))
  }
  const { entries, position, hasMore } = await readFeed(view, { call, event }, limit)
  const wanted = webhook.events === null ? undefined : new Set(JSON.parse(webhook.events) as string[])
  for (const { item, position } of entries) {
    ;({ call, event } = position)
    if (wanted !== undefined && !isWanted(item, wanted)) continue
    const { type, ...data } = item
    add(createMessage(idOf(type, keyOf(item, position)), type, Date.parse(item.at), data))
  }
  return { messages, progress: { n, reachChanges, call: position.call, event: position.event }, hasMore }
}

const isWanted = (item: FeedItem, wanted: ReadonlySet<string>): boolean =>
  wanted.has(item.type) || (item.type === 'call.committed' && wanted.has(item.tool))

/** Distinguishes events of the same type. */
const keyOf = (item: FeedItem, { event }: FeedPosition): string | number =>
  item.type === 'call.committed' ? item.callId : event
