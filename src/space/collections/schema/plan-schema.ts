/**
 * Compares a schema from a client with the existing one and plans the changes. The plan is fully checked; nothing is
 * written.
 */
import { OPTIONS_PER_PROPERTY, PROPERTIES_PER_COLLECTION } from '../../../base/limits.ts'
import { ratingMax } from '../../../base/ratings.ts'
import type { InputErrors } from '../../model/input-errors.ts'
import type { SeenSchema } from '../../model/seen-schemas.ts'
import type { Collection, Option, Property } from './find-collection.ts'
import { type PlannedFields, planFields } from './plan-fields.ts'
import { asPlanned, type PlannedOption, planOptions, unseenOptions } from './plan-options.ts'
import { createKey, isSameWord, TITLE_KEY } from './property-keys.ts'
import type { TargetCollection } from './schema-answer.ts'
import type { PropertyInput, SchemaInput } from './schema-input.ts'
import { restoreName } from './visible-names.ts'

export interface PlannedProperty extends PlannedFields {
  path: string
  /** The existing property that this one continues. Undefined for a new property. */
  existing: Property | undefined
  key: string
  name: string
  options: readonly PlannedOption[]
}

export interface SchemaPlan {
  /** As the connection sees it. */
  name: string
  titleKey: string
  /** As it is to be stored, as are the names of properties and options. */
  titleName: string
  /** In the order of the schema. */
  properties: PlannedProperty[]
  removedProperties: Property[]
  removedOptions: Option[]
  /** A sentence about what stays although the input leaves it out, since the connection has not seen it. */
  unseen: readonly string[]
  /** Ratings that get fewer stars: by number of the property, the greatest value that it keeps. */
  loweredMaxima: ReadonlyMap<number, number>
}

/** Normalizes a name for storage: one line, without spaces around it. */
export const toSingleLine = (name: string): string => name.replace(/\s*[\r\n]\s*/g, ' ').trim()

/**
 * @param collection  the collection that has the schema; undefined if it is still to be created
 * @param targets  the collections within reach that its relations lead to, by number
 * @param errors  receives every error with its path. If there are any, the returned plan must not be used.
 * @param seen  what the connection has seen of the schema; undefined to replace all of it
 */
export function planSchema(
  input: SchemaInput,
  collection: Collection | undefined,
  targets: ReadonlyMap<number, TargetCollection>,
  errors: InputErrors,
  seen?: SeenSchema,
): SchemaPlan {
  const named = normalizeNames(input, collection, errors)
  const matches = matchProperties(named.properties, collection, errors)
  const taken = new Set([TITLE_KEY, named.titleKey])
  const stays = (existing: Property) => seen?.properties.has(existing.n) === false
  for (const existing of [...matches.values(), ...(collection?.properties ?? []).filter(stays)]) taken.add(existing.key)
  for (const { key } of collection === undefined ? named.properties : []) if (key !== undefined) taken.add(key)

  const properties = named.properties.map((property, index): PlannedProperty => {
    const path = `schema.properties[${index}]`
    const existing = matches.get(property)
    const key = existing?.key ?? property.key ?? createKey(property.name, taken)
    taken.add(key)
    const fields = planFields(property, existing, targets, path, errors)
    const options = planOptions(property, existing, path, errors)
    return { path, existing, key, name: restoreName(property.name, existing), ...fields, options }
  })
  const unseen = keepUnseen(named, properties, collection, seen, errors)
  const kept = new Set(properties.flatMap(({ existing }) => existing ?? []))
  const keptOptions = new Set(properties.flatMap(({ options }) => options.flatMap(({ existing }) => existing ?? [])))
  return {
    name: named.name,
    titleKey: named.titleKey,
    titleName: restoreName(
      named.titleName,
      collection && { name: collection.titleName, storedName: collection.storedTitleName },
    ),
    ...{ properties, unseen },
    removedProperties: (collection?.properties ?? []).filter((property) => !kept.has(property)),
    removedOptions: [...kept].flatMap(({ options }) => options.filter((option) => !keptOptions.has(option))),
    loweredMaxima: new Map(
      properties.flatMap(({ type, existing, config }): [number, number][] => {
        const max = ratingMax({ config })
        return type === 'rating' && existing !== undefined && max < ratingMax(existing) ? [[existing.n, max]] : []
      }),
    ),
  }
}

/**
 * Adds to the planned properties what the connection has not seen and so cannot have left out on purpose.
 *
 * @returns a description of what was added
 */
function keepUnseen(
  { titleName, properties: sent }: ReturnType<typeof normalizeNames>,
  planned: PlannedProperty[],
  collection: Collection | undefined,
  seen: SeenSchema | undefined,
  errors: InputErrors,
): string[] {
  if (collection === undefined || seen === undefined) return []
  const unseen: string[] = []
  for (const property of planned) {
    const { existing, options } = property
    const others = unseenOptions(options, existing, seen)
    if (others.length === 0) continue
    for (const { name, storedName } of others) {
      if (!options.some((option) => option.name === storedName)) continue
      errors.add(`${property.path}.options`, nameTaken(name, `option of ${property.key}`))
    }
    property.options = [...options, ...others.map(asPlanned)]
    if (property.options.length > OPTIONS_PER_PROPERTY) {
      errors.add(`${property.path}.options`, tooManyTogether(OPTIONS_PER_PROPERTY, 'options', property.options.length))
    }
    unseen.push(...others.map(({ name }) => `the option ${JSON.stringify(name)} of ${property.key}`))
  }
  const kept = new Set(planned.map(({ existing }) => existing))
  for (const existing of collection.properties) {
    if (kept.has(existing) || seen.properties.has(existing.n)) continue
    const { key, name, storedName, type, config, options } = existing
    const same = sent.findIndex((property) => property.name === name)
    if (same >= 0 || name === titleName) {
      const path = same < 0 ? 'schema.contentPropDetails.name' : `schema.properties[${same}].name`
      errors.add(path, nameTaken(name, `property ${key}`))
    }
    const path = `schema.properties[${planned.length}]`
    const fields = { name: storedName, type, config, dependsOn: undefined, targetCollectionId: undefined }
    planned.push({ path, existing, key, ...fields, options: options.map(asPlanned) })
    unseen.push(`the property ${key}`)
  }
  if (planned.length > PROPERTIES_PER_COLLECTION) {
    errors.add('schema.properties', tooManyTogether(PROPERTIES_PER_COLLECTION, 'properties', planned.length))
  }
  return unseen
}

