/** Writes a planned schema. Values refer to properties and options by number, so no item is touched. */
import { blocksByNumbers } from '../../../../storage/blocks.ts'
import {
  deleteOption,
  deleteProperty,
  insertOptions,
  insertProperty,
  setOtherSide,
  updateOption,
  updateProperty,
} from '../../../../storage/properties.ts'
import type { OptionRow, PropertyRow } from '../../../../storage/schema.ts'
import { deleteValueBatch } from '../../../../storage/values.ts'
import { invalid, invalidFields, ScriptoriumError } from '../../../base/errors.ts'
import { PROPERTIES_PER_COLLECTION } from '../../../base/limits.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../../base/scheduling.ts'
import type { Space } from '../../model/space.ts'
import { type Collection, canReachCollection, findCollection, loadCollection } from './find-collection.ts'
import type { PlannedProperty, SchemaPlan } from './plan-schema.ts'
import { createKey, TITLE_KEY } from './property-keys.ts'

/**
 * Make the properties and options of a collection those of a plan. What the plan leaves out is deleted with its values, and a new
 * relation gets its other side; one that has lost it stays without.
 *
 * @throws VALIDATION_ERROR for relations to collections that are not within reach or have no room for the other side
 */
export async function writeProperties(space: Space, collection: Collection, plan: SchemaPlan): Promise<void> {
  for await (const property of iterateCooperatively(plan.removedProperties)) await removeProperty(space, property)
  for await (const { n } of iterateCooperatively(plan.removedOptions)) {
    await deleteAllValues(space, 'option', n)
    await deleteOption(space.tx, n)
  }
  const relations: [PlannedProperty, PropertyRow][] = []
  for (const [position, planned] of plan.properties.entries()) {
    const row = await writeProperty(space, collection, planned, position)
    await writeOptions(space, row, planned)
    if (row.target !== null && planned.existing === undefined) relations.push([planned, row])
  }
  // Last, because the other side may be a property of this same collection.
  for (const [planned, row] of relations) {
    await withErrorPath(`${planned.path}.targetCollectionId`, () => addOtherSide(space, collection, plan, row))
  }
}

/**
 * Remove a property with its values, and with it the other side of a relation where the connection reaches that. Out of
 * reach the other side keeps its values, as a relation that has no other side.
 */
async function removeProperty(space: Space, { n, target, otherSide }: PropertyRow): Promise<void> {
  await deleteAllValues(space, 'property', n)
  if (otherSide !== null) {
    const isReached = target !== null && (await canReachCollection(space, target))
    if (isReached) await deleteAllValues(space, 'property', otherSide)
    // Rows that name a property are deleted along with it.
    else await setOtherSide(space.tx, otherSide, null)
  }
  await deleteProperty(space.tx, n)
}

/** Values that are deleted before other calls get their turn: some milliseconds. */
const VALUES_PER_BATCH = 1_000

async function deleteAllValues({ tx }: Space, column: 'property' | 'option', n: number): Promise<void> {
  while ((await deleteValueBatch(tx, column, n, VALUES_PER_BATCH)) === VALUES_PER_BATCH) await yieldToEventLoop()
}

async function writeProperty(
  space: Space,
  collection: Collection,
  { path, existing, key, name, type, config, targetCollectionId }: PlannedProperty,
  position: number,
): Promise<PropertyRow> {
  if (existing !== undefined) {
    const { options: _, ...row } = { ...existing, name, config, position }
    await updateProperty(space.tx, row)
    return row
  }
  const target =
    type !== 'relation'
      ? null
      : targetCollectionId === undefined
        ? collection.n
        : (await withErrorPath(`${path}.targetCollectionId`, () => findCollection(space, targetCollectionId))).n
  return insertProperty(space.tx, {
    ...{ collection: collection.n, key, name, type, position, config, target },
    ...{ otherSide: null, isBackReference: 0 },
  })
}

async function writeOptions(space: Space, { n: property }: PropertyRow, { options }: PlannedProperty): Promise<void> {
  const added: Omit<OptionRow, 'n'>[] = []
  for await (const [position, { existing, name, color }] of iterateCooperatively(options.entries())) {
    if (existing === undefined) added.push({ property, name, color, position })
    else if (existing.name !== name || existing.color !== color || existing.position !== position) {
      await updateOption(space.tx, { ...existing, name, color, position })
    }
  }
  await insertOptions(space.tx, added)
}

/** The property of the target that says the same from there: named after the collection, a number added when taken. */
async function addOtherSide(space: Space, collection: Collection, plan: SchemaPlan, side: PropertyRow): Promise<void> {
  const [target] = await blocksByNumbers(space.tx, side.target === null ? [] : [side.target])
  if (target === undefined) throw new Error(`Expected the collection of relation ${side.n}.`)
  const { properties, titleKey, titleName, name: targetName } = await loadCollection(space, target)
  if (properties.length >= PROPERTIES_PER_COLLECTION) {
    throw invalid(
      `Expected room for the other side of the relation in ${JSON.stringify(targetName)}, found ${PROPERTIES_PER_COLLECTION} properties there; take one away with schema_update first.`,
    )
  }
  const names = new Set([titleName, ...properties.map(({ name }) => name)])
  let name = plan.name
  for (let number = 2; names.has(name); number++) name = `${plan.name} ${number}`
  const key = createKey(name, new Set([TITLE_KEY, titleKey, ...properties.map(({ key }) => key)]))
  const other = await insertProperty(space.tx, {
    ...{ collection: target.n, key, name, type: 'relation', position: properties.length, config: null },
    ...{ target: collection.n, otherSide: side.n, isBackReference: 1 },
  })
  await setOtherSide(space.tx, side.n, other.n)
}

/** What `work` throws at the caller, as a fault at `path`. */
async function withErrorPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    throw invalidFields([{ path, message: error.message }])
  }
}
