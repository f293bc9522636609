/** Rules about reminders. */

import type { RuleGroup } from '../rule.ts'
import { has, holds, idsOf, inPage, one, type RuleContext, same, withId } from '../rule-context.ts'

const SOON = '2026-11-20T12:00:00.000Z'

const remind = async (at: RuleContext, more: object = {}) => {
  const { id: blockId } = await at.madeBlock('remember')
  return one((await at.done('reminders_add', { reminders: [{ blockId, ...more }] })).items)
}

const listAll = async (at: RuleContext, query: object = {}) => {
  const items = []
  let cursor: unknown
  do {
    const answer = await at.done('reminders_list', { ...query, limit: 200, ...(cursor !== undefined && { cursor }) })
    items.push(...answer.items)
    cursor = answer.pagination?.cursor
  } while (cursor !== undefined)
  return items
}

const isIn = async (at: RuleContext, id: string, status: string) => idsOf(await listAll(at, { status })).includes(id)

export const reminders: RuleGroup = {
  title: 'reminders',
  rules: [
    {
      statement: 'POST sets a reminder on a block, with or without a task.',
      async check(at) {
        const { id } = await remind(at, { remindAt: SOON })
        has(withId(await listAll(at), id), { remindAt: SOON, isCompleted: false, title: 'remember' })
      },
    },
    {
      statement: 'A second POST on a block replaces its reminder.',
      async check(at) {
        const { blockId } = await remind(at, { remindAt: SOON })
        await at.done('reminders_add', { reminders: [{ blockId, remindAt: '2026-11-21T12:00:00Z' }] })
        const found = (await listAll(at, { status: 'all' })).filter((one) => one.blockId === blockId)
        has(one(found), { remindAt: '2026-11-21T12:00:00.000Z' })
      },
    },
    {
      statement: 'A reminder without a time is saved for later.',
      async check(at) {
        const { id, remindAt } = await remind(at)
        same(remindAt, undefined)
        holds(await isIn(at, id, 'incomplete'), 'Expected it among the incomplete ones')
      },
    },
    {
      statement: 'GET lists the incomplete reminders by default, with those for later and overdue ones.',
      async check(at) {
        const [later, overdue, done] = [await remind(at), await remind(at, { remindAt: SOON }), await remind(at)]
        await at.done('reminders_update', { remindersToUpdate: [{ id: done.id, isCompleted: true }] })
        at.world.clock.now += 86_400_000
        const found = idsOf(await listAll(at))
        same(
          [later, overdue, done].map(({ id }) => found.includes(id)),
          [true, true, false],
        )
        same(found, idsOf(await listAll(at, { status: 'incomplete' })))
      },
    },
    {
      statement: 'completed lists the completed reminders.',
      async check(at) {
        const { id } = await remind(at)
        same(await isIn(at, id, 'completed'), false)
        await at.done('reminders_update', { remindersToUpdate: [{ id, isCompleted: true }] })
        has(withId(await listAll(at, { status: 'completed' }), id), { isCompleted: true })
      },
    },
    {
      statement: 'upcoming lists incomplete reminders with a later time or none.',
      async check(at) {
        const [later, soon] = [await remind(at), await remind(at, { remindAt: SOON })]
        same([await isIn(at, later.id, 'upcoming'), await isIn(at, soon.id, 'upcoming')], [true, true])
        at.world.clock.now += 86_400_000
        same([await isIn(at, later.id, 'upcoming'), await isIn(at, soon.id, 'upcoming')], [true, false])
      },
    },
    {
      statement: 'all lists reminders of each status.',
      async check(at) {
        const [open, done] = [await remind(at), await remind(at)]
        await at.done('reminders_update', { remindersToUpdate: [{ id: done.id, isCompleted: true }] })
        for (const { id } of [open, done]) holds(await isIn(at, id, 'all'), `Expected ${id}`)
      },
    },
    {
      statement: 'limit is from 1 to 200.',
      async check(at) {
        await remind(at)
        await remind(at)
        same((await at.done('reminders_list', { limit: 1 })).items.length, 1)
        for (const limit of [0, 201]) await at.refused('reminders_list', { limit })
        holds((await at.done('reminders_list', { limit: 200 })).items.length > 1, 'Expected several')
      },
    },
    {
      statement: 'limit is 50 by default.',
      async check(at) {
        const blocks = Array.from({ length: 60 }, (_, index) => ({ type: 'text', markdown: `block ${index}` }))
        const { items } = await at.setup('blocks_add', { blocks, position: inPage(await at.page()) })
        await at.done('reminders_add', { reminders: idsOf(items).map((blockId) => ({ blockId })) })
        same((await at.done('reminders_list')).items.length, 50)
      },
    },
    {
      statement: 'cursor continues a list of the same status.',
      async check(at) {
        const ids = [(await remind(at)).id, (await remind(at)).id, (await remind(at)).id]
        const first = await at.done('reminders_list', { status: 'all', limit: 1 })
        const second = await at.done('reminders_list', { status: 'all', limit: 1, cursor: first.pagination.cursor })
        holds(one(first.items).id !== one(second.items).id, 'Expected another reminder')
        await at.refused('reminders_list', { status: 'completed', cursor: first.pagination.cursor }, 'CURSOR_INVALID')
        const all = idsOf(await listAll(at, { status: 'all' }))
        same(
          ids.every((id) => all.includes(id)),
          true,
        )
      },
    },
    {
      statement: 'A cursor has at most 256 characters, and one that was changed is refused.',
      async check(at) {
        await remind(at)
        await remind(at)
        const { pagination } = await at.done('reminders_list', { limit: 1 })
        const cursor = String(pagination.cursor)
        holds(cursor.length <= 256, `Expected at most 256 characters, found ${cursor.length}`)
        await at.refused('reminders_list', { cursor: `${cursor.slice(0, -1)}!` }, 'CURSOR_INVALID')
        const { isRefused } = await at.call('reminders_list', { cursor: 'a'.repeat(257) })
        same(isRefused, true)
      },
    },
    {
      statement: 'Reminders are listed by the time of their creation, then by ID.',
      async check(at) {
        const first = await remind(at)
        at.world.clock.now += 1_000
        const second = await remind(at)
        const ids = idsOf(await listAll(at, { status: 'all' }))
        holds(ids.indexOf(first.id) < ids.indexOf(second.id), 'Expected the first one first')
      },
    },
    {
      statement: 'PUT changes only the given fields, and answers with the reminders.',
      async check(at) {
        const { id } = await remind(at, { remindAt: SOON })
        const { items } = await at.done('reminders_update', { remindersToUpdate: [{ id, isCompleted: true }] })
        has(one(items), { id, isCompleted: true, remindAt: SOON })
      },
    },
    {
      statement: 'null takes the time away.',
      async check(at) {
        const { id } = await remind(at, { remindAt: SOON })
        const { items } = await at.done('reminders_update', { remindersToUpdate: [{ id, remindAt: null }] })
        same(one(items).remindAt, undefined)
      },
    },
    {
      statement: 'DELETE deletes reminders, keeps the blocks, and answers with the IDs.',
      async check(at) {
        const { id, blockId } = await remind(at)
        same((await at.done('reminders_delete', { idsToDelete: [id] })).items as unknown, [id])
        same(await isIn(at, id, 'all'), false)
        same((await at.read(blockId)).id, blockId)
      },
    },
    {
      statement: 'Reminders follow the reach of the connection.',
      kinds: ['selected', 'daily'],
      async check(at) {
        const { items } = await at.setup('blocks_add', { markdown: 'outside', position: inPage(at.world.hidden) })
        const blockId = one(items).id
        const { id } = one((await at.setup('reminders_add', { reminders: [{ blockId }] })).items)
        same(await isIn(at, id, 'all'), false)
        await at.refused('reminders_add', { reminders: [{ blockId }] }, 'NOT_FOUND_ERROR')
        await at.refused('reminders_update', { remindersToUpdate: [{ id, isCompleted: true }] }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'A reminder without a block is not there.',
      async check(at) {
        await at.refused('reminders_add', { reminders: [{ remindAt: SOON }] })
      },
    },
    {
      statement: 'A reminder may notify in applications.',
      cannot: 'It says what applications do. Here, calls and pages show due reminders.',
    },
    {
      statement: 'Other transitions of reminders.',
      cannot: 'The contract says that it does not show them.',
    },
  ],
}