const nameTaken = (name: string, of: string): string =>
  `Expected a name that is free, found ${JSON.stringify(name)}, which somebody has given to a new ${of} since this connection last read the schema; read it again, or give another name.`

const tooManyTogether = (most: number, noun: string, found: number): string =>
  `Expected at most ${most} ${noun} together with those that others have added since this connection last read the schema, found ${found}; read it again.`

/** Puts each name of the input on one line, and reports names that are empty or used twice. */
function normalizeNames(input: SchemaInput, collection: Collection | undefined, errors: InputErrors) {
  const name = toSingleLine(input.name)
  if (name === '') errors.add('schema.name', 'Expected a name, found none; give it.')
  const titleName = toSingleLine(input.contentPropDetails?.name ?? collection?.titleName ?? 'Title')
  const titlePath = 'schema.contentPropDetails'
  if (titleName === '') {
    errors.add(`${titlePath}.name`, 'Expected a name, found none; give it, or leave it out.')
  }
  const titleKey = collection?.titleKey ?? input.contentPropDetails?.key ?? createKey(titleName, new Set())
  validateTitleKey(input.contentPropDetails?.key, titleKey, titlePath, errors)

  const seen = new Set([titleName])
  const properties = input.properties.map((property, index): PropertyInput => {
    const path = `schema.properties[${index}].name`
    const name = toSingleLine(property.name)
    if (name === '') errors.add(path, 'Expected a name, found none; give it.')
    else if (seen.has(name)) {
      const other = name === titleName ? 'the title column' : 'another property'
      const message = `Expected each name once, found ${JSON.stringify(name)} on ${other} as well; give this one another name.`
      errors.add(path, message)
    }
    seen.add(name)
    return { ...property, name }
  })
  return { name, titleKey, titleName, properties }
}

function validateTitleKey(input: string | undefined, key: string, path: string, errors: InputErrors): void {
  if (input === undefined) return
  if (!isSameWord(input, key)) {
    const message = `Expected key ${key} of the title column, found ${JSON.stringify(input)}; keys never change, leave it out.`
    errors.add(`${path}.key`, message)
  } else if (!KEY_PATTERN.test(key)) errors.add(`${path}.key`, invalidKeyMessage(input))
}

export const KEY_PATTERN = /^[a-z0-9](?:[a-z0-9_]{0,70}[a-z0-9])?$/

const invalidKeyMessage = (key: string): string =>
  `Expected a key of letters a to z, digits and _, found ${JSON.stringify(key)}; leave it out, and it is made from the name.`

/** Matches the properties of an input with existing ones: by key, or, without a key, by name and type. */
function matchProperties(
  inputs: readonly PropertyInput[],
  collection: Collection | undefined,
  errors: InputErrors,
): Map<PropertyInput, Property> {
  const matches = new Map<PropertyInput, Property>()
  const seen = new Set<string>()
  for (const [index, input] of inputs.entries()) {
    if (input.key === undefined) continue
    const existing = findByKey(collection, input.key)
    const key = existing?.key ?? input.key
    const message = findKeyError(input, key, collection, seen)
    if (message !== undefined) errors.add(`schema.properties[${index}].key`, message)
    seen.add(key)
    if (existing !== undefined) matches.set(input, existing)
  }
  for (const input of inputs) {
    if (input.key !== undefined) continue
    const same = collection?.properties.find(
      ({ name, type, key }) => name === input.name && type === input.type && !seen.has(key),
    )
    if (same !== undefined) matches.set(input, same)
  }
  return matches
}

/** Finds the property with a key, which may be spelled in another way if it fits only one: `dueDate` for `due_date`. */
function findByKey(collection: Collection | undefined, key: string): Property | undefined {
  const exact = collection?.properties.find((property) => property.key === key)
  if (exact !== undefined) return exact
  const similar = collection?.properties.filter((property) => isSameWord(property.key, key)) ?? []
  return similar.length === 1 ? similar[0] : undefined
}

function findKeyError(
  input: PropertyInput,
  key: string,
  collection: Collection | undefined,
  seen: ReadonlySet<string>,
): string | undefined {
  const shown = JSON.stringify(key)
  if (seen.has(key)) return `Expected each key once, found ${shown} twice; leave it out on the new property.`
  if (collection === undefined) {
    if (key === TITLE_KEY) return `Expected a key other than ${shown}, which is that of titles; leave it out.`
    return KEY_PATTERN.test(key) ? undefined : invalidKeyMessage(key)
  }
  if (collection.properties.some((property) => property.key === key)) return undefined
  const renamed = collection.properties.find(({ name }) => name === input.name)
  if (renamed !== undefined) {
    return `Expected key ${renamed.key} of the property ${JSON.stringify(renamed.name)}, found ${shown}; keys never change, leave it as it is.`
  }
  const known = collection.properties.map((property) => property.key).join(', ') || 'it has none yet'
  return `Expected a key of this collection (${known}), found ${shown}; leave key out for a new property.`
}
