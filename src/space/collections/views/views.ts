/** Lists and changes the views of a collection. Views are only settings, so nothing here reads items. */
import type { PropertyRow, ViewRow } from '../../../../storage/schema.ts'
import {
  collectionViews,
  deleteView as deleteRow,
  insertView,
  setActiveView,
  updateView as updateRow,
} from '../../../../storage/views.ts'
import { invalid, notFound } from '../../../base/errors.ts'
import { VIEWS_PER_COLLECTION } from '../../../base/limits.ts'
import { mapStrings, restoreTexts, stringsIn } from '../../content/visible-fields.ts'
import { visiblePlainText } from '../../model/block-links.ts'
import { assertAsExpected, type Expected } from '../../model/conditions.ts'
import { dependencyAmong, doneRule } from '../../model/dependencies.ts'
import { type AnyId, idNumber } from '../../model/ids.ts'
import { assertUnchanged } from '../../model/read-only.ts'
import type { Space } from '../../model/space.ts'
import { type Collection, findCollection } from '../schema/find-collection.ts'
import { normalizeFilter, normalizeView } from './normalize-view.ts'
import {
  type Column,
  type Filter,
  TITLE_COLUMN,
  TITLE_COLUMN_NUMBER,
  type View,
  type ViewInput,
  type ViewType,
} from './view.ts'
import { describeView, reachableFilterTargets, type ViewAnswer } from './view-answer.ts'
import { ViewColumns } from './view-columns.ts'
import { assertTargetsReachable, readFilterIds } from './view-filters.ts'
import { applyViewInput, createView } from './view-settings.ts'

/** The settings that only some views have. */
const EMPTY_VIEW = { isCalculationsRowVisible: null, gallery: null, kanban: null }

/** The distance between the positions of neighboring views. */
const POSITION_GAP = 2 ** 16

/** @throws NOT_FOUND_ERROR if there is no such collection within reach, as all functions here do */
export async function listViews(space: Space, collectionId: AnyId) {
  const collection = await findCollection(space, collectionId)
  const rows = await collectionViews(space.tx, collection.n)
  const active = activeView(collection, rows)
  space.seenRows.show([collection.block.id, ...rows.map(({ id }) => id)])
  const views: ViewAnswer[] = []
  for (const row of rows) views.push(await loadViewAnswer(space, collection, row, row === active))
  return {
    collectionBlockId: space.spellId(collection.block.id),
    ...(active && { activeViewId: space.spellId(active.id) }),
    views,
  }
}

/**
 * Adds a view after the others. The first view of a collection is the active one until another is activated. If the
 * input was copied from another view, its `id` and `isActive` are ignored.
 *
 * @throws VALIDATION_ERROR if settings break a rule, or if the collection already has the maximum number of views
 */
export async function addView(
  space: Space,
  collectionId: AnyId,
  input: ViewInput & { name: string; type: ViewType },
): Promise<ViewAnswer> {
  const collection = await findCollection(space, collectionId)
  const rows = await collectionViews(space.tx, collection.n)
  if (rows.length >= VIEWS_PER_COLLECTION) {
    throw invalid(
      `Expected at most ${VIEWS_PER_COLLECTION} views of a collection, found as many already; delete one with views_delete first.`,
    )
  }
  const columns = viewColumnsOf(collection)
  const ids = await readFilterIds(space, columns, input.filters)
  const view = createView(columns, input, ids)
  await assertTargetsReachable(space, ids, view.filters.flatMap(targetsOfFilter))
  const position = (rows.at(-1)?.position ?? 0) + POSITION_GAP
  const row = await insertView(space.tx, {
    id: await space.newId(),
    collection: collection.n,
    position,
    ...toViewRow(view),
  })
  await space.markChanged(collection.block.document)
  return loadViewAnswer(space, collection, row, activeView(collection, [...rows, row]) === row)
}

/** @throws NOT_FOUND_ERROR if the view does not exist; VALIDATION_ERROR if settings break a rule */
export async function updateView(
  space: Space,
  collectionId: AnyId,
  viewId: AnyId,
  input: ViewInput,
  expected?: Expected,
) {
  const collection = await findCollection(space, collectionId)
  const rows = await collectionViews(space.tx, collection.n)
  const row = findViewRow(rows, viewId)
  assertUnchanged(input.id, space.spellId(row.id), { key: 'id', advice: 'name the view as viewId' })
  const isActive = activeView(collection, rows) === row
  assertUnchanged(input.isActive, isActive, {
    key: 'isActive',
    advice: 'make a view the active one with views_activate',
  })
  await assertAsExpected(expected, {
    ...{ noun: 'view', id: space.spellId(row.id) },
    read: async () => ({ ...EMPTY_VIEW, ...(await loadViewAnswer(space, collection, row, isActive)) }),
  })
  const columns = viewColumnsOf(collection)
  const stored = parseViewRow(row)
  const shown = await visibleView(space, stored)
  const before = normalizeView(columns, shown)
  const ids = await readFilterIds(space, columns, input.filters)
  const view = restoreTexts(applyViewInput(columns, before, input, ids), shown, stored)
  if (input.filters !== undefined) {
    await assertTargetsReachable(space, ids, view.filters.flatMap(targetsOfFilter))
    view.filters = await restoreHiddenTargets(space, columns, before.filters, view.filters)
  }
  const changed = { ...row, ...toViewRow(view) }
  await updateRow(space.tx, changed)
  await space.markChanged(collection.block.document)
  return loadViewAnswer(space, collection, changed, isActive)
}

/**
 * Deletes a view. If it was the active one, the first remaining view becomes active.
 *
 * @throws NOT_FOUND_ERROR if the view does not exist; VALIDATION_ERROR if it is the last one
 */
