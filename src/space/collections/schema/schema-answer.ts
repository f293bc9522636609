/** Formats schemas for responses, in the shape in which clients write them. */

import { blocksByNumbers } from '../../../../storage/blocks.ts'
import { iterateCooperatively } from '../../../base/scheduling.ts'
import { doneRule } from '../../model/dependencies.ts'
import { hasOptions } from '../../model/property-traits.ts'
import type { Space } from '../../model/space.ts'
import type { Collection, Property } from './find-collection.ts'
import { filteredOptions } from './option-names.ts'
import { createKey } from './property-keys.ts'
import type { NUMBER_FORMATS, OPTION_COLORS } from './schema-input.ts'

type OptionColor = (typeof OPTION_COLORS)[number]

export interface PropertyAnswer {
  key: string
  name: string
  type: Property['type']
  config?: {
    format?: (typeof NUMBER_FORMATS)[number]
    currency?: string
    max?: number
    dependsOn?: { done: DoneAnswer }
  }
  options?: { name: string; color: OptionColor }[]
  /** Left out if the target collection is out of reach. */
  targetCollectionId?: string
  isBackReference?: true
}

/** The filter that says which items are done, as it is written. */
export interface DoneAnswer {
  property: string
  filterType: string
  filterValue?: string | string[] | number | boolean
}

export interface SchemaAnswer {
  key: string
  name: string
  contentPropDetails: { key: string; name: string }
  properties: PropertyAnswer[]
}

/** The schema for an answer, after which the connection has seen it: see {@link Space.seenSchemas}. */
export async function showSchema(space: Space, collection: Collection): Promise<SchemaAnswer> {
  return (await showSchemas(space, [collection]))[0] as SchemaAnswer
}

/** The same for several collections, in their order. */
export async function showSchemas(space: Space, collections: readonly Collection[]): Promise<SchemaAnswer[]> {
  const targets = await reachableTargets(space, ...collections)
  const answers: SchemaAnswer[] = []
  for await (const collection of iterateCooperatively(collections)) {
    noteSeen(space, collection)
    space.seenRows.show([collection.block.id])
    answers.push(describeSchema(collection, targets))
  }
  return answers
}

/** Notes that the connection has seen all properties and options of a collection. */
export function noteSeen(space: Space, { n, properties }: Collection): void {
  const options = new Set(properties.flatMap((property) => property.options.map((option) => option.n)))
  space.seenSchemas.note(space.link, n, { properties: new Set(properties.map((property) => property.n)), options })
}

/** The schema as answers have it, without noting that the connection has seen it. */
export const schemaAnswer = async (space: Space, collection: Collection): Promise<SchemaAnswer> =>
  describeSchema(collection, await reachableTargets(space, collection))

function describeSchema(collection: Collection, targets: ReadonlyMap<number, TargetCollection>): SchemaAnswer {
  return {
    key: createKey(collection.name, new Set()),
    name: collection.name,
    contentPropDetails: { key: collection.titleKey, name: collection.titleName },
    properties: collection.properties.map((property) => propertyAnswer(collection, property, targets)),
  }
}

function propertyAnswer(
  collection: Collection,
  property: Property,
  targets: ReadonlyMap<number, TargetCollection>,
): PropertyAnswer {
  const { key, name, type, config, options, target, isBackReference } = property
  const answer: PropertyAnswer = { key, name, type }
  const done = doneAnswer(collection, property)
  if (done !== undefined) answer.config = { dependsOn: { done } }
  else if (config !== null && type !== 'relation') answer.config = JSON.parse(config)
  if (hasOptions(property)) {
    answer.options = options.map(({ name, color }) => ({ name, color: color as OptionColor }))
  }
  const targetId = target === null ? undefined : targets.get(target)?.spelled
  if (targetId !== undefined) answer.targetCollectionId = targetId
  if (isBackReference === 1) answer.isBackReference = true
  return answer
}

/** The target of a relation: the ID of the collection, and that ID as it is spelled for this connection. */
export interface TargetCollection {
  id: number
  spelled: string
}

/** Returns the collections within reach that relations lead to, by number. */
export async function reachableTargets(
  space: Space,
  ...collections: readonly Collection[]
): Promise<Map<number, TargetCollection>> {
  const targets = collections.flatMap(({ properties }) => properties.flatMap(({ target }) => target ?? []))
  const numbers = [...new Set(targets)]
  if (numbers.length === 0) return new Map()
  const rows = await blocksByNumbers(space.tx, numbers)
  const within = await space.findReachableBlocks(rows.map(({ id }) => id))
  return new Map(within.map(({ n, id }) => [n, { id, spelled: space.spellId(id) }]))
}

/** The rule of a relation that says what its items depend on; undefined for all other properties. */
export function doneAnswer({ properties }: Collection, relation: Property): DoneAnswer | undefined {
  const rule = doneRule(relation)
  const column = properties.find(({ n }) => n === rule?.property)
  if (rule === undefined || column === undefined) return undefined
  const { filterType, value } = rule
  const answer: DoneAnswer = { property: column.key, filterType }
  if (value === undefined) return answer
  if ('flag' in value) answer.filterValue = value.flag
  else if ('number' in value) answer.filterValue = value.number
  else if ('date' in value) answer.filterValue = value.date
  else {
    const options = value.options.filter((option) => column.options.some(({ n }) => n === option))
    answer.filterValue = filteredOptions(column, filterType, options)
  }
  return answer
}

/** The same as text, for lists and messages. */
export const describeDone = ({ property, filterType, filterValue }: DoneAnswer): string =>
  [property, filterType, ...[filterValue ?? []].flat().map((value) => JSON.stringify(value))].join(' ')
