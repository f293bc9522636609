/** Rules about the views of collections. */

import type { Thing } from '../answer.ts'
import type { RuleGroup } from '../rule.ts'
import { has, holds, idsOf, one, type RuleContext, same, withId } from '../rule-context.ts'

const PROPERTIES = [
  { name: 'Price', type: 'number' },
  { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }] },
  { name: 'Note', type: 'text' },
]
const KANBAN = { name: 'Board', type: 'kanban', groupBy: [{ property: 'stage' }] }

const collectionOf = (at: RuleContext) => at.collection(PROPERTIES)
const addView = (at: RuleContext, collectionId: string, view: object): Promise<Thing> =>
  at.done('views_add', { collectionId, view })
const viewsOf = (at: RuleContext, collectionId: string): Promise<Thing> => at.done('views_list', { collectionId })

/** A collection with a view, and a function that changes the view. */
async function viewOf(at: RuleContext, view: object) {
  const collectionId = await collectionOf(at)
  const { id } = await addView(at, collectionId, view)
  const update = (changes: object) => at.done('views_update', { collectionId, viewId: id, view: changes })
  return { collectionId, id, update }
}

const TABLE = { name: 'All', type: 'table' }

export const views: RuleGroup = {
  title: 'views',
  rules: [
    {
      statement: 'A view has an ID, by which it is changed, deleted and activated.',
      async check(at) {
        const { collectionId, id, update } = await viewOf(at, TABLE)
        has(await update({ name: 'Renamed' }), { id, name: 'Renamed' })
        await addView(at, collectionId, { name: 'Other', type: 'table' })
        has(await at.done('views_activate', { collectionId, viewId: id }), { id, isActive: true })
        await at.done('views_delete', { collectionId, viewId: id })
        holds(!idsOf((await viewsOf(at, collectionId)).views).includes(id), 'Expected the view to be gone')
      },
    },
    {
      statement: 'A view has a name.',
      async check(at) {
        const collectionId = await collectionOf(at)
        has(await addView(at, collectionId, TABLE), { name: 'All' })
        await at.refused('views_add', { collectionId, view: { type: 'table' } })
      },
    },
    {
      statement: 'type of a view is table, gallery or kanban.',
      async check(at) {
        const collectionId = await collectionOf(at)
        has(await addView(at, collectionId, TABLE), { type: 'table' })
        has(await addView(at, collectionId, { name: 'Cards', type: 'gallery' }), { type: 'gallery' })
        has(await addView(at, collectionId, KANBAN), { type: 'kanban' })
        await at.refused('views_add', { collectionId, view: { name: 'Days', type: 'calendar' } })
      },
    },
    {
      statement: 'filters are stored and answered.',
      async check(at) {
        const filters = [{ property: 'price', filterType: 'number_greater', filterValue: 5 }]
        const { update } = await viewOf(at, TABLE)
        has(one((await update({ filters })).filters as Thing[]), {
          filterType: 'number_greater',
          filterValue: 5,
          propertyKey: 'price',
        })
      },
    },
    {
      statement: 'sortBy is stored and answered.',
      async check(at) {
        const { update } = await viewOf(at, TABLE)
        has(one((await update({ sortBy: [{ property: 'price', ascending: false }] })).sortBy as Thing[]), {
          propertyKey: 'price',
          ascending: false,
        })
      },
    },
    {
      statement: 'groupBy of a kanban view has exactly one rule.',
      async check(at) {
        const collectionId = await collectionOf(at)
        has(one((await addView(at, collectionId, KANBAN)).groupBy as Thing[]), { propertyKey: 'stage' })
        const two = [{ property: 'stage' }, { property: 'price' }]
        for (const groupBy of [undefined, [], two]) {
          await at.refused('views_add', { collectionId, view: { ...KANBAN, groupBy } })
        }
      },
    },
    {
      statement: 'hiddenProperties are stored and answered.',
      async check(at) {
        const { update } = await viewOf(at, TABLE)
        for (const changes of [{ hiddenProperties: ['note'] }, { fields: { hidden: ['note'] } }]) {
          has(one((await update(changes)).hiddenProperties as Thing[]), { propertyKey: 'note', propertyName: 'Note' })
        }
      },
    },
    {
      statement: 'customPropertyOrder is stored and answered.',
      async check(at) {
        const { update } = await viewOf(at, TABLE)
        const order = (await update({ customPropertyOrder: ['note', 'price'] })).customPropertyOrder as Thing[]
        same(
          order.slice(0, 2).map(({ propertyKey }) => propertyKey),
          ['note', 'price'],
        )
      },
    },
    {
      statement: 'columnWidth is stored and answered.',
      async check(at) {
        const { update } = await viewOf(at, TABLE)
        same(Object.values((await update({ columnWidth: { note: '200px' } })).columnWidth as object), ['200px'])
      },
    },
    {
      statement: 'calculations and isCalculationsRowVisible are stored and answered.',
      async check(at) {
        const { update } = await viewOf(at, TABLE)
        const view = await update({ calculations: { price: 'number_sum' }, isCalculationsRowVisible: true })
        has(Object.values(view.calculations as object)[0], { type: 'number_sum', propertyKey: 'price' })
        same(view.isCalculationsRowVisible, true)
      },
    },
    {
      statement: 'gallery is present only on gallery views.',
      async check(at) {
        const gallery = { cardSize: 'small' }
        const { collectionId, id } = await viewOf(at, { name: 'Cards', type: 'gallery', gallery })
        const table = await addView(at, collectionId, TABLE)
        const { views } = await viewsOf(at, collectionId)
        has(withId(views, id), { gallery })
        same(withId(views, table.id).gallery, undefined)
      },
    },
    {
      statement: 'kanban is present only on kanban views.',
      async check(at) {
        const kanban = { cardSize: 'small' }
        const { collectionId, id } = await viewOf(at, { ...KANBAN, kanban })
        const table = await addView(at, collectionId, TABLE)
        const { views } = await viewsOf(at, collectionId)
        has(withId(views, id), { kanban })
        same(withId(views, table.id).kanban, undefined)
      },
    },
    {
      statement: 'isActive is true of the active view alone.',
      async check(at) {
        const { collectionId, id } = await viewOf(at, TABLE)
        await addView(at, collectionId, { name: 'Other', type: 'table' })
        await at.done('views_activate', { collectionId, viewId: id })
        const { views, activeViewId } = await viewsOf(at, collectionId)
        same(idsOf(views.filter(({ isActive }) => isActive === true)), [id])
        same(activeViewId, id)
      },
    },
    {
      statement: 'Without a valid active view, the first stored one counts as active.',
      async check(at) {
        const { collectionId } = await viewOf(at, TABLE)
        await addView(at, collectionId, { name: 'Other', type: 'table' })
        const { views, activeViewId } = await viewsOf(at, collectionId)
        same([activeViewId, views[0]?.isActive], [views[0]?.id, true])
      },
    },
    {
      statement:
        'GET /views answers with the collection, the active view and the views; the active one is absent only without views.',
      async check(at) {
        const collectionId = await collectionOf(at)
        const before = await viewsOf(at, collectionId)
        same(before.activeViewId === undefined, before.views.length === 0)
        await addView(at, collectionId, TABLE)
        const after = await viewsOf(at, collectionId)
        same([after.collectionBlockId, after.views.length], [collectionId, before.views.length + 1])
        holds(typeof after.activeViewId === 'string', 'Expected an active view')
      },
    },
    {
      statement: 'POST /views answers with the view.',
      async check(at) {
        const collectionId = await collectionOf(at)
        const view = await addView(at, collectionId, TABLE)
        same(withId((await viewsOf(at, collectionId)).views, view.id), view)
      },
    },
    {
      statement: 'PUT of a view changes only the given settings.',
      async check(at) {
        const { update } = await viewOf(at, { ...TABLE, sortBy: [{ property: 'price' }], hiddenProperties: ['note'] })
        const view = await update({ name: 'Renamed' })
        same([view.name, (view.sortBy as []).length, (view.hiddenProperties as []).length], ['Renamed', 1, 1])
      },
    },
    {
      statement: 'An empty list or object clears a setting of a view.',
      async check(at) {
        const settings = {
          sortBy: [{ property: 'price' }],
          hiddenProperties: ['note'],
          calculations: { price: 'number_sum' },
        }
        const { update } = await viewOf(at, { ...TABLE, ...settings })
        const view = await update({ sortBy: [], hiddenProperties: [], calculations: {} })
        same([view.sortBy, view.hiddenProperties, view.calculations], [[], [], {}])
      },
    },
    {
      statement: 'DELETE of a view answers with its ID and the active view.',
      async check(at) {
        const { collectionId, id } = await viewOf(at, TABLE)
        const other = await addView(at, collectionId, { name: 'Other', type: 'table' })
        const answer = await at.done('views_delete', { collectionId, viewId: id })
        same(answer.deletedViewId, id)
        same(answer.activeViewId, (await viewsOf(at, collectionId)).activeViewId)
        holds(other.id !== id, 'Expected two views')
      },
    },
    {
      statement: 'When the active view is deleted, the first remaining one becomes active.',
      async check(at) {
        const { collectionId, id } = await viewOf(at, TABLE)
        await addView(at, collectionId, { name: 'Other', type: 'table' })
        await at.done('views_activate', { collectionId, viewId: id })
        const { activeViewId } = await at.done('views_delete', { collectionId, viewId: id })
        const { views } = await viewsOf(at, collectionId)
        same([activeViewId, views[0]?.isActive], [views[0]?.id, true])
      },
    },
    {
      statement: 'The last view is not deleted.',
      async check(at) {
        const { collectionId, id } = await viewOf(at, TABLE)
        for (const view of (await viewsOf(at, collectionId)).views) {
          if (view.id !== id) await at.done('views_delete', { collectionId, viewId: view.id })
        }
        await at.refused('views_delete', { collectionId, viewId: id })
        same(idsOf((await viewsOf(at, collectionId)).views), [id])
      },
    },
    {
      statement: 'PUT /active-view answers with the view that is now active.',
      async check(at) {
        const { collectionId, id } = await viewOf(at, TABLE)
        await addView(at, collectionId, { name: 'Other', type: 'table' })
        has(await at.done('views_activate', { collectionId, viewId: id }), { id, isActive: true, name: 'All' })
        same((await viewsOf(at, collectionId)).activeViewId, id)
      },
    },
    {
      statement: 'viewId of PUT /active-view is not empty.',
      async check(at) {
        const { collectionId } = await viewOf(at, TABLE)
        await at.refused('views_activate', { collectionId, viewId: '' })
      },
    },
    {
      statement: 'Views do not filter, sort or group, and hold no items.',
      async check(at) {
        const { collectionId, id, update } = await viewOf(at, {
          ...TABLE,
          filters: [{ property: 'price', filterType: 'isEmpty' }],
        })
        await at.setup('items_add', { collectionId, items: [{ title: 'secret title' }] })
        for (const view of [await update({ name: 'Renamed' }), withId((await viewsOf(at, collectionId)).views, id)]) {
          holds(!JSON.stringify(view).includes('secret title'), 'Expected no items')
        }
      },
    },
    {
      statement: 'Settings of a gallery are valid on gallery views alone.',
      async check(at) {
        const collectionId = await collectionOf(at)
        const gallery = { cardSize: 'small' }
        for (const view of [TABLE, KANBAN]) await at.refused('views_add', { collectionId, view: { ...view, gallery } })
      },
    },
    {
      statement: 'Settings of a kanban are valid on kanban views alone.',
      async check(at) {
        const collectionId = await collectionOf(at)
        const kanban = { cardSize: 'small' }
        for (const view of [TABLE, { name: 'Cards', type: 'gallery' }]) {
          await at.refused('views_add', { collectionId, view: { ...view, kanban } })
        }
      },
    },
    {
      statement: 'A view that was read can be written back.',
      async check(at) {
        const { collectionId, id, update } = await viewOf(at, {
          ...KANBAN,
          sortBy: [{ property: 'price' }],
          calculations: { price: 'number_sum' },
        })
        const read = withId((await viewsOf(at, collectionId)).views, id)
        same(await update(read), read)
      },
    },
  ],
}