export async function deleteView(space: Space, collectionId: AnyId, viewId: AnyId) {
  const collection = await findCollection(space, collectionId)
  const rows = await collectionViews(space.tx, collection.n)
  const row = findViewRow(rows, viewId)
  if (rows.length === 1) {
    throw invalid(
      `Expected a view that is not the last of its collection, found ${viewId}, which is; add another with views_add first, or change this one with views_update.`,
    )
  }
  const left = rows.filter((one) => one !== row)
  const active = activeView(collection, rows)
  const next = active === row ? left[0] : active
  if (active === row && next !== undefined) await setActiveView(space.tx, collection.n, next.n)
  await deleteRow(space.tx, row.n)
  await space.markChanged(collection.block.document)
  return { deletedViewId: space.spellId(row.id), ...(next && { activeViewId: space.spellId(next.id) }) }
}

/** @throws NOT_FOUND_ERROR if the view does not exist */
export async function activateView(space: Space, collectionId: AnyId, viewId: AnyId): Promise<ViewAnswer> {
  const collection = await findCollection(space, collectionId)
  const row = findViewRow(await collectionViews(space.tx, collection.n), viewId)
  await setActiveView(space.tx, collection.n, row.n)
  await space.markChanged(collection.block.document)
  return loadViewAnswer(space, collection, row, true)
}

/** Returns a view, normalized to the current schema. @throws NOT_FOUND_ERROR if no view has this ID */
export async function findView(space: Space, collection: Collection, viewId: AnyId): Promise<View> {
  const row = findViewRow(await collectionViews(space.tx, collection.n), viewId)
  return normalizeView(viewColumnsOf(collection), await visibleView(space, parseViewRow(row)))
}

/**
 * The filters of a view as they are stored: also those on properties and options that were deleted since.
 *
 * @throws NOT_FOUND_ERROR if no view has this ID
 */
export async function findViewFilters(space: Space, collection: Collection, viewId: AnyId): Promise<Filter[]> {
  const row = findViewRow(await collectionViews(space.tx, collection.n), viewId)
  return (await visibleView(space, parseViewRow(row))).filters
}

/** Returns the columns of a collection, title first. */
export function viewColumnsOf({ titleKey, titleName, properties }: Collection): ViewColumns {
  const title = { n: TITLE_COLUMN_NUMBER, key: titleKey, name: titleName, type: TITLE_COLUMN, options: [] } as const
  return new ViewColumns([title, ...withDependency(properties)])
}

/** Adds what says which items are done to the relation that says what they depend on. */
export function withDependency<Property extends PropertyRow & Column>(properties: readonly Property[]): Column[] {
  const relation = dependencyAmong(properties)
  const rule = relation && doneRule(relation)
  const column = properties.find(({ n }) => n === rule?.property)
  if (relation === undefined || rule === undefined || column === undefined) return [...properties]
  const [done] = normalizeFilter(new ViewColumns([column]), rule as Filter)
  if (done === undefined) return [...properties]
  return properties.map((one) => (one.n === relation.n ? { ...one, dependency: { done, column } } : one))
}

/** Returns the view that was made active, or the first view if that one was deleted. */
const activeView = (collection: Collection, rows: readonly ViewRow[]): ViewRow | undefined =>
  rows.find(({ n }) => n === collection.activeView) ?? rows[0]

function findViewRow(rows: readonly ViewRow[], viewId: AnyId): ViewRow {
  const row = rows.find(({ id }) => id === idNumber(viewId))
  if (row !== undefined) return row
  throw notFound(
    `Expected the ID of a view of this collection, found ${viewId}; read IDs with views_list and name one of those.`,
  )
}

/** The view with its texts as the connection may see them. */
async function visibleView(space: Space, view: View): Promise<View> {
  const visible = await visiblePlainText(space, stringsIn(view))
  return mapStrings(view, (text) => visible.text(text)) as View
}

function parseViewRow({ name, type, settings }: ViewRow): View {
  return { ...(JSON.parse(settings) as Omit<View, 'name' | 'type'>), name, type }
}

function toViewRow({ name, type, ...settings }: View): Pick<ViewRow, 'name' | 'type' | 'settings'> {
  return { name, type, settings: JSON.stringify(settings) }
}

const targetsOfFilter = ({ value }: Filter): number[] => (value && 'targets' in value ? value.targets : [])

/**
 * Adds to the new filters the targets out of reach that the old filters of the same property and kind have. A client
 * that cannot see those targets must not remove them.
 */
async function restoreHiddenTargets(
  space: Space,
  columns: ViewColumns,
  before: readonly Filter[],
  filters: readonly Filter[],
): Promise<Filter[]> {
  const reachable = await reachableFilterTargets(space, before)
  const left = [...before]
  return filters.map((filter) => {
    const same = left.findIndex(
      ({ property, filterType }) => property === filter.property && filterType === filter.filterType,
    )
    const [old] = same < 0 ? [] : left.splice(same, 1)
    const given = targetsOfFilter(filter)
    // A block link has only one target, so a given target replaces the hidden one.
    const isReplaced = given.length > 0 && columns.get(filter.property)?.type === 'blockLink'
    const hidden = old === undefined || isReplaced ? [] : targetsOfFilter(old).filter((id) => !reachable.has(id))
    return hidden.length === 0 ? filter : { ...filter, value: { targets: [...given, ...hidden] } }
  })
}

async function loadViewAnswer(
  space: Space,
  collection: Collection,
  row: ViewRow,
  isActive: boolean,
): Promise<ViewAnswer> {
  const columns = viewColumnsOf(collection)
  const view = normalizeView(columns, await visibleView(space, parseViewRow(row)))
  return describeView(
    columns,
    { id: space.spellId(row.id), isActive, view },
    await reachableFilterTargets(space, view.filters),
  )
}
