/**
 * Builds the next messages of a subscription: the same events, with the same IDs, that a client gets that polls. They
 * are read within the reach that the link has at that time.
 */
import { type FeedBounds, feedBounds } from '../../storage/feed.ts'
import type { WebhookRecord } from '../../storage/webhooks.ts'
import { getActiveLink } from '../auth/access-links/access-links.ts'
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'
import { EVENT_MESSAGE_BYTES } from '../base/limits.ts'
import type { Tool } from '../call/catalog/tool-catalog.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { readArguments } from '../call/input/arguments.ts'
import { parseInChunks } from '../call/input/parse-input.ts'
import { invalidInput } from '../call/input/validation-errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { decodeEventCursor, encodeEventCursor } from '../space/events/event-place.ts'
import { type EventsInput, listEvents, locateEvents } from '../space/events/list-events.ts'
import { type FeedReader, sharedFeed } from '../space/feed/shared-feed.ts'
import { givenIdsIn } from '../space/model/ids.ts'
import type { Space } from '../space/model/space.ts'
import { type EndReasonName, endReasonOf } from './end-reasons.ts'
import type { MessageBatch, PlacedMessage, WebhookPlace } from './webhook-batch.ts'
import { messageId, type WebhookMessage } from './webhook-message.ts'

/** Reads the messages of many subscriptions in one transaction. Those of one link share what they read of the feed. */
export class SubscriptionReader {
  readonly #space: Space
  readonly #endpoints: readonly Endpoint[]
  readonly #byLink = new Map<string, Promise<SharedReading | undefined>>()

  /** @param endpoints  of the program, one of which lists events */
  constructor(space: Space, endpoints: readonly Endpoint[]) {
    this.#space = space
    this.#endpoints = endpoints
  }

