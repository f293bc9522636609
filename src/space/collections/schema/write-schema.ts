/** Writes a planned schema. Values refer to properties and options by number, so no item is touched. */
import { isDeepStrictEqual } from 'node:util'
import { blocksByNumbers } from '../../../../storage/blocks.ts'
import {
  deleteOption,
  deleteProperty,
  insertOptions,
  insertProperties,
  setOtherSide,
  updateOptions,
  updateProperties,
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
  const rows = await writeRows(space, collection, plan.properties)
  await writeOptions(space, rows)
  // Last, because the other side may be a property of this same collection.
  for (const [{ path, existing }, row] of rows) {
    if (row.target === null || existing !== undefined) continue
    await withErrorPath(`${path}.targetCollectionId`, () => addOtherSide(space, collection, plan, row))
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

/** Properties as they are planned, with their rows, in their order. */
type WrittenProperties = ReadonlyMap<PlannedProperty, PropertyRow>

async function writeRows(
  space: Space,
  collection: Collection,
  properties: readonly PlannedProperty[],
): Promise<WrittenProperties> {
  const kept: [PlannedProperty, PropertyRow][] = []
  const changed: PropertyRow[] = []
  const added: [PlannedProperty, Omit<PropertyRow, 'n'>][] = []
  for (const [position, planned] of properties.entries()) {
    const { existing, key, name, type, config } = planned
    if (existing === undefined) {
      const target = await targetOf(space, collection, planned)
      const row = { collection: collection.n, key, name, type, position, config, target }
      added.push([planned, { ...row, otherSide: null, isBackReference: 0 }])
      continue
    }
    const { options: _, ...before } = existing
    const row = { ...before, name, config, position }
    kept.push([planned, row])
    if (!isDeepStrictEqual(row, before)) changed.push(row)
  }
  await updateProperties(space.tx, changed)
  const inserted = await insertProperties(
    space.tx,
    added.map(([, row]) => row),
  )
  const rows = new Map([
    ...kept,
    ...added.map(([planned], index) => [planned, inserted[index] as PropertyRow] as const),
  ])
  return new Map(properties.map((planned) => [planned, rows.get(planned) as PropertyRow]))
}

/** The collection that a relation leads to: its own where the plan names none. */
async function targetOf(
  space: Space,
  collection: Collection,
  { path, type, targetCollectionId }: PlannedProperty,
): Promise<number | null> {
  if (type !== 'relation') return null
  if (targetCollectionId === undefined) return collection.n
  return (await withErrorPath(`${path}.targetCollectionId`, () => findCollection(space, targetCollectionId))).n
}

async function writeOptions(space: Space, properties: WrittenProperties): Promise<void> {
  const added: Omit<OptionRow, 'n'>[] = []
  const changed: OptionRow[] = []
  for (const [{ options }, { n: property }] of properties) {
    for await (const [position, { existing, name, color }] of iterateCooperatively(options.entries())) {
      if (existing === undefined) added.push({ property, name, color, position })
      else if (existing.name !== name || existing.color !== color || existing.position !== position) {
        changed.push({ ...existing, name, color, position })
      }
    }
  }
  await updateOptions(space.tx, changed)
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
  const row = { collection: target.n, key, name, type: 'relation' as const, position: properties.length, config: null }
  const [other] = await insertProperties(space.tx, [
    { ...row, target: collection.n, otherSide: side.n, isBackReference: 1 },
  ])
  await setOtherSide(space.tx, side.n, other?.n ?? null)
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
