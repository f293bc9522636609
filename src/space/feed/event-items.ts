/**
 * Shows events other than calls in the feed. To add a kind, record each event with `insertEvent` of storage/events.ts,
 * in the transaction in which it happens, and add here how it is shown.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import {
  IMPORT_ENDED,
  LEASE_ENDED,
  PROPOSAL_DECIDED,
  PROPOSAL_WAITING,
  REMINDER_DUE,
  TASK_DUE,
} from '../../../storage/events.ts'
import { rowsByNumbers } from '../../../storage/history.ts'
import { proposalsByNumbers } from '../../../storage/proposals.ts'
import type { EventRow, ProposalRow } from '../../../storage/schema.ts'
import { documentNames } from '../history/change-summary.ts'
import type { LeaseEndDetail, LeaseEndReason } from '../leases/ending/end-leases.ts'
import type { Space } from '../model/space.ts'
import { canSeeProposal } from '../proposals/proposal.ts'
import type { FeedDocument } from './call-items.ts'
import { type ImportItem, importItems } from './import-items.ts'

/** A reminder that came due. */
export interface ReminderItem {
  type: typeof REMINDER_DUE
  at: string
  reminderId: string
  blockId: string
  documents: FeedDocument[]
}

/** The day on which a task is due has begun. */
export interface TaskItem {
  type: typeof TASK_DUE
  /** When the day began. */
  at: string
  blockId: string
  date: string
  documents: FeedDocument[]
}

interface ProposalEventItem {
  at: string
  proposalId: string
  author: string
  client?: string
  linkId?: string
  tool: string
  /** A summary of what it would change. */
  summary: string
  /** The documents that it would change and that are within reach. */
  documents: FeedDocument[]
}

/** A call that waits for the approval of a person. */
export interface ProposalWaitingItem extends ProposalEventItem {
  type: typeof PROPOSAL_WAITING
}

/** The decision on a proposal. */
export interface ProposalDecidedItem extends ProposalEventItem {
  type: typeof PROPOSAL_DECIDED
  state: Exclude<ProposalRow['state'], 'waiting'>
  decidedBy?: string
  /** The call that carried it out. */
  callId?: string
}

/** A lease that ended without its holder having released the row. */
export interface LeaseItem {
  type: typeof LEASE_ENDED
  at: string
  /** The item or task that is free now. */
  blockId: string
  reason: LeaseEndReason
  /** The holder. */
  name: string
  client?: string
  since: string
  fence: number
  documents: FeedDocument[]
}

export type EventItem = ImportItem | LeaseItem | ReminderItem | TaskItem | ProposalWaitingItem | ProposalDecidedItem

/**
 * For each kind, a function that turns events into items by their numbers. It leaves out events that the connection
 * does not see.
 */
const KINDS: Record<EventItem['type'], (space: Space, rows: readonly EventRow[]) => Promise<Map<number, EventItem>>> = {
  [REMINDER_DUE]: reminderItems,
  [TASK_DUE]: taskItems,
  [IMPORT_ENDED]: importItems,
  [PROPOSAL_WAITING]: (space, rows) => proposalItems(space, rows, (_, item) => ({ type: PROPOSAL_WAITING, ...item })),
  [PROPOSAL_DECIDED]: (space, rows) =>
    proposalItems(space, rows, ({ state, decidedBy, call }, item) =>
      state === 'waiting'
        ? undefined
        : {
            ...{ type: PROPOSAL_DECIDED, ...item, state },
            ...(decidedBy !== null && { decidedBy }),
            ...(call !== null && { callId: space.spellId(call) }),
          },
    ),
  [LEASE_ENDED]: leaseItems,
}

/** The types of these events. */
export const EVENT_TYPES = Object.keys(KINDS) as EventItem['type'][]

const isKnown = (kind: string): kind is EventItem['type'] => Object.hasOwn(KINDS, kind)

/** Returns the items of these events by number, for those events that the connection sees anything of. */
export async function eventItems(space: Space, rows: readonly EventRow[]): Promise<Map<number, EventItem>> {
  const items = new Map<number, EventItem>()
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
    // A later version of the program may have recorded other kinds.
    if (!isKnown(kind)) continue
    for (const [n, item] of await KINDS[kind](space, some)) items.set(n, item)
  }
  return items
}

