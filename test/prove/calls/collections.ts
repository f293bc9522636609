/** Calls on collections: their schemas, items and views. */
import type { PropertyType } from '../../../storage/schema.ts'
import type { Call } from '../model/model.ts'
import type { Chooser } from './chooser.ts'
import type { CollectionPool, Pools, PropertyPool } from './pools.ts'
import { text, title, word } from './texts.ts'
import { idOf, idsOf, newBlock, position } from './trees.ts'

/** The number of collections in a space from which on new ones are rare. */
const MANY = 4

export function collections(chooser: Chooser, pools: Pools): Call {
  const collection = chooser.any(pools.collections)
  if (collection === undefined || chooser.once(pools.collections.length < MANY ? 6 : 60)) {
    const schema = {
      name: title(chooser),
      properties: chooser.times(5, () => newProperty(chooser, pools)),
      ...(chooser.once(2) && { contentPropDetails: { name: title(chooser) } }),
    }
    return { tool: 'collections_add', args: { schema, position: position(chooser, pools) } }
  }
  const which = chooser.number(20)
  const collectionId = chooser.once(40) ? idOf(chooser, pools, pools.blocks) : collection.id
  if (which < 3) return { tool: 'schema_update', args: { collectionId, schema: schema(chooser, pools, collection) } }
  if (which < 14) return items(chooser, pools, collection, collectionId)
  return views(chooser, pools, collection, collectionId)
}

function newProperty(chooser: Chooser, pools: Pools): object {
  const type = chooser.once(80) ? 'formula' : chooser.one(Object.keys(VALUES))
  const options = { options: [...new Set(chooser.times(3, () => word(chooser)))].map((name) => ({ name })) }
  const other = chooser.any(pools.collections)?.id
  return {
    ...{ type, name: title(chooser) },
    ...(type.endsWith('Select') && options),
    ...(type === 'number' && chooser.once(2) && { config: { format: 'percentage' } }),
    ...(type === 'relation' && other !== undefined && chooser.once(2) && { targetCollectionId: other }),
  }
}

/** The present schema with a few random changes. */
function schema(chooser: Chooser, pools: Pools, { properties }: CollectionPool): object {
  const kept = properties.flatMap(({ isBackReference, ...property }) => {
    if (chooser.once(8)) return []
    const { options, key, ...fields } = property
    return [
      {
        ...fields,
        ...(chooser.once(6) ? {} : { key }),
        ...(chooser.once(6) && { name: title(chooser) }),
        ...(isBackReference && { isBackReference }),
        ...(options !== undefined && chooser.once(2) && { options: otherOptions(chooser, options) }),
      },
    ]
  })
  const added = chooser.once(3) ? [newProperty(chooser, pools)] : []
  return { name: title(chooser), properties: chooser.once(4) ? [...added, ...kept.toReversed()] : [...kept, ...added] }
}

function otherOptions(chooser: Chooser, options: readonly { name: string }[]): object[] {
  const names = new Set(options.map(({ name }) => name))
  const kept = options.flatMap(({ name }) => {
    if (chooser.once(6)) return []
    const other = word(chooser)
    if (!chooser.once(6) || names.has(other)) return [{ name }]
    names.add(other)
    return [{ name: other, renamedFrom: name }]
  })
  const more = word(chooser)
  return chooser.once(3) && !names.has(more) ? [...kept, { name: more, color: 'pink' }] : kept
}

function items(chooser: Chooser, pools: Pools, collection: CollectionPool, collectionId: string): Call {
  const allow = chooser.once(3) ? { allowNewSelectOptions: true } : {}
  const which = chooser.number(10)
  if (which < 4 || collection.items.length === 0) {
    const relation = chooser.any(collection.properties.filter(({ type }) => type === 'relation'))
    const items = chooser.times(2, () => ({
      ...(chooser.once(40) ? {} : { title: title(chooser) }),
      properties: values(chooser, pools, collection, relation),
      ...(chooser.once(5) && { markdown: text(chooser, 2) }),
      ...(chooser.once(12) && { content: [newBlock(chooser, 2)] }),
    }))
    return { tool: 'items_add', args: { collectionId, items, ...allow, ...(chooser.once(5) && { answer: 'ids' }) } }
  }
  const ids = idsOf(chooser, pools, collection.items)
  if (which === 9) return { tool: 'items_delete', args: { collectionId, idsToDelete: ids.slice(0, 2) } }
  const relation = chooser.any(collection.properties.filter(({ type }) => type === 'relation'))
  const itemsToUpdate = ids.map((id) => ({
    id,
    ...(chooser.once(4) && { title: title(chooser) }),
    properties: values(chooser, pools, collection, relation),
  }))
  return { tool: 'items_update', args: { collectionId, itemsToUpdate, ...allow } }
}

/** @param relation  the only relation that the call sets, since two of them could contradict each other */
function values(chooser: Chooser, pools: Pools, { properties }: CollectionPool, relation?: PropertyPool): object {
  const set = properties.filter(
    (property) => chooser.once(2) && (property.type !== 'relation' || property === relation),
  )
  const wrong = chooser.once(40) ? { missing: 'value' } : {}
  return { ...Object.fromEntries(set.map((property) => [property.key, value(chooser, pools, property)])), ...wrong }
}

