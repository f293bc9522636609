/**
 * Writes imported collections: their schemas, and the values of their items. Relations are written later, once all
 * collections exist.
 */
import { isDeepStrictEqual } from 'node:util'
import { childBlocks } from '../../../storage/blocks.ts'
import { insertCollection } from '../../../storage/collections.ts'
import { dependenciesOf } from '../../../storage/dependencies.ts'
import { documentsByNumbers, setDocumentTimes } from '../../../storage/documents.ts'
import { moveImportedRevision } from '../../../storage/imports.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { moveSourceTextRevision } from '../../../storage/source-texts.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import {
  type Collection,
  findCollection,
  loadCollection,
  type Property,
} from '../collections/schema/find-collection.ts'
import { readItemValues } from '../collections/schema/item-values.ts'
import { planSchema } from '../collections/schema/plan-schema.ts'
import { schemaAnswer } from '../collections/schema/schema-answer.ts'
import type { PropertyInput } from '../collections/schema/schema-input.ts'
import { updateSchema } from '../collections/update-schema.ts'
import { writeProperties } from '../collections/write-schema.ts'
import { parseItem } from '../items/item-input.ts'
import { updateItems } from '../items/update-items.ts'
import { type ItemEntries, resolveTargets, writeItemValues } from '../items/write-item-values.ts'
import { findReferencedMembers } from '../members/member-references.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import { visibleTitles } from '../model/block-links.ts'
import { updateRows } from '../model/block-writes.ts'
import { dependencyAmong, type Edge, edgesInCycles } from '../model/dependencies.ts'
import { GivenId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import type { ImportCollection, ImportContent, ImportRelation } from './imported-content.ts'
import type { WrittenRows } from './write-extras.ts'

/**
 * Writes the schemas of collections and the values of their items.
 *
 * @param isNew  true for blocks that were just created, so that they have no schema or values yet
 * @returns how many existing schemas and items changed
 */
export async function writeCollections(
  space: Space,
  { collections }: ImportContent,
  rows: WrittenRows,
  isNew: (row: BlockRow) => boolean,
): Promise<number> {
  let changed = 0
  for (const [block, read] of collections) {
    const row = rows.get(block)
    if (row === undefined) continue
    const given = await withoutUnknownPersons(space, read)
    if (isNew(row)) await addSchema(space, row, plainTitle(block.text), given)
    else if (await changeSchema(space, row, plainTitle(block.text), given)) changed++
    changed += await writeItems(space, await loadCollection(space, row), block.content ?? [], given, rows, isNew)
  }
  return changed
}

/** A property with names of people who are no members becomes one of several options, which keeps all names. */
async function withoutUnknownPersons(space: Space, given: ImportCollection): Promise<ImportCollection> {
  const persons = given.properties.filter(({ type }) => type === 'person')
  if (persons.length === 0) return given
  const namesOf = (name: string): string[] =>
    [...given.values.values()].flatMap((values) => [values[name] ?? []].flat().map(String))
  const found = await findReferencedMembers(
    space,
    persons.flatMap(({ name }) => namesOf(name)),
  )
  const properties = given.properties.map((property): PropertyInput => {
    if (property.type !== 'person' || namesOf(property.name).every((name) => found.has(name))) return property
    return { ...property, type: 'multiSelect', options: [] }
  })
  return { ...given, properties }
}

async function addSchema(space: Space, row: BlockRow, name: string, given: ImportCollection): Promise<void> {
  const { titleName, titleKey, properties } = given
  const errors = new InputErrors()
  const schema = { name, properties, contentPropDetails: { name: titleName, ...(titleKey && { key: titleKey }) } }
  const plan = planSchema(schema, undefined, new Map(), errors)
  errors.throwIfAny()
  await insertCollection(space.tx, { n: row.n, titleKey: plan.titleKey, titleName: plan.titleName, activeView: null })
  await writeProperties(space, await loadCollection(space, row), plan)
}

/**
 * Updates a schema. Properties that the source no longer has are removed. Relations are kept if the source has them, or
 * if they are the other side of a relation, which the source may define only in the other collection.
 */
async function changeSchema(space: Space, row: BlockRow, name: string, given: ImportCollection): Promise<boolean> {
  const { titleName, properties, relations } = given
  const before = await readSchema(space, row.id)
  const named = new Set(properties.map((property) => property.name))
  const sourced = properties.map(({ key: _, ...property }): PropertyInput => {
    const same = before.properties.find((one) => one.name === property.name && one.type === property.type)
    return same === undefined ? property : { ...same, ...property, key: same.key }
  })
  const kept = before.properties.filter(
    (property) =>
      property.type === 'relation' &&
      !named.has(property.name) &&
      (property.isBackReference || relations.includes(property.name)),
  )
  const placeOf = ({ key }: PropertyInput) => before.properties.findIndex((one) => one.key === key)
  const all = [...sourced, ...kept]
  // Existing properties keep their order; new ones follow.
  const ordered = [
    ...all.filter((one) => placeOf(one) >= 0).sort((one, other) => placeOf(one) - placeOf(other)),
    ...all.filter((one) => placeOf(one) < 0),
  ]
  const contentPropDetails = { name: titleName, key: before.contentPropDetails.key }
  const schema = { name, properties: ordered, contentPropDetails }
  if (isDeepStrictEqual(schema, { name, properties: before.properties, contentPropDetails: before.contentPropDetails }))
    return false
  await updateSchema(space, row.id, schema)
  return true
}

async function writeItems(
  space: Space,
  collection: Collection,
  items: readonly Block[],
  { properties, values }: ImportCollection,
  rows: WrittenRows,
  isNew: (row: BlockRow) => boolean,
): Promise<number> {
  const errors = new InputErrors()
  const keys = new Map(collection.properties.map(({ name, key }) => [name, key]))
  const written = items.flatMap((item) => rows.get(item) ?? [])
  const read = await readItemValues(
    space,
    written.filter((row) => !isNew(row)),
  )
  const [added, changed]: [ItemEntries[], ItemEntries[]] = [[], []]
  for await (const item of iterateCooperatively(items)) {
    const [row, given] = [rows.get(item), values.get(item)]
    if (row === undefined || given === undefined) continue
    const input = Object.fromEntries(Object.entries(given).map(([name, value]) => [keys.get(name) ?? name, value]))
    if (!isNew(row)) {
      const before = read.propertiesOf(row)
      for (const { name } of properties) {
        const key = keys.get(name) ?? name
        if (input[key] === undefined && before[key] !== undefined) input[key] = null
        else if (isDeepStrictEqual(input[key], before[key])) delete input[key]
      }
    }
    const path = plainTitle(item.text)
    const rules = { allowsNewOptions: true, calendar: space }
    const { entries } = parseItem(collection, { properties: input }, path, errors, rules)
    if (entries.length > 0) (isNew(row) ? added : changed).push({ item: row, entries })
  }
  errors.throwIfAny()
  for (const [list, areNew] of [[added, true] as const, [changed, false] as const]) {
    if (list.length === 0) continue
    const targets = await resolveTargets(
      space,
      list.flatMap(({ entries }) => entries),
    )
    await writeItemValues(space, await loadCollection(space, collection.block), list, targets, areNew)
  }
  for (const { item } of changed) Object.assign(item, { modifiedAt: space.now, modifiedBy: space.link.author })
  await updateRows(
    space,
    changed.map(({ item }) => item),
  )
  return changed.length
}

/** How many items one call updates. */
const ITEMS_PER_CALL = 500

/**
 * Writes the values of a relation, and creates the relation if the collection has none with this name. Also writes the
 * values of a property that links to blocks. Documents keep their times and do not count as edited since their import.
 *
 * @returns what was left out, in sentences
 * @throws VALIDATION_ERROR if one of the collections has no room for the relation
 */
export async function writeRelation(space: Space, relation: ImportRelation): Promise<string[]> {
  const { collection, target, name } = relation
  if (target === undefined) return preserveTimes(space, [collection], () => writeReferences(space, relation))
  const { properties } = await findCollection(space, collection)
  if (properties.some((property) => property.name === name && property.type === 'relation')) {
    return preserveTimes(space, [collection, target], () => writeReferences(space, relation))
  }
  return preserveTimes(space, [collection, target], () => addRelation(space, relation, target))
}

/**
 * Runs `work` on collections while their documents keep their times and the revisions recorded by the import stay
 * valid.
 */
export async function preserveTimes<T>(
  space: Space,
  collections: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const documents = new Set<number>()
  for (const id of collections) documents.add((await findCollection(space, id)).block.document)
  const before = await documentsByNumbers(space.tx, [...documents])
  const result = await work()
  const after = new Map((await documentsByNumbers(space.tx, [...documents])).map(({ n, revision }) => [n, revision]))
  for (const { n, createdAt, modifiedAt, revision } of before) {
    await setDocumentTimes(space.tx, n, { createdAt, modifiedAt })
    const moved = { document: n, before: revision, after: after.get(n) ?? revision }
    await moveImportedRevision(space.tx, moved)
    await moveSourceTextRevision(space.tx, moved)
  }
  return result
}

async function addRelation(space: Space, relation: ImportRelation, target: number): Promise<string[]> {
  const { collection, name, otherName } = relation
  const added: PropertyInput = { name, type: 'relation', targetCollectionId: new GivenId(String(target)) }
  const schema = await readSchema(space, collection)
  await updateSchema(space, collection, { ...schema, properties: [...schema.properties, added] })
  const property = (await findCollection(space, collection)).properties.find((one) => one.name === name)
  if (property === undefined) throw new Error(`Expected the relation ${name}.`)
  if (otherName !== undefined) await nameOtherSide(space, target, property.otherSide, otherName)
  const left = await markDependency(space, relation)
  return [...left, ...(await writeReferences(space, relation))]
}

/** Marks a relation as what its items depend on. A rule that does not fit the collection is left out. */
async function markDependency(space: Space, { collection, name, dependsOn }: ImportRelation): Promise<string[]> {
  if (dependsOn === undefined) return []
  const schema = await readSchema(space, collection)
  const properties = schema.properties.map((one) => (one.name === name ? { ...one, config: { dependsOn } } : one))
  try {
    await updateSchema(space, collection, { ...schema, properties })
    return []
  } catch (error) {
    if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
    return [`The items of ${name} do not depend on each other anymore: ${error.message}`]
  }
}

async function writeReferences(space: Space, relation: ImportRelation): Promise<string[]> {
  const { collection, name } = relation
  const found = await findCollection(space, collection)
  const property = found.properties.find((one) => one.name === name)
  if (property === undefined) throw new Error(`Expected the property ${name}.`)
  const { values, left } = await withoutCycles(space, found, property, relation.values)
  const toValue = (ids: readonly number[]) => {
    const blocks = ids.map((id) => ({ blockId: String(id) }))
    return property.type === 'relation' ? { relations: blocks } : blocks[0]
  }
  const items = (await childBlocks(space.tx, found.block)).filter(({ type }) => type === 'collectionItem')
  const read = await readItemValues(space, items)
  const all = items.flatMap((item) => {
    const ids = values.get(item.id) ?? []
    const value = ids.length === 0 ? null : toValue(ids)
    const before = read.propertiesOf(item)[property.key] ?? null
    return isDeepStrictEqual(value, before)
      ? []
      : [{ id: new GivenId(String(item.id)), properties: { [property.key]: value } }]
  })
  // Of several parts, the first could close a cycle with what the others are about to take away.
  const cleared = all.length > ITEMS_PER_CALL && dependencyAmong(found.properties) !== undefined ? all : []
  await updateInParts(
    space,
    collection,
    cleared.map(({ id }) => ({ id, properties: { [property.key]: null } })),
  )
  await updateInParts(space, collection, all)
  if (all.length > 0) await addAuditEntry(space, 'import', [String(collection)])
  return left
}

async function updateInParts(
  space: Space,
  collection: number,
  items: readonly { id: GivenId; properties: Record<string, unknown> }[],
): Promise<void> {
  for (let start = 0; start < items.length; start += ITEMS_PER_CALL) {
    await updateItems(space, {
      collectionId: collection,
      itemsToUpdate: items.slice(start, start + ITEMS_PER_CALL),
      allowNewSelectOptions: false,
      partial: false,
      answer: 'ids',
    })
  }
}

type References = ImportRelation['values']

/**
 * Leaves out references by which items would depend on themselves.
 *
 * @returns the others, and what was left out in sentences
 */
async function withoutCycles(
  space: Space,
  { block, properties }: Collection,
  property: Property,
  values: References,
): Promise<{ values: References; left: string[] }> {
  const relation = dependencyAmong(properties)
  const isMirror = property.n === relation?.otherSide
  if (relation === undefined || (property !== relation && !isMirror)) return { values, left: [] }
  const items = (await childBlocks(space.tx, block)).filter(({ type }) => type === 'collectionItem')
  const byId = new Map(items.map((row) => [row.id, row]))
  const edgeOf = (item: number, target: number): Edge => (isMirror ? [target, item] : [item, target])
  const added = [...values].flatMap(([id, targets]) => {
    const item = byId.get(id)?.n
    const numbers = targets.flatMap((one) => byId.get(one)?.n ?? [])
    return item === undefined ? [] : numbers.map((target) => edgeOf(item, target))
  })
  const numbers = items.map(({ n }) => n)
  const removed = (await dependenciesOf(space.tx, numbers, relation.n)).map(({ item, target }): Edge => [item, target])
  const { edges } = await edgesInCycles(space.tx, relation.n, { added, removed })
  if (edges.length === 0) return { values, left: [] }
  const closing = new Set(edges.map(String))
  const byNumber = new Map(items.map((row) => [row.n, row]))
  const titleOf = await visibleTitles(
    space,
    items.map(({ text }) => text),
  )
  const title = (n: number) => JSON.stringify(titleOf(byNumber.get(n)?.text ?? ''))
  const isKept = (id: number, one: number) => !closing.has(String(edgeOf(byId.get(id)?.n ?? 0, byId.get(one)?.n ?? 0)))
  return {
    values: new Map([...values].map(([id, targets]) => [id, targets.filter((one) => isKept(id, one))])),
    left: edges.map(
      ([item, target]) =>
        `${title(item)} does not depend on ${title(target)} by ${relation.name} anymore: the items would depend on themselves.`,
    ),
  }
}

/** Sorts the properties of a collection in the order of these names. Others follow. */
export async function arrangeProperties(space: Space, collection: number, names: readonly string[]): Promise<void> {
  const schema = await readSchema(space, collection)
  const placeOf = ({ name }: PropertyInput) => (names.includes(name) ? names.indexOf(name) : names.length)
  const properties = [...schema.properties].sort((one, other) => placeOf(one) - placeOf(other))
  if (properties.every((property, index) => property === schema.properties[index])) return
  await preserveTimes(space, [collection], () => updateSchema(space, collection, { ...schema, properties }))
}

type ReadSchema = { name: string; properties: PropertyInput[]; contentPropDetails: { name: string; key: string } }

/** Reads a schema in the shape in which it can be written. */
async function readSchema(space: Space, collection: number): Promise<ReadSchema> {
  const { name, properties, contentPropDetails } = await schemaAnswer(space, await findCollection(space, collection))
  const inputs = properties.map(
    ({ targetCollectionId, config, ...property }): PropertyInput => ({
      ...property,
      ...(config !== undefined && { config }),
      ...(targetCollectionId !== undefined && { targetCollectionId: new GivenId(targetCollectionId) }),
    }),
  )
  return { name, properties: inputs, contentPropDetails }
}

async function nameOtherSide(space: Space, target: number, otherSide: number | null, name: string): Promise<void> {
  const schema = await readSchema(space, target)
  const { properties } = await findCollection(space, target)
  const other = properties.find(({ n }) => n === otherSide)
  const isTaken = name === schema.contentPropDetails.name || properties.some((property) => property.name === name)
  if (other === undefined || isTaken) return
  const renamed = schema.properties.map((property) => (property.key === other.key ? { ...property, name } : property))
  await updateSchema(space, target, { ...schema, properties: renamed })
}