/** A reminder is shown only to its participant, while it exists and its block is within reach. */
async function reminderItems(space: Space, rows: readonly EventRow[]): Promise<Map<number, ReminderItem>> {
  const { tx } = space
  const own = await space.findOwnParticipant()
  const subjects = rows.map(({ subject }) => subject)
  const reminders = (await rowsByNumbers(tx, 'reminder', subjects)).filter(({ participant }) => participant === own)
  const blocks = await blocksByNumbers(
    tx,
    reminders.map(({ block }) => block as number),
  )
  const byNumber = new Map(blocks.map((block) => [block.n, block]))
  const documents = blocks.map(({ document }) => document)
  const reached = await space.reachableDocuments(documents)
  const names = await documentNames(space, documents)
  const found = new Map(reminders.map((reminder) => [reminder.n, reminder]))
  const items = new Map<number, ReminderItem>()
  for (const { n, at, subject } of rows) {
    const reminder = found.get(subject)
    const block = byNumber.get(reminder?.block as number)
    if (reminder === undefined || block === undefined || !reached.has(block.document)) continue
    const name = names.get(block.document)
    items.set(n, {
      type: REMINDER_DUE,
      at: new Date(at).toISOString(),
      reminderId: space.spellId(reminder.id as number),
      blockId: space.spellId(block.id),
      documents: name === undefined ? [] : [{ documentId: space.spellId(name.id), title: name.title }],
    })
  }
  return items
}

/** Tasks that still exist and are within reach. */
async function taskItems(space: Space, rows: readonly EventRow[]): Promise<Map<number, TaskItem>> {
  const blocks = await blocksByNumbers(
    space.tx,
    rows.map(({ subject }) => subject),
  )
  const byNumber = new Map(blocks.map((block) => [block.n, block]))
  const documents = blocks.map(({ document }) => document)
  const reached = await space.reachableDocuments(documents)
  const names = await documentNames(space, [...reached])
  return new Map(
    rows.flatMap(({ n, at, subject, detail }): [number, TaskItem][] => {
      const block = byNumber.get(subject)
      const document = block && names.get(block.document)
      if (block === undefined || document === undefined || detail === null) return []
      const of = [{ documentId: space.spellId(document.id), title: document.title }]
      const item = {
        at: new Date(at).toISOString(),
        blockId: space.spellId(block.id),
        date: JSON.parse(detail) as string,
        documents: of,
      }
      return [[n, { type: TASK_DUE, ...item }]]
    }),
  )
}

/** Leases on rows that still exist and are within reach. */
async function leaseItems(space: Space, rows: readonly EventRow[]): Promise<Map<number, LeaseItem>> {
  const details = rows.map(({ detail }) => JSON.parse(detail ?? '{}') as LeaseEndDetail)
  const blocks = await blocksByNumbers(
    space.tx,
    details.map(({ block }) => block),
  )
  const byNumber = new Map(blocks.map((block) => [block.n, block]))
  const documents = blocks.map(({ document }) => document)
  const reached = await space.reachableDocuments(documents)
  const names = await documentNames(space, documents)
  const items = new Map<number, LeaseItem>()
  for (const [index, { n, at, subject: fence }] of rows.entries()) {
    const detail = details[index] as LeaseEndDetail
    const { reason, by, client, since } = detail
    const block = byNumber.get(detail.block)
    if (block === undefined || !reached.has(block.document)) continue
    const document = names.get(block.document)
    items.set(n, {
      ...{ type: LEASE_ENDED, at: new Date(at).toISOString(), blockId: space.spellId(block.id), reason, name: by },
      ...(client !== undefined && { client }),
      ...{ since: new Date(since).toISOString(), fence },
      documents: document === undefined ? [] : [{ documentId: space.spellId(document.id), title: document.title }],
    })
  }
  return items
}

/** Proposals that the connection sees, by the same rule as in `proposals_list`. */
async function proposalItems<Item extends EventItem>(
  space: Space,
  rows: readonly EventRow[],
  describe: (proposal: ProposalRow, item: ProposalEventItem) => Item | undefined,
): Promise<Map<number, Item>> {
  const proposals = new Map<number, ProposalRow>()
  for (const row of await proposalsByNumbers(
    space.tx,
    rows.map(({ subject }) => subject),
  ))
    if (await canSeeProposal(space, row)) proposals.set(row.n, row)
  const documentsOf = ({ documents }: ProposalRow) => JSON.parse(documents) as number[]
  const documents = [...proposals.values()].flatMap(documentsOf)
  const reached = await space.reachableDocuments(documents)
  const names = await documentNames(space, [...reached.keys()])
  const items = new Map<number, Item>()
  for (const { n, at, subject } of rows) {
    const proposal = proposals.get(subject)
    if (proposal === undefined) continue
    const { id, author, client, link, tool, summary } = proposal
    const item = describe(proposal, {
      at: new Date(at).toISOString(),
      proposalId: space.spellId(id),
      author,
      ...(client !== null && { client }),
      ...(link !== null && space.kind === 'full' && { linkId: link }),
      tool,
      summary,
      documents: documentsOf(proposal).flatMap((document) => {
        const name = names.get(document)
        return name === undefined ? [] : [{ documentId: space.spellId(name.id), title: name.title }]
      }),
    })
    if (item !== undefined) items.set(n, item)
  }
  return items
}
