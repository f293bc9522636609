/** Decides what becomes of the open work of somebody who is removed: it stays, or somebody else gets it. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { activeMembers, type MemberRow } from '../../../storage/members.ts'
import { itemValues } from '../../../storage/values.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { OPEN_WORK } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { PERSON_SCHEME } from '../../markdown/addresses.ts'
import { applyFields } from '../blocks/block-input.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { addComments } from '../comments/block-comments.ts'
import { commentTagKeeper } from '../comments/comment-threads.ts'
import { BlockUpdateBatch, writeBlock } from '../editing/write-block.ts'
import { type ItemEntries, writeItemValues } from '../items/write-item-values.ts'
import { recordLeaseEnds, releaseLeases } from '../leases/ending/end-leases.ts'
import { updateRows } from '../model/block-writes.ts'
import { memberNamed } from '../model/given-members.ts'
import type { Space } from '../model/space.ts'
import { describeOpenWork, findOpenWork, type OpenWork } from './open-work.ts'

/** What becomes of open work. */
export interface WorkDecision {
  /** Who gets it: a member or a group by ID, `@handle` or name. */
  giveTo?: string | undefined
  /** True if it stays with the one who is removed. */
  keepsWork?: boolean | undefined
  /** How callers say so, at the end of the message that asks for it. */
  hint?: string
}

/** The path in the details of the error that asks for a decision; its message says how much work there is. */
export const UNDECIDED = 'giveTo'

/** What was given to whom. */
export interface GivenWork {
  to: string
  /** Such as `3 open tasks and 1 claim`. */
  work: string
}

/**
 * Gives the open work of a member to another one, or leaves it. Claims of work that is given end, so that it can be
 * claimed again.
 *
 * @returns what was given; undefined if nothing was
 * @throws VALIDATION_ERROR if there is open work and no decision, or for somebody who cannot get it
 */
export async function decideOpenWork(
  space: Space,
  member: MemberRow,
  { giveTo, keepsWork = false, hint = '' }: WorkDecision,
): Promise<GivenWork | undefined> {
  if (giveTo !== undefined && keepsWork) {
    throw invalid('Expected that the open work is given to somebody or stays, found both; choose one.')
  }
  if (keepsWork) return undefined
  const to = giveTo === undefined ? undefined : await receiver(space, member, giveTo)
  const work = await findOpenWork(space, member)
  const description = describeOpenWork(work)
  if (description === '') return undefined
  if (to === undefined) {
    throw invalid(
      `Expected what becomes of the open work of ${member.name}, found ${description}; give it to another member or leave it with the name${hint}.`,
      [{ path: UNDECIDED, message: description }],
    )
  }
  const most = Math.max(work.tasks.length, work.values.length, work.claims.length, work.mentions.length)
  if (most > OPEN_WORK) {
    throw invalid(
      `Expected at most ${formatNumber(OPEN_WORK)} of each kind of open work to give at once, found ${description}; give some of it with tasks_update or items_update first.`,
    )
  }
  await giveClaims(space, work)
  await giveTasks(space, work, to)
  await giveValues(space, work, member, to)
  await passMentions(space, work, member, to)
  return { to: to.name, work: description }
}

async function receiver(space: Space, member: MemberRow, reference: string): Promise<MemberRow> {
  const to = memberNamed(await activeMembers(space.tx, space.now), reference, 'scriptorium members list shows them')
  if (to.n !== member.n) return to
  throw invalid(`Expected another member than ${member.name} to get the open work, found the same; name another.`)
}

async function giveClaims(space: Space, { claims }: OpenWork): Promise<void> {
  if (claims.length === 0) return
  await releaseLeases(space, claims)
  await recordLeaseEnds(space, claims, 'takenBack')
}

async function giveTasks(space: Space, { tasks }: OpenWork, to: MemberRow): Promise<void> {
  const rows = await blocksByNumbers(space.tx, tasks)
  const batch = new BlockUpdateBatch(space, await commentTagKeeper(space, rows))
  for await (const row of iterateCooperatively(rows)) {
    const fields = applyFields(fieldsFromRow(row), { taskInfo: { assignee: String(to.id) } })
    // Who does a task says nothing about the date of a repeating one.
    await writeBlock(space, row, fields, { keepsPlace: true, knowsDate: true, batch })
  }
  await batch.write()
}

async function giveValues(space: Space, { values }: OpenWork, from: MemberRow, to: MemberRow): Promise<void> {
  const rows = await blocksByNumbers(space.tx, [...new Set(values.map(({ item }) => item))])
  for (const row of rows) Object.assign(row, { modifiedAt: space.now, modifiedBy: space.link.author })
  await updateRows(space, rows)
  const rowOf = new Map(rows.map((row) => [row.n, row]))
  const stored = Map.groupBy(
    await itemValues(space.tx, [...rowOf.keys()]),
    ({ item, property }) => `${item} ${property}`,
  )
  for (const [collection, some] of Map.groupBy(values, (one) => one.collection)) {
    const members = new Map<string, number>()
    const items = some.flatMap(({ item, property: n }): ItemEntries[] => {
      const row = rowOf.get(item)
      const property = collection.properties.find((one) => one.n === n)
      if (row === undefined || property === undefined) return []
      const numbers = (stored.get(`${item} ${n}`) ?? []).map(({ number }) => (number === from.n ? to.n : (number ?? 0)))
      for (const number of numbers) members.set(String(number), number)
      const given = numbers.map((number) => ({ member: String(number) }))
      return [{ item: row, entries: [{ property, values: given, path: '' }] }]
    })
    await writeItemValues(space, collection, items, { blocks: new Map(), members }, false)
    await space.markChanged(collection.block.document)
  }
}

/** Texts stay as others wrote them: a comment calls the one who is to answer now. */
async function passMentions(space: Space, { mentions }: OpenWork, from: MemberRow, to: MemberRow): Promise<void> {
  if (mentions.length === 0) return
  const content = `[@${linkText(to.name)}](${PERSON_SCHEME}${to.id}): this was for ${linkText(from.name)}, who left.`
  await addComments(
    space,
    mentions.map((blockId) => ({ blockId, content })),
  )
}

/** Without brackets, which would end the text of a link. */
const linkText = (name: string): string => name.replace(/[[\]\\]/g, '')
