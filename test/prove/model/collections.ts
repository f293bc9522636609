/** The model of collections_add and schema_update. */
import type { PropertyType } from '../../../storage/schema.ts'
import { goneProperty, setValues } from './gone.ts'
import { draft } from './texts.ts'
import { checkPosition, findTarget, insert, type Position } from './tree.ts'
import { type Collection, invalid, type Json, type Option, type Property, Refused, type World } from './world.ts'

interface OptionInput {
  name: string
  color?: string
  renamedFrom?: string
}

export interface PropertyInput {
  name: string
  type: string
  key?: string
  options?: OptionInput[]
  config?: Json
  targetCollectionId?: string
  isBackReference?: boolean
}

export interface SchemaInput {
  name: string
  properties: PropertyInput[]
  contentPropDetails?: { name: string }
}

const VALID_TYPES: Record<PropertyType, true> = {
  ...{ text: true, number: true, boolean: true, date: true, url: true, email: true, phone: true },
  ...{ singleSelect: true, multiSelect: true, relation: true, blockLink: true, rating: true, person: true },
}
const COLORS = ['yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink', 'red', 'gray']
const MOST_PROPERTIES = 20

export const colorInTurn = (place: number): string => COLORS[place % COLORS.length] ?? ''

export function addCollection(world: World, { schema, position }: { schema: SchemaInput; position: Position }): object {
  checkPosition(position)
  checkShape(schema)
  const titleName = schema.contentPropDetails?.name ?? 'Title'
  const plans = plan(schema, titleName, keyFor(titleName, new Set()))
  const target = findTarget(world, position)
  const [block] = insert(world, [draft('collection', schema.name)], target)
  if (block === undefined) throw new Error('Expected the block of a collection.')
  const collection: Collection = {
    ...{ block, titleName, titleKey: keyFor(titleName, new Set()), properties: [], views: [], active: undefined },
  }
  block.collection = collection
  world.journal.insert(world.collections, world.collections.length, collection)
  write(world, collection, plans, schema.name)
  world.seen.note(collection)
  return { collectionBlockId: block.id, name: schema.name, schema: showSchema(collection), ...target.landed }
}

interface Updating {
  collectionId: string
  schema: SchemaInput
}

export function updateSchema(world: World, { collectionId, schema }: Updating): object {
  checkShape(schema)
  const collection = findCollection(world, collectionId)
  const { block, properties, titleKey } = collection
  const titleName = schema.contentPropDetails?.name ?? collection.titleName
  const plans = plan(schema, titleName, titleKey, properties, world.seen.of(collection))
  const kept = new Set(plans.map(({ existing }) => existing))
  const gone = properties.filter((property) => !kept.has(property))
  const goneOptions = new Map<Property, Set<Option>>()
  for (const { existing, options } of plans) {
    const left = existing?.options.filter((option) => !options.some((one) => one.existing === option)) ?? []
    if (existing !== undefined && left.length > 0) goneOptions.set(existing, new Set(left))
  }
  let dropped = 0
  for (const { values } of block.children) {
    for (const property of gone) dropped += values.get(property)?.length ?? 0
    for (const [property, options] of goneOptions) {
      dropped += (values.get(property) ?? []).filter((value) => options.has(value as Option)).length
    }
  }
  world.touch(block)
  world.journal.set(block, 'text', schema.name)
  world.journal.set(collection, 'titleName', titleName)
  for (const property of gone) goneProperty(world, property)
  for (const [property, options] of goneOptions) {
    for (const item of block.children) {
      const left = (item.values.get(property) ?? []).filter((value) => !options.has(value as Option))
      if (item.values.has(property)) setValues(world, item, property, left)
    }
  }
  write(world, collection, plans, schema.name)
  world.seen.note(collection)
  return { collectionBlockId: block.id, schema: showSchema(collection), droppedValues: dropped || undefined }
}

export function findCollection(world: World, id: string): Collection {
  const { collection } = world.block(id)
  if (collection === undefined) throw invalid()
  return collection
}