/** Creates a value for a property, usually a valid one. */
type ValueMaker = (chooser: Chooser, pools: Pools, property: PropertyPool) => unknown

const optionOf: ValueMaker = (chooser, _pools, { options = [] }) =>
  chooser.once(8) ? word(chooser) : (chooser.any(options)?.name ?? word(chooser))

const VALUES: Record<PropertyType, ValueMaker> = {
  text: title,
  number: (chooser) => chooser.number(100),
  boolean: (chooser) => chooser.once(2),
  date: (chooser) =>
    chooser.once(4)
      ? { start: '2026-11-20', end: chooser.one(['2026-11-20', '2026-12-01', '2026-11-19']) }
      : chooser.one(['2026-11-20', '2026-12-31', '2027-02-28']),
  url: (chooser) => `https://example.org/${word(chooser)}`,
  email: (chooser) => `${word(chooser)}@example.org`,
  phone: (chooser) => `+36 1 ${chooser.number(1_000)}`,
  singleSelect: optionOf,
  multiSelect: (chooser, pools, property) => chooser.times(3, () => optionOf(chooser, pools, property)),
  relation: (chooser, pools, { targetCollectionId }) => {
    const targets = pools.collections.find(({ id }) => id === targetCollectionId)?.items ?? []
    return { relations: chooser.some(targets).map((blockId) => ({ blockId })) }
  },
  rating: (chooser) => chooser.number(6),
  person: (chooser) => (chooser.once(2) ? 'Owner' : [{ memberId: word(chooser) }]),
  blockLink: (chooser, pools) => ({ blockId: idOf(chooser, pools, pools.blocks) }),
}

function value(chooser: Chooser, pools: Pools, property: PropertyPool): unknown {
  if (chooser.once(10)) return null
  if (chooser.once(60)) return chooser.one([7, 'x y', true, ['a']])
  return (VALUES[property.type as PropertyType] ?? title)(chooser, pools, property)
}

function views(chooser: Chooser, pools: Pools, collection: CollectionPool, collectionId: string): Call {
  const viewId = idOf(chooser, pools, collection.views)
  const which = chooser.number(10)
  if (which < 3 || collection.views.length === 0) {
    const view = { name: title(chooser), type: chooser.one(['table', 'gallery', 'kanban', 'list', 'table']) }
    return { tool: 'views_add', args: { collectionId, view: { ...view, ...settings(chooser, collection, view.type) } } }
  }
  if (which === 3) return { tool: 'views_delete', args: { collectionId, viewId } }
  if (which === 4) return { tool: 'views_activate', args: { collectionId, viewId } }
  const type = chooser.once(4) ? chooser.one(['table', 'gallery', 'kanban']) : undefined
  const view = { ...(chooser.once(3) && { name: title(chooser) }), ...(type && { type }) }
  return {
    tool: 'views_update',
    args: { collectionId, viewId, view: { ...view, ...settings(chooser, collection, type) } },
  }
}

function settings(chooser: Chooser, { properties }: CollectionPool, type = ''): object {
  const columns = ['title', ...properties.flatMap(({ key, name }) => [key, name])]
  const column = () => (chooser.once(40) ? 'no such column' : chooser.one(columns))
  const rule = () => ({ property: column(), ...(chooser.once(2) && { ascending: chooser.once(2) }) })
  const needsGroup = type === 'kanban' && !chooser.once(12)
  return {
    ...(chooser.once(3) && { filters: chooser.times(2, () => filter(chooser, properties)) }),
    ...(chooser.once(4) && { sortBy: chooser.times(2, rule) }),
    ...((needsGroup || chooser.once(8)) && { groupBy: [rule()] }),
    ...(chooser.once(4) && { fields: { hidden: chooser.times(2, column), widths: { [column()]: 'wide' } } }),
    ...(chooser.once(5) && { fields: { order: chooser.times(3, column) } }),
    ...(chooser.once(5) && { calculations: { [column()]: chooser.one(['count_all', 'number_sum', 'date_min']) } }),
    ...(chooser.once(8) && { isCalculationsRowVisible: chooser.once(2) }),
    ...((type === 'gallery' ? chooser.once(2) : chooser.once(30)) && { gallery: { cardSize: 'small' } }),
    ...(type === 'kanban' && chooser.once(2) && { kanban: { showsColumnColors: chooser.once(2) } }),
  }
}

function filter(chooser: Chooser, properties: readonly PropertyPool[]): object {
  const found = chooser.any(properties)
  const kinds: [filterType: string, filterValue?: unknown][] = [['isEmpty'], ['isNotEmpty']]
  if (found?.type === 'text' || found === undefined || chooser.once(20)) kinds.push(['string_contains', word(chooser)])
  if (found?.type === 'number' || chooser.once(20)) kinds.push(['number_greater', chooser.number(50)])
  if (found?.type === 'date' || chooser.once(20)) kinds.push(['date_isBefore', 'today'])
  const option = chooser.any(found?.options ?? [])?.name
  if (option !== undefined) kinds.push(['select_isAnyOf', [option]], ['select_isNoneOf', [option]])
  const [filterType, filterValue] = chooser.one(kinds)
  return { property: found?.key ?? 'title', filterType, ...(filterValue !== undefined && { filterValue }) }
}
