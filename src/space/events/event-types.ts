/**
 * What agents can be called for (MCP Events, SEP-3415). Each type says how its occurrences are found in the feed, so
 * that it has the same order, the same reach and the same history as the feed.
 */
import type { FeedEntry } from '../feed/read-feed.ts'
import type { CountedChange } from '../history/counted-changes.ts'
import { dateAt } from '../model/dates.ts'
import type { Space } from '../model/space.ts'
import {
  type Described,
  describeComments,
  describeDocuments,
  describeItems,
  type FoundEvent,
} from './describe-events.ts'
import { describeAssigned, describeMentions } from './describe-members.ts'
import { findChangedItems, findEnteredItems } from './item-events.ts'
import type { ItemNarrowing } from './item-rules.ts'
import { findAssignedTasks, findMentions, type MemberNarrowing } from './member-events.ts'

/** What narrows an event, besides `mine`. */
export const NARROWING_KEYS = [
  'documentId',
  'folderId',
  'collectionId',
  'viewId',
  'filters',
  'property',
  'assignee',
  'member',
  'author',
] as const
export type NarrowingKey = (typeof NARROWING_KEYS)[number]

/** How a type of events is found and described. */
export interface EventType {
  /** For clients and people that choose what to subscribe to. */
  description: string
  /** The names of arguments that narrow it, besides `mine`. What time alone causes has no author. */
  narrowedBy: readonly NarrowingKey[]
  /** The argument without which it cannot be subscribed to. */
  needs?: NarrowingKey
  /** True if a burst of changes of one thing is one event. */
  joins: boolean
  /** True if it reaches a subscriber that asked for events of others only, even if its own link caused it. */
  alwaysArrives: boolean
  find(space: Space, entries: readonly FeedEntry[], narrowing: ItemNarrowing & MemberNarrowing): Promise<FoundEvent[]>
  /**
   * False for what was past when the subscriber began, although it was recorded later.
   *
   * @param began  milliseconds since 1970
   */
  isSince?(entry: FeedEntry, began: number, space: Space): boolean
  /** What it is about, by subject. Subjects that no longer exist or are out of reach are left out. */
  describe(space: Space, found: readonly Described[]): Promise<ReadonlyMap<number, object>>
}