function checkShape({ name, properties, contentPropDetails }: SchemaInput): void {
  if (name === '' || contentPropDetails?.name === '' || properties.length > MOST_PROPERTIES) throw invalid()
  for (const property of properties)
    if (property.name === '' || !Object.hasOwn(VALID_TYPES, property.type)) throw invalid()
}

interface Plan {
  input: Pick<PropertyInput, 'name' | 'type' | 'config' | 'targetCollectionId'>
  existing: Property | undefined
  key: string
  options: { existing: Option | undefined; name: string; color: string }[]
}

/** @param seen  what the caller has seen of it; undefined to replace all of it */
function plan(
  schema: SchemaInput,
  titleName: string,
  titleKey: string,
  before: readonly Property[] = [],
  seen?: ReadonlySet<Property | Option>,
): Plan[] {
  const names = [titleName, ...schema.properties.map(({ name }) => name)]
  const keys = schema.properties.flatMap(({ key }) => key ?? [])
  if (new Set(names).size < names.length || new Set(keys).size < keys.length) throw invalid()
  const matches = schema.properties.map((input) => {
    const { key, name, type } = input
    if (key === undefined)
      return before.find((one) => one.name === name && one.type === type && !keys.includes(one.key))
    const found = before.find((one) => one.key === key)
    if (found === undefined) throw invalid()
    return found
  })
  const unseen = before.filter((one) => seen?.has(one) === false && !matches.includes(one))
  const taken = new Set(['title', titleKey, ...[...matches, ...unseen].flatMap((one) => one?.key ?? [])])
  const plans = schema.properties.map((input, index): Plan => {
    const existing = matches[index]
    const key = existing?.key ?? keyFor(input.name, taken)
    taken.add(key)
    checkFields(input, existing)
    return { input, existing, key, options: planOptions(input, existing, seen) }
  })
  if (unseen.some(({ name }) => names.includes(name)) || plans.length + unseen.length > MOST_PROPERTIES) throw invalid()
  return [...plans, ...unseen.map(asItIs)]
}

const asItIs = (existing: Property): Plan => {
  const { key, name, type, options } = existing
  return { ...{ existing, key }, input: { name, type }, options: options.map(optionAsItIs) }
}

const optionAsItIs = (option: Option) => ({ existing: option, ...option })

function checkFields(
  { type, options, config, targetCollectionId, isBackReference }: PropertyInput,
  existing?: Property,
) {
  const isSelect = type === 'singleSelect' || type === 'multiSelect'
  if ((options !== undefined && !isSelect) || (config !== undefined && type !== 'number')) throw invalid()
  if (type !== 'relation' && (targetCollectionId !== undefined || isBackReference !== undefined)) throw invalid()
  if (existing === undefined) {
    if (isBackReference) throw invalid()
    return
  }
  const isElsewhere = targetCollectionId !== undefined && targetCollectionId !== existing.target?.block.id.value
  if (existing.type !== type || isElsewhere) throw invalid()
}

function planOptions(
  { type, options }: PropertyInput,
  existing?: Property,
  seen?: ReadonlySet<Property | Option>,
): Plan['options'] {
  if (type !== 'singleSelect' && type !== 'multiSelect') return []
  const before = existing?.options ?? []
  if (options === undefined) return before.map(optionAsItIs)
  const sources = options.map(({ renamedFrom }) => renamedFrom)
  const planned = options.map(({ name, color, renamedFrom }, index) => {
    if (name === '') throw invalid()
    const source = renamedFrom ?? (sources.includes(name) ? undefined : name)
    const found = before.find((option) => option.name === source)
    if (renamedFrom !== undefined && found === undefined) throw invalid()
    return { existing: found, name, color: color ?? found?.color ?? colorInTurn(index) }
  })
  const found = planned.flatMap((option) => option.existing ?? [])
  const isTwice = new Set(planned.map(({ name }) => name)).size < planned.length || new Set(found).size < found.length
  if (isTwice) throw invalid()
  const unseen = before.filter((option) => seen?.has(option) === false && !found.includes(option))
  if (unseen.some(({ name }) => planned.some((one) => one.name === name))) throw invalid()
  return [...planned, ...unseen.map(optionAsItIs)]
}

