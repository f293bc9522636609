/** Builds the next messages of an operator's webhook: the feed since its position, within the reach of its link. */
import { feedBounds } from '../../storage/feed.ts'
import type { WebhookRecord } from '../../storage/webhooks.ts'
import { getActiveLink } from '../auth/access-links/access-links.ts'
import type { FeedPosition } from '../space/feed/feed-position.ts'
import { withoutOwn } from '../space/feed/own-entries.ts'
import { type FeedItem, readFeed } from '../space/feed/read-feed.ts'
import type { Space } from '../space/model/space.ts'
import type { MessageBatch, PlacedMessage } from './webhook-batch.ts'
import { createMessage, messageId, type WebhookMessage } from './webhook-message.ts'

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
  webhook: WebhookRecord,
  limit: number,
): Promise<MessageBatch | undefined> {
  const { id, cursor } = webhook
  const active = await getActiveLink(space, webhook.linkId)
  if (active === undefined) return undefined
  const view = space.withLink({ ...active, idSpelling: 'long' })
  const idOf = (...about: readonly (string | number)[]) => messageId(space.info.secret, id, ...about)
  const messages: PlacedMessage[] = []
  let { call, event, reachChanges } = webhook
  const add = (message: WebhookMessage) => void messages.push({ message, place: { call, event, reachChanges, cursor } })
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
  const page = await readFeed(view, { call, event }, limit)
  const { position, hasMore } = page
  const entries = isForOthersOnly(webhook) ? await withoutOwn(view, page.entries) : page.entries
  const wanted = webhook.events === null ? undefined : new Set(JSON.parse(webhook.events) as string[])
  for (const { item, position } of entries) {
    ;({ call, event } = position)
    if (wanted !== undefined && !isWanted(item, wanted)) continue
    const { type, ...data } = item
    add(createMessage(idOf(type, keyOf(item, position)), type, Date.parse(item.at), data))
  }
  return { messages, place: { ...position, reachChanges, cursor }, hasMore }
}

/** True for a webhook of the operator that leaves out what its link caused. */
export const isForOthersOnly = ({ eventName, arguments: narrowing }: WebhookRecord): boolean =>
  eventName === null && narrowing !== null && JSON.parse(narrowing).mine === false

const isWanted = (item: FeedItem, wanted: ReadonlySet<string>): boolean =>
  wanted.has(item.type) || (item.type === 'call.committed' && wanted.has(item.tool))

/** Distinguishes events of the same type. */
const keyOf = (item: FeedItem, { event }: FeedPosition): string | number =>
  item.type === 'call.committed' ? item.callId : event
