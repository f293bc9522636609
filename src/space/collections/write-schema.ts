/** Writes a planned schema. Values refer to properties and options by number, so items do not have to be changed. */
import { isDeepStrictEqual } from 'node:util'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import {
  deleteOption,
  deleteProperty,
  insertOptions,
  insertProperties,
  setOtherSide,
  updateOptions,
  updateProperties,
} from '../../../storage/properties.ts'
import type { OptionRow, PropertyRow } from '../../../storage/schema.ts'
import { deleteGreaterValueBatch, deleteValueBatch } from '../../../storage/values.ts'
import { invalid, invalidFields, ScriptoriumError } from '../../base/errors.ts'
import { PROPERTIES_PER_COLLECTION } from '../../base/limits.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { type Collection, canReachCollection, findCollection, loadCollection } from './schema/find-collection.ts'
import type { PlannedProperty, SchemaPlan } from './schema/plan-schema.ts'
import { createKey, TITLE_KEY } from './schema/property-keys.ts'
import { writeDependencies } from './write-dependencies.ts'

/**
 * Writes the properties and options of a plan. Properties and options that the plan leaves out are deleted with their
 * values. A new relation gets its other side; an existing one that has lost its other side does not get a new one.
 *
 * @throws VALIDATION_ERROR if the target collection of a relation is out of reach or has no room for the other side
 */
export async function writeProperties(space: Space, collection: Collection, plan: SchemaPlan): Promise<void> {
  for await (const property of iterateCooperatively(plan.removedProperties)) await removeProperty(space, property)
  for await (const { n } of iterateCooperatively(plan.removedOptions)) {
    await deleteAllValues(space, 'option', n)
    await deleteOption(space.tx, n)
  }
  for await (const [property, max] of iterateCooperatively(plan.loweredMaxima)) {
    await deleteBatches(() => deleteGreaterValueBatch(space.tx, property, max, VALUES_PER_BATCH))
  }
  const rows = await writeRows(space, collection, plan.properties)
  await writeOptions(space, rows)
  // This comes last, because the other side may be a property of this same collection.
  for (const [{ path, existing }, row] of rows) {
    if (row.target === null || existing !== undefined) continue
    await withErrorPath(`${path}.targetCollectionId`, () => addOtherSide(space, collection, plan, row))
  }
  await writeDependencies(space, collection, plan)
}

/**
 * Removes a property with its values, and the other side of a relation if that is within reach. If it is out of reach,
 * the other side keeps its values and becomes a relation without an other side.
 */
async function removeProperty(space: Space, { n, target, otherSide }: PropertyRow): Promise<void> {
  await deleteAllValues(space, 'property', n)
  if (otherSide !== null) {
    const isReached = target !== null && (await canReachCollection(space, target))
    if (isReached) await deleteAllValues(space, 'property', otherSide)
    // Clear the reference to this property, since deleting a property also deletes the rows that refer to it.
    else await setOtherSide(space.tx, otherSide, null)
  }
  await deleteProperty(space.tx, n)
}

/** How many values are deleted before yielding to other calls: a few milliseconds of work. */
const VALUES_PER_BATCH = 1_000

const deleteAllValues = ({ tx }: Space, column: 'property' | 'option', n: number): Promise<void> =>
  deleteBatches(() => deleteValueBatch(tx, column, n, VALUES_PER_BATCH))

async function deleteBatches(deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) === VALUES_PER_BATCH) await yieldToEventLoop()
}

/** Planned properties with their rows, in the order of the schema. */
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
    const { options: _, storedName, ...visible } = existing
    const before = { ...visible, name: storedName }
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

/** Returns the collection that a relation targets. If the plan names none, the relation targets its own collection. */
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
      else if (existing.storedName !== name || existing.color !== color || existing.position !== position) {
        const { storedName: _, ...row } = existing
        changed.push({ ...row, name, color, position })
      }
    }
  }
  await updateOptions(space.tx, changed)
  await insertOptions(space.tx, added)
}

/**
 * Adds the other side of a relation to the target collection. It gets the name of this collection, with a number if
 * that name is taken.
 */
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
  if (other !== undefined) space.seenSchemas.noteProperty(space.link, target.n, other.n)
}

/** Runs `work` and reports its errors as validation errors at `path`. */
async function withErrorPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    throw invalidFields([{ path, message: error.message }])
  }
}
