/** Reads the property values of items, limited to what this connection may see. */
import { type MemberRow, membersByNumbers } from '../../../../storage/members.ts'
import { collectionOptions, collectionProperties } from '../../../../storage/properties.ts'
import type { BlockRow, PropertyRow } from '../../../../storage/schema.ts'
import { type ItemValueRow, itemValues } from '../../../../storage/values.ts'
import { iterateCooperatively } from '../../../base/scheduling.ts'
import { CHUNK_LENGTH } from '../../../markdown/inline-text.ts'
import { truncateTitle } from '../../../markdown/inline-title.ts'
import { mayNameBlocks, visibleMarkdown, visiblePlainText } from '../../model/block-links.ts'
import type { Space } from '../../model/space.ts'
import { dateAnswer } from './date-ranges.ts'
import { visibleNames } from './visible-names.ts'

/** Values by property key, in the order of the schema. Properties without a value are left out. */
export type ItemProperties = Record<string, unknown>

/** Property values as plain text. */
export type ItemTexts = readonly (readonly [key: string, text: string])[]

/** Gives access to the values of rows that were read. Rows that are not items have none. */
export class ItemValues {
  readonly #properties: ReadonlyMap<number, readonly PropertyRow[]>
  readonly #values: ReadonlyMap<number, readonly ItemValueRow[]>
  readonly #spell: (id: number) => string

  constructor(
    properties: ReadonlyMap<number, readonly PropertyRow[]>,
    values: ReadonlyMap<number, readonly ItemValueRow[]>,
    spell: (id: number) => string,
  ) {
    this.#properties = properties
    this.#values = values
    this.#spell = spell
  }

  /** Returns the properties of a collection, or of the collection that contains an item. */
  schemaOf(row: BlockRow): readonly PropertyRow[] {
    return this.#properties.get(row.type === 'collection' ? row.n : (row.parent ?? 0)) ?? []
  }