export const EVENT_NAMES = [
  'comment.created',
  'comment.resolved',
  'document.added',
  'document.changed',
  'item.changed',
  'item.entered',
  'import.ended',
  'lease.ended',
  'mention',
  'proposal.waiting',
  'proposal.decided',
  'reminder.due',
  'task.assigned',
  'task.due',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

const OF_TEXT = ['documentId', 'folderId', 'author'] as const

export const EVENT_TYPE_OF: Record<EventName, EventType> = {
  'comment.created': {
    description: 'Somebody commented on a block, or answered in its thread. Read the thread with blocks_get.',
    narrowedBy: OF_TEXT,
    joins: false,
    alwaysArrives: false,
    find: async (_, entries) =>
      changesIn(entries.filter(isNoUndo), ({ table, verb }) => table === 'comment' && verb === 'added'),
    describe: describeComments,
  },
  'comment.resolved': {
    description: 'A comment was marked as resolved.',
    narrowedBy: OF_TEXT,
    joins: false,
    alwaysArrives: false,
    find: async (_, entries) => changesIn(entries, isResolution),
    describe: describeComments,
  },
  'document.added': {
    description: 'A document was added, restored from the trash, or came within reach.',
    narrowedBy: ['folderId', 'author'],
    joins: false,
    alwaysArrives: false,
    find: async (_, entries) => entries.flatMap((entry) => documentsFound(entry, entry.call?.seen.newDocuments)),
    describe: describeDocuments,
  },
  'document.changed': {
    description:
      'The text, the properties, the comments or the place of a document changed. A burst of changes is one event. When a document is deleted or leaves your reach, the event says gone, without its title.',
    narrowedBy: OF_TEXT,
    joins: true,
    alwaysArrives: false,
    find: async (_, entries) => entries.flatMap(changedDocuments),
    describe: describeDocuments,
  },
  'item.changed': {
    description:
      'The title or a property of an item of a collection changed. A burst of changes is one event. With viewId or filters, only of items that match them after the change.',
    narrowedBy: ['collectionId', 'viewId', 'filters', 'property', 'documentId', 'folderId', 'author'],
    joins: true,
    alwaysArrives: false,
    find: findChangedItems,
    describe: describeItems,
  },
  'item.entered': {
    description:
      'An item of a collection began to match a view or filters: a call added or changed it, and it did not match before. Without viewId and filters, it was added.',
    narrowedBy: ['collectionId', 'viewId', 'filters', 'documentId', 'folderId', 'author'],
    needs: 'collectionId',
    joins: false,
    alwaysArrives: false,
    find: findEnteredItems,
    describe: describeItems,
  },
  'import.ended': {
    ...recorded('An import ended. It says how many documents it wrote, and what was lost.', 'import.ended'),
    narrowedBy: ['documentId', 'folderId', 'author'],
    alwaysArrives: false,
  },
  'lease.ended': recorded('Somebody’s claim of an item or a task ended without having been released.', 'lease.ended'),
  mention: {
    description:
      'A text, a title, a comment or a cell began to name a member, as [@Anna](person://ID) does. With member, only that one: me is your own link. Proposed text counts once approved; text by somebody who may only comment, once somebody who may write confirms it. authorAccess is what the author may do.',
    narrowedBy: ['member', ...OF_TEXT],
    joins: false,
    alwaysArrives: false,
    find: findMentions,
    describe: describeMentions,
  },
  'proposal.waiting': {
    ...recorded('A proposal waits for the approval of a person.', 'proposal.waiting'),
    narrowedBy: ['documentId', 'folderId', 'author'],
    alwaysArrives: false,
  },
  'proposal.decided': {
    ...recorded('A proposal was approved or rejected, or has ended.', 'proposal.decided'),
    narrowedBy: ['documentId', 'folderId', 'author'],
  },
  'reminder.due': recorded('A reminder of your participant came due.', 'reminder.due'),
  'task.assigned': {
    description:
      'A task was given to a member. With assignee, only to that one: me is your own link. Proposed tasks count once approved; authorAccess is what the author may do.',
    narrowedBy: ['assignee', ...OF_TEXT],
    joins: false,
    alwaysArrives: false,
    find: findAssignedTasks,
    describe: describeAssigned,
  },
  'task.due': {
    ...recorded('An open task is due today: once for each task and date, when the day begins.', 'task.due'),
    isSince: ({ item }, began, space) => item.type !== 'task.due' || item.date >= dateAt(began, space),
  },
}

/** A type whose occurrences the feed records as they are. */
function recorded(description: string, type: FeedEntry['item']['type']): EventType {
  return {
    description,
    narrowedBy: ['documentId', 'folderId'],
    joins: false,
    alwaysArrives: true,
    async find(space, entries) {
      const some = entries.filter(({ item, event }) => item.type === type && event !== undefined)
      const ids = await space.readIds(some.flatMap(({ item }) => item.documents.map(({ documentId }) => documentId)))
      const rows = await space.findReachableBlocks([...ids.values()])
      const numbers = new Map(rows.map(({ id, document }) => [id, document]))
      return some.map((entry) => ({
        ...{ entry, subject: entry.event?.n ?? 0 },
        documents: entry.item.documents.flatMap(({ documentId }) => numbers.get(ids.get(documentId) ?? 0) ?? []),
      }))
    },
    describe: async (_, found) =>
      new Map(
        found.flatMap(({ subject, entry }): [number, object][] => {
          if (entry === undefined) return []
          const { type: _type, at: _at, ...data } = entry.item
          return [[subject, data]]
        }),
      ),
  }
}

/** The changed rows that match, in order. */
const changesIn = (entries: readonly FeedEntry[], matches: (change: CountedChange) => boolean): FoundEvent[] =>
  entries.flatMap((entry) =>
    uniqueRows((entry.call?.seen.changes ?? []).filter(matches)).map(({ row, document }) => ({
      ...{ entry, subject: row, documents: document === null ? [] : [document] },
    })),
  )

/** The first change of each row, in the order of rows. */
const uniqueRows = (changes: readonly CountedChange[]): CountedChange[] =>
  [...new Map(changes.toReversed().map((change) => [change.row, change])).values()].sort(
    (one, other) => one.row - other.row,
  )

/** What an undo brings back was an event when it was made, and the one who brings it back did not write it. */
const isNoUndo = ({ call }: FeedEntry): boolean => call?.row.endpoint !== 'history_undo'

const isResolution = ({ table, verb, before }: CountedChange): boolean =>
  table === 'comment' && verb === 'changed' && /"resolved_at":null/.test(before ?? '')

const documentsFound = (entry: FeedEntry, documents: readonly number[] = []): FoundEvent[] =>
  [...documents]
    .sort((one, other) => one - other)
    .map((document) => ({ entry, subject: document, documents: [document] }))

function changedDocuments(entry: FeedEntry): FoundEvent[] {
  const { documents = [], newDocuments = [], goneDocuments = [] } = entry.call?.seen ?? {}
  const others = new Set([...newDocuments, ...goneDocuments])
  const changed = documents.filter((document) => !others.has(document))
  const gone = documentsFound(entry, goneDocuments).map((found) => ({ ...found, isGone: true }))
  return [...documentsFound(entry, changed), ...gone]
}
