/** Compares what readers saved with what was written. */
import { changesIn, type EventReader } from './event-reader.ts'
import type { ReadEvent } from './event-requests.ts'

/** What was written: the comments of each document in order, and the number of calls. */
export interface Written {
  written: readonly (readonly string[])[]
  calls: number
}

/** @returns sentences; none if each reader got each event once, with one ID, in the order of its document */
export function wrongEvents(readers: readonly EventReader[], { written, calls }: Written): string[] {
  const idOf = new Map<string, string>()
  const orderOf = new Map<string, number>()
  return readers.flatMap((reader) => {
    const { mode, saved } = reader
    const { comments, changes } = saved
    noteOrder(orderOf, comments.events)
    return [
      ...(reader.crashes > 0 ? [`its process ended by itself ${reader.crashes} times`] : []),
      ...(reader.truncated > 0 ? ['was told that events were skipped'] : []),
      ...[...comments.contradictions, ...changes.contradictions],
      ...twoIds(idOf, comments.events, ({ data }) => `comment ${data.commentId}`),
      ...twoIds(idOf, changes.events, ({ data }) => `change of ${data.documentId} up to ${data.callId}`),
      ...wrongComments(written, comments.events),
      ...wrongChanges(calls, orderOf, changes.events),
    ].map((fault) => `${mode}: ${fault}`)
  })
}

/** The IDs of calls, in the order in which comments were received. */
function noteOrder(orderOf: Map<string, number>, events: readonly ReadEvent[]): void {
  for (const { data } of events) if (!orderOf.has(data.callId)) orderOf.set(data.callId, orderOf.size)
}

function twoIds(idOf: Map<string, string>, events: readonly ReadEvent[], about: (event: ReadEvent) => string) {
  return events.flatMap((event) => {
    const subject = about(event)
    const known = idOf.get(subject) ?? event.eventId
    idOf.set(subject, known)
    return known === event.eventId ? [] : [`the ${subject} has the IDs ${known} and ${event.eventId}`]
  })
}

function wrongComments(written: Written['written'], events: readonly ReadEvent[]): string[] {
  const places = new Map(events.map(({ data }, index) => [data.commentId, index]))
  return written.flatMap((expected) => {
    const found = expected.map((id) => places.get(id))
    const lost = expected.filter((id) => !places.has(id))
    const last = found.findLastIndex((place) => place !== undefined)
    const before = expected.filter((id, index) => index < last && !places.has(id))
    const received = found.filter((place) => place !== undefined)
    const isInOrder = received.every((place, index) => index === 0 || place > (received[index - 1] ?? 0))
    return [
      ...(lost.length > 0 ? [`${lost.length} comments were lost, ${before.length} of them before others`] : []),
      ...(isInOrder ? [] : ['comments of a document are out of order']),
    ]
  })
}

function wrongChanges(calls: number, orderOf: ReadonlyMap<string, number>, events: readonly ReadEvent[]): string[] {
  const counted = changesIn(events)
  const ofDocuments = Map.groupBy(events, ({ data }) => data.documentId)
  const isInOrder = [...ofDocuments.values()].every((some) => {
    const places = some.map(({ data }) => orderOf.get(data.callId) ?? -1)
    return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
  })
  return [
    ...(counted === calls ? [] : [`${counted} changes were counted, and ${calls} made`]),
    ...(isInOrder ? [] : ['changes of a document are out of order']),
  ]
}

/**
 * After history was deleted that nobody had read.
 *
 * @param last  comments that were written afterwards
 * @param unread  how many comments were written before, and not read
 * @returns sentences; none if each reader was told that it missed something, and got what followed
 */
export function untold(readers: readonly EventReader[], last: readonly string[], unread: number): string[] {
  return readers.flatMap(({ mode, saved }) => {
    const { events, truncated } = saved.comments
    const read = new Set(events.map(({ data }) => data.commentId))
    const missing = last.filter((id) => !read.has(id))
    return [
      ...(truncated > 0 ? [] : [`${mode}: ${unread} comments were deleted from the history, and it was not told`]),
      ...(missing.length > 0 ? [`${mode}: after a gap, ${missing.length} comments were lost`] : []),
    ]
  })
}
