/** What somebody who is removed has left to do: tasks, values of items, claims and mentions. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { leasesOfCaller, type StoredLease } from '../../../storage/leases.ts'
import type { MemberRow } from '../../../storage/members.ts'
import { linksOfMember, type MemberValue, valuesOfMember } from '../../../storage/open-work.ts'
import { tasksInRange } from '../../../storage/tasks.ts'
import { formatNumber } from '../../base/format-number.ts'
import { OPEN_WORK } from '../../base/limits.ts'
import { type Collection, loadCollections } from '../collections/schema/find-collection.ts'
import { filterCondition } from '../collections/views/filter-conditions.ts'
import { selectItems } from '../collections/views/select-items.ts'
import { viewColumnsOf } from '../collections/views/views.ts'
import { mentionsWaitingFor } from '../for-me/for-me.ts'
import { isCurrent } from '../leases/leases.ts'
import { reachOf, type Space } from '../model/space.ts'

/** By number. Of each kind at most one more than {@link OPEN_WORK}. */
export interface OpenWork {
  /** Open tasks. */
  tasks: number[]
  /** Values of items that are not done, as far as their collection says what is done. */
  values: (MemberValue & { collection: Collection })[]
  claims: StoredLease[]
  /** The IDs of blocks on which or in which the member is named, and has not answered. */
  mentions: number[]
}

/** Finds the open work of a member. What is given to its groups is not its own. */
export async function findOpenWork(space: Space, member: MemberRow): Promise<OpenWork> {
  const { tx } = space
  const limit = OPEN_WORK + 1
  const tasks = await tasksInRange(
    tx,
    { open: true, assignees: [String(member.id)] },
    { except: ['trash'] },
    undefined,
    limit,
  )
  return {
    tasks: tasks.map(({ n }) => n),
    values: await openValues(space, await valuesOfMember(tx, member.n, limit)),
    claims: await claimsOf(space, member.n),
    mentions: await blocksWithMentions(space, member, limit),
  }
}

async function blocksWithMentions(space: Space, { id, name }: MemberRow, limit: number): Promise<number[]> {
  const wanted = { reach: reachOf(space.link), members: [String(id)], author: name, limit }
  const found = await mentionsWaitingFor(space, wanted)
  return [...new Set(found.flatMap(({ block }) => block ?? []))]
}

async function claimsOf({ tx, leaseTime }: Space, member: number): Promise<StoredLease[]> {
  const claims: StoredLease[] = []
  for (const link of await linksOfMember(tx, member)) {
    claims.push(...(await leasesOfCaller(tx, link, leaseTime)).filter(isCurrent))
  }
  return claims
}

async function openValues(space: Space, values: readonly MemberValue[]): Promise<OpenWork['values']> {
  const items = await blocksByNumbers(space.tx, [...new Set(values.map(({ item }) => item))])
  const collectionOf = new Map(items.map(({ n, parent }) => [n, parent]))
  const parents = [...new Set(items.flatMap(({ parent }) => parent ?? []))]
  const collections = await loadCollections(space, await blocksByNumbers(space.tx, parents))
  const byNumber = new Map(collections.map((collection) => [collection.n, collection]))
  const done = new Set<number>()
  for (const collection of collections) for (const item of await doneItems(space, collection)) done.add(item)
  return values.flatMap(({ item, property }) => {
    const collection = byNumber.get(collectionOf.get(item) ?? 0)
    return collection === undefined || done.has(item) ? [] : [{ item, property, collection }]
  })
}

/** None, unless the collection has dependencies: only these say what is done. */
async function doneItems(space: Space, collection: Collection): Promise<readonly number[]> {
  const { dependency } = viewColumnsOf(collection).all.find((column) => column.dependency !== undefined) ?? {}
  if (dependency === undefined) return []
  const { n, block } = collection
  const isDone = filterCondition(dependency.column, dependency.done, new Map(), space)
  return selectItems(space, { collection: { n, document: block.document }, reach: 'all', conditions: [isDone] })
}

/** How much there is, for sentences. Empty if there is nothing. */
export function describeOpenWork({ tasks, values, claims, mentions }: OpenWork): string {
  const parts = [
    count(tasks.length, 'open task', 'open tasks'),
    count(values.length, 'value of an item', 'values of items'),
    count(claims.length, 'claim', 'claims'),
    count(mentions.length, 'unanswered mention', 'unanswered mentions'),
  ].filter((part) => part !== '')
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

function count(number: number, one: string, many: string): string {
  if (number === 0) return ''
  const shown = number > OPEN_WORK ? `more than ${formatNumber(OPEN_WORK)}` : formatNumber(number)
  return `${shown} ${number === 1 ? one : many}`
}