function write(world: World, collection: Collection, plans: readonly Plan[], name: string): void {
  const { journal } = world
  const added: Property[] = []
  for (const [position, { input, existing, key, options }] of plans.entries()) {
    const property = existing ?? newProperty(world, collection, { ...input, key })
    if (property.isGone) continue
    if (existing === undefined) added.push(property)
    journal.set(property, 'name', input.name)
    // A format that is left out stays.
    journal.set(property, 'config', input.config ?? existing?.config)
    journal.set(property, 'position', position)
    const kept = options.map(({ existing, name, color }): Option => {
      const found = existing ?? { name, color }
      journal.set(found, 'name', name)
      journal.set(found, 'color', color)
      return found
    })
    journal.set(property, 'options', kept)
  }
  inOrder(world, collection)
  for (const property of added) if (property.target !== undefined) addOtherSide(world, collection, property, name)
}

function newProperty(world: World, collection: Collection, input: PropertyInput & { key: string }): Property {
  world.journal.set(world, 'made', world.made + 1)
  const { key, name, type, targetCollectionId } = input
  const property: Property = {
    ...{ key, name, type, position: 0, made: world.made, config: undefined, options: [], collection, isGone: false },
    ...{ target: undefined, otherSide: undefined, isBackReference: false },
  }
  if (type === 'relation') property.target = targetCollectionId ? target(world, targetCollectionId) : collection
  world.journal.insert(collection.properties, collection.properties.length, property)
  return property
}

/** Finds the target of a relation. A missing target is an invalid schema. */
function target(world: World, id: string): Collection {
  try {
    return findCollection(world, id)
  } catch (error) {
    throw error instanceof Refused ? invalid() : error
  }
}

/** Adds the reverse property to the target collection. */
function addOtherSide(world: World, collection: Collection, side: Property, collectionName: string): void {
  const { target } = side
  if (target === undefined || target.properties.length >= MOST_PROPERTIES) throw invalid()
  const names = new Set([target.titleName, ...target.properties.map(({ name }) => name)])
  let name = collectionName
  for (let number = 2; names.has(name); number++) name = `${collectionName} ${number}`
  const key = keyFor(name, new Set(['title', target.titleKey, ...target.properties.map((one) => one.key)]))
  const position = target.properties.length
  const other = newProperty(world, target, { name, key, type: 'text' })
  Object.assign(other, { type: 'relation', target: collection, otherSide: side, position, isBackReference: true })
  side.otherSide = other
  inOrder(world, target)
  world.seen.noteAdded(target, other)
}

function inOrder(world: World, collection: Collection): void {
  const sorted = collection.properties.toSorted((one, other) => one.position - other.position || one.made - other.made)
  world.journal.set(collection, 'properties', sorted)
}

/** Derives a unique key from a name, which consists of plain words. */
function keyFor(name: string, taken: ReadonlySet<string>): string {
  const key = name.toLowerCase().replaceAll(' ', '_')
  if (!taken.has(key)) return key
  let number = 2
  while (taken.has(`${key}_${number}`)) number++
  return `${key}_${number}`
}

export function showSchema({ block, titleKey, titleName, properties }: Collection): Json {
  return {
    key: keyFor(block.text, new Set()),
    name: block.text,
    contentPropDetails: { key: titleKey, name: titleName },
    properties: properties.map(({ key, name, type, config, options, target, isBackReference }) => ({
      ...{ key, name, type, config },
      options: type.endsWith('Select') ? options.map(({ name, color }) => ({ name, color })) : undefined,
      targetCollectionId: target?.block.id,
      isBackReference: isBackReference || undefined,
    })),
  }
}