  /** Returns the values in the shape in which clients write them. */
  propertiesOf(row: BlockRow): ItemProperties {
    // Without a prototype, so that keys such as `constructor` have no inherited meaning.
    const result: ItemProperties = Object.create(null)
    for (const [property, values] of this.#valuesOf(row)) result[property.key] = this.#toJson(property, values)
    return result
  }

  /** Returns the values as text, as tags and tables show them. */
  textsOf(row: BlockRow): ItemTexts {
    return this.#valuesOf(row).map(([property, values]) => [property.key, this.#toText(property, values)] as const)
  }

  #valuesOf(row: BlockRow): [PropertyRow, ItemValueRow[]][] {
    const byProperty = Map.groupBy(this.#values.get(row.n) ?? [], ({ property }) => property)
    return this.schemaOf(row).flatMap((property): [PropertyRow, ItemValueRow[]][] => {
      const values = byProperty.get(property.n)
      return values === undefined ? [] : [[property, values]]
    })
  }

  #toJson({ type }: PropertyRow, values: readonly ItemValueRow[]): unknown {
    const [first] = values
    switch (type) {
      case 'number':
      case 'rating':
        return first?.number
      case 'boolean':
        return first?.number === 1
      case 'singleSelect':
        return first?.optionName ?? ''
      case 'multiSelect':
        return values.map(({ optionName }) => optionName)
      case 'person':
        return values.map((value) => ({ memberId: this.#targetOf(value), name: value.targetText ?? '' }))
      case 'relation':
        return { relations: values.map((value) => ({ blockId: this.#targetOf(value) })) }
      case 'blockLink':
        return { blockId: first && this.#targetOf(first) }
      case 'text':
      case 'phone':
      case 'url':
      case 'email':
        return first?.text
      case 'date':
        return dateAnswer(first?.text ?? '')
    }
  }

  #targetOf({ targetId }: ItemValueRow): string {
    return this.#spell(targetId ?? 0)
  }

  #toText({ type }: PropertyRow, values: readonly ItemValueRow[]): string {
    const [first] = values
    switch (type) {
      case 'number':
      case 'rating':
        return String(first?.number)
      case 'boolean':
        return String(first?.number === 1)
      case 'singleSelect':
      case 'multiSelect':
        return values.map(({ optionName }) => optionName).join(', ')
      case 'person':
        return values.map(({ targetText }) => targetText ?? '').join(', ')
      case 'relation':
      case 'blockLink':
        return values.map((value) => formatBlockLink(value, this.#targetOf(value))).join(', ')
      case 'text':
      case 'phone':
      case 'date':
      case 'url':
      case 'email':
        return first?.text ?? ''
    }
  }
}

/** How many characters of a block's text are shown in a link to it. */
const LINK_TEXT_LENGTH = 80

function formatBlockLink({ targetText }: ItemValueRow, target: string): string {
  const characters = Array.from(truncateTitle(targetText ?? '').replace(/\s+/g, ' '))
  const text =
    characters.length > LINK_TEXT_LENGTH ? `${characters.slice(0, LINK_TEXT_LENGTH).join('')}…` : characters.join('')
  return `[${withClosedBrackets(text)}](block://${target})`
}

/** A text in brackets, in which each bracket has its partner. */
const CLOSED = /\[[^[\]]*\]/g

/**
 * Brackets without a partner, and those in others, would end the text of a link. They are replaced, since a backslash
 * before them would be shown in tables.
 */
function withClosedBrackets(text: string): string {
  if (!text.includes('[') && !text.includes(']')) return text
  const open = (part: string) => part.replaceAll('[', '(').replaceAll(']', ')')
  const closed = Array.from(text.matchAll(CLOSED), ([found]) => found)
  return text
    .split(CLOSED)
    .flatMap((part, index) => [open(part), closed[index] ?? ''])
    .join('')
}

/** Reads the values of the items among these rows. Block links and relations to targets out of reach are left out. */
export async function readItemValues(space: Space, rows: readonly BlockRow[]): Promise<ItemValues> {
  const collections = new Set<number>()
  const items: number[] = []
  for (const { type, n, parent } of rows) {
    if (type === 'collection') collections.add(n)
    if (type !== 'collectionItem' || parent === null) continue
    collections.add(parent)
    items.push(n)
  }
  const properties = new Map<number, PropertyRow[]>()
  for await (const n of iterateCooperatively(collections)) properties.set(n, await collectionProperties(space.tx, n))
  const values =
    items.length === 0
      ? []
      : await maskValues(space, await itemValues(space.tx, items), [...properties.values()].flat())
  return new ItemValues(
    properties,
    Map.groupBy(values, ({ item }) => item),
    (id) => space.spellId(id),
  )
}

/** Limits the text of a block to a length that is still more than a link shows. */
const truncateText = (text: string): string => text.slice(0, CHUNK_LENGTH)

async function maskValues(
  space: Space,
  values: readonly ItemValueRow[],
  properties: readonly PropertyRow[],
): Promise<readonly ItemValueRow[]> {
  const types = new Map(properties.map(({ n, type }) => [n, type]))
  const targetDocuments = values.flatMap(({ targetDocument }) => targetDocument ?? [])
  const reachableDocuments = await space.reachableDocuments(targetDocuments)
  const reachableValues = values.filter(
    ({ targetDocument }) => targetDocument === null || reachableDocuments.has(targetDocument),
  )
  const members = await membersAmong(space, values, types)
  const visibleText = await visiblePlainText(
    space,
    reachableValues.flatMap(({ text }) => text ?? []),
  )
  const visibleTitle = await visibleMarkdown(
    space,
    reachableValues.flatMap(({ targetText }) => (targetText === null ? [] : truncateText(targetText))),
  )
  const optionName = await visibleOptions(space, reachableValues, properties)
  return reachableValues.map((value) => {
    const { text, targetText, property, option } = value
    if (option !== null) return { ...value, optionName: optionName(value) }
    if (types.get(property) === 'person') {
      const member = members.get(value.number ?? 0)
      return { ...value, targetId: member?.id ?? null, targetText: member?.name ?? null }
    }
    if (targetText !== null) return { ...value, targetText: visibleTitle(truncateText(targetText)) }
    if (text === null) return value
    return { ...value, text: visibleText.text(types.get(property) === 'url' ? visibleText.address(text) : text) }
  })
}

/** The members among these values, by number. A member who is a value within reach is known there. */
async function membersAmong(
  space: Space,
  values: readonly ItemValueRow[],
  types: ReadonlyMap<number, PropertyRow['type']>,
): Promise<ReadonlyMap<number, MemberRow>> {
  const ns = new Set(values.flatMap(({ property, number }) => (types.get(property) === 'person' ? (number ?? []) : [])))
  const rows = ns.size === 0 ? [] : await membersByNumbers(space.tx, [...ns], space.now)
  return new Map(rows.map((row) => [row.n, row]))
}

/** The names of the options among these values, as {@link visibleNames} of the whole collection. */
async function visibleOptions(
  space: Space,
  values: readonly ItemValueRow[],
  properties: readonly PropertyRow[],
): Promise<(value: ItemValueRow) => string | null> {
  const hidden = new Set(
    values.flatMap(({ optionName, property }) => (mayNameBlocks(space, optionName ?? '') ? property : [])),
  )
  if (hidden.size === 0) return ({ optionName }) => optionName
  const collections = new Set(properties.flatMap(({ n, collection }) => (hidden.has(n) ? collection : [])))
  const options = await collectionOptions(space.tx, ...collections)
  const visible = await visibleNames(space, [...Map.groupBy(options, ({ property }) => property).values()])
  const names = new Map(options.map((option) => [option.n, visible(option).name]))
  return ({ option, optionName }) => names.get(option ?? 0) ?? optionName
}