  /**
   * @param limit  events to read at once
   * @returns the next messages, or why the subscription ends now
   */
  async next(subscription: WebhookRecord, limit: number): Promise<MessageBatch | EndReasonName> {
    const { expiresAt, endedAt, linkId, linkNoEvents } = subscription
    if (endedAt !== null) return theEnd(this.#space, subscription)
    if (expiresAt !== null && expiresAt <= this.#space.now) return 'expired'
    const shared = await this.#readingOf(linkId)
    if (shared === undefined) return 'link'
    if (linkNoEvents === 1) return 'forbidden'
    const tool = toolCatalogFor(this.#endpoints, shared.view.kind).withEvents
    if (tool === undefined) return 'arguments'
    try {
      return await eventsAfterCursor(shared, subscription, tool, limit)
    } catch (error) {
      const reason = error instanceof ScriptoriumError ? ENDING[error.code] : undefined
      if (reason === undefined) throw error
      return reason
    }
  }

  #readingOf(linkId: string): Promise<SharedReading | undefined> {
    const known = this.#byLink.get(linkId) ?? this.#beginReading(linkId)
    this.#byLink.set(linkId, known)
    return known
  }

  async #beginReading(linkId: string): Promise<SharedReading | undefined> {
    const link = await getActiveLink(this.#space, linkId)
    if (link === undefined) return undefined
    return { view: this.#space.withLink(link), read: sharedFeed(), bounds: await feedBounds(this.#space.tx) }
  }
}

/** What the subscriptions of one link share in a transaction. */
interface SharedReading {
  view: Space
  read: FeedReader
  bounds: FeedBounds
}

/** Errors that will not pass by waiting. */
const ENDING: Partial<Record<ErrorCode, EndReasonName>> = {
  NOT_FOUND_ERROR: 'reach',
  VALIDATION_ERROR: 'arguments',
  FORBIDDEN: 'arguments',
  REMINDERS_UNAVAILABLE: 'arguments',
}

/** Reads the arguments of a subscription as the endpoint that lists events does. @throws VALIDATION_ERROR */
export async function readEventsInput(tool: Tool, raw: object): Promise<EventsInput> {
  const read = await readArguments(raw, tool.schema, tool.endpoint.effect)
  const parsed = await parseInChunks(tool.input, read)
  if (parsed.issues !== undefined) throw invalidInput(parsed.issues, tool.schema, [])
  return parsed.value as EventsInput
}

/** Looks up what the arguments name, and where to begin. A cursor that cannot be read any more means now, with a gap. */
export async function locateSubscription(
  view: Space,
  input: EventsInput,
): Promise<{ input: EventsInput; cursor: string; isTruncated: boolean }> {
  await view.resolveIds(await givenIdsIn(input))
  const found = await locateEvents(view, input)
  const { located } = found
  if (located === undefined) throw new Error('Expected the place of events.')
  const cursor = encodeEventCursor(view, located.query, located.place)
  return { input: found, cursor, isTruncated: located.isTruncated }
}

async function eventsAfterCursor(
  { view, read, bounds }: SharedReading,
  subscription: WebhookRecord,
  tool: Tool,
  limit: number,
): Promise<MessageBatch> {
  const { n, id, eventName, notBefore, cursor: saved, call, event } = subscription
  const asked = {
    ...(JSON.parse(subscription.arguments ?? '{}') as object),
    ...{ name: eventName, limit },
    ...(notBefore !== null && { maxAgeSeconds: Math.max(0, Math.ceil((view.now - notBefore) / SECOND)) }),
  }
  const { input, cursor, isTruncated } = await locateAgain(view, tool, asked, saved)
  const answer = await listEvents(view, input, read)
  const { located } = input
  const at = { call, event, reachChanges: view.link.reachChanges ?? 0 }
  const gap = (after: string): WebhookMessage => ({
    id: controlId(view, 'gap', id, n, call, event, at.reachChanges),
    body: JSON.stringify({ type: 'gap', cursor: after }),
  })
  const messages: PlacedMessage[] = []
  if (isTruncated || answer.truncated) {
    messages.push({ message: gap(cursor), place: { ...at, cursor }, isControl: true })
  }
  for (const item of answer.items) {
    const ifTooLarge = gap(item.cursor)
    const message = { id: item.eventId, body: JSON.stringify(item) }
    const isTooLarge = Buffer.byteLength(message.body) > EVENT_MESSAGE_BYTES
    messages.push({
      ...(isTooLarge ? { message: ifTooLarge, isControl: true } : { message, ifTooLarge }),
      place: { ...at, cursor: item.cursor },
    })
  }
  const isAtEnd = !answer.hasMore
  const place: WebhookPlace = {
    ...{ ...at, cursor: answer.cursor },
    ...(isAtEnd && { call: Math.max(call, bounds.call), event: Math.max(event, bounds.event) }),
  }
  const isOpen = isAtEnd && decodeEventCursor(view, located?.query, answer.cursor).bursts.length > 0
  return { messages, place, hasMore: answer.hasMore, ...(isOpen && { again: answer.nextPollMs }) }
}

const SECOND = 1_000

/** After a restore, cursors from before it cannot be read: the subscription goes on from now, and its client is notified. */
async function locateAgain(view: Space, tool: Tool, asked: object, saved: string | null) {
  const locate = async (cursor: object) =>
    locateSubscription(view, await readEventsInput(tool, { ...asked, ...cursor }))
  try {
    return await locate(saved === null ? {} : { cursor: saved })
  } catch (error) {
    if (!(error instanceof ScriptoriumError) || error.code !== 'CURSOR_INVALID') throw error
    return { ...(await locate({})), isTruncated: true }
  }
}

/** The message that a subscription has ended. */
function theEnd(
  space: Space,
  { n, id, call, event, reachChanges, cursor, endedAt, endedReason }: WebhookRecord,
): MessageBatch {
  const place = { call, event, reachChanges, cursor }
  const { error } = endReasonOf(endedReason)
  const message = {
    id: controlId(space, 'terminated', id, n, endedAt ?? 0),
    body: JSON.stringify({ type: 'terminated', error }),
  }
  return { messages: error === undefined ? [] : [{ message, place, isControl: true }], place, hasMore: false }
}

/** The same for each attempt, so that receivers can ignore duplicates. */
const controlId = ({ info }: Space, type: string, ...about: readonly (string | number)[]): string =>
  messageId(info.secret, type, ...about).replace(/^msg_/, `msg_${type}_`)
