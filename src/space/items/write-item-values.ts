/** Writes the values of many items at once, and the other sides of their relations. */

import { insertNumberedOptions, nextOptionNumber } from '../../../storage/properties.ts'
import type { BlockRow, OptionRow, ValueRow } from '../../../storage/schema.ts'
import { deleteValues, insertValues, itemValues, syncOtherSide } from '../../../storage/values.ts'
import { invalidFields } from '../../base/errors.ts'
import { OPTIONS_PER_PROPERTY } from '../../base/limits.ts'
import { iterateCooperatively, timeSliceExpired, yieldNow } from '../../base/scheduling.ts'
import { OUT_OF_SCOPE_ADDRESS } from '../../markdown/addresses.ts'
import { restorePlainLinks } from '../../markdown/text-addresses.ts'
import type { Collection, Property } from '../collections/schema/find-collection.ts'
import { defaultOptionColor } from '../collections/schema/plan-options.ts'
import type { PropertyValue } from '../collections/schema/property-values.ts'
import { findReferencedMembers, unknownMember } from '../members/member-references.ts'
import { InputErrors } from '../model/input-errors.ts'
import { refersToBlocks } from '../model/property-traits.ts'
import type { Space } from '../model/space.ts'
import { assertNoCycles } from './assert-no-cycles.ts'
import type { ItemEntry } from './item-input.ts'

/** The new values of one item. */
export interface ItemEntries {
  item: BlockRow
  entries: readonly ItemEntry[]
}

/** What values refer to, by the text with which the client named it: blocks, and the numbers of members. */
export interface ValueTargets {
  blocks: ReadonlyMap<string, BlockRow>
  members: ReadonlyMap<string, number>
}

/**
 * Finds the blocks and members that these values refer to.
 *
 * @throws VALIDATION_ERROR with the path of every value whose block does not exist within reach or is not an item of the
 *   related collection, and of every value that names no member whom the connection knows
 */
export async function resolveTargets(space: Space, entries: readonly ItemEntry[]): Promise<ValueTargets> {
  const errors = new InputErrors()
  const targets = {
    blocks: await resolveBlocks(space, entries, errors),
    members: await resolveMembers(space, entries, errors),
  }
  errors.throwIfAny()
  return targets
}

async function resolveMembers(
  space: Space,
  entries: readonly ItemEntry[],
  errors: InputErrors,
): Promise<ReadonlyMap<string, number>> {
  const named = entries.flatMap(({ values, path }) =>
    values.flatMap((value) => ('member' in value ? [{ path, reference: value.member }] : [])),
  )
  const found = await findReferencedMembers(
    space,
    named.map(({ reference }) => reference),
  )
  for (const { path, reference } of named) if (!found.has(reference)) errors.add(path, unknownMember(reference))
  return new Map([...found].map(([reference, { n }]) => [reference, n]))
}

async function resolveBlocks(
  space: Space,
  entries: readonly ItemEntry[],
  errors: InputErrors,
): Promise<ReadonlyMap<string, BlockRow>> {
  const ids = new Set<string>()
  for (const { values } of entries) for (const value of values) if ('block' in value) ids.add(value.block)
  if (ids.size === 0) return new Map()
  const numbers = await space.readIds(ids)
  const rows = new Map((await space.findReachableBlocks([...numbers.values()])).map((row) => [row.id, row]))
  const found = new Map<string, BlockRow>()
  for (const [text, id] of numbers) {
    const row = rows.get(id)
    if (row !== undefined) found.set(text, row)
  }
  for await (const { property, values, path } of iterateCooperatively(entries)) {
    if (errors.hasTooMany) break
    for (const value of values) {
      if (!('block' in value)) continue
      const row = found.get(value.block)
      if (property.type !== 'relation') {
        if (row !== undefined) continue
        const message = `Expected the ID of a block within reach, found ${value.block}, which does not exist; read IDs with blocks_get.`
        errors.add(path, message)
      } else if (row?.type !== 'collectionItem' || row.parent !== property.target) {
        const message = `Expected the ID of an item of the related collection, found ${value.block}, which does not exist there; read IDs with items_list.`
        errors.add(path, message)
      }
    }
  }
  return found
}

/**
 * Writes the given values of items. Values of other properties stay the same. Options that a property does not have are
 * added to it.
 *
 * @param areNew  true if the items have no values yet
 */
export async function writeItemValues(
  space: Space,
  collection: Collection,
  items: readonly ItemEntries[],
  targets: ValueTargets,
  areNew: boolean,
): Promise<void> {
  const hiddenByItem = areNew ? new Map<string, number[]>() : await readHiddenTargets(space, items)
  const previousTexts = areNew ? new Map<string, string>() : await readPreviousTexts(space, items)
  if (!areNew) await deleteValues(space.tx, itemPropertyPairs(items))
  const options = new OptionRegistry(space, collection)
  const rows: ValueRow[] = []
  for await (const { item, entries } of iterateCooperatively(items)) {
    for (const { property, values, path } of entries) {
      let ordinal = 0
      const add = (value: Partial<ValueRow>) =>
        rows.push({
          ...{ item: item.n, property: property.n, ordinal: ordinal++ },
          ...{ text: null, number: null, option: null, target: null, ...value },
        })
      for (const value of withoutRepeatedMembers(values, targets)) {
        const before = previousTexts.get(`${item.n} ${property.n}`)
        const restored =
          'text' in value && before !== undefined ? { text: restorePlainLinks(value.text, before) } : value
        add(await toValueColumns(restored, { property, path, options, targets }))
        if (timeSliceExpired()) await yieldNow()
      }
      for (const target of hiddenByItem.get(`${item.n} ${property.n}`) ?? []) add({ target })
    }
  }
  await options.write()
  await insertValues(space.tx, rows)
  await syncRelations(space, items, targets)
  await assertNoCycles(space, collection, items)
}

interface ValueContext {
  property: Property
  path: string
  options: OptionRegistry
  targets: ValueTargets
}

async function toValueColumns(
  value: PropertyValue,
  { property, path, options, targets }: ValueContext,
): Promise<Partial<ValueRow>> {
  if ('option' in value) return { option: await options.getOrCreateOption(property, value.option, path) }
  if ('member' in value) return { number: memberNumber(targets, value.member) }
  if (!('block' in value)) return value
  const target = targets.blocks.get(value.block)
  if (target === undefined) throw new Error(`Expected block ${value.block} among those found.`)
  return { target: target.n }
}

/** Several texts may name the same member. */
function withoutRepeatedMembers(values: readonly PropertyValue[], targets: ValueTargets): readonly PropertyValue[] {
  const named = new Set<number>()
  return values.filter((value) => {
    if (!('member' in value)) return true
    const n = memberNumber(targets, value.member)
    return !named.has(n) && named.add(n)
  })
}

function memberNumber({ members }: ValueTargets, reference: string): number {
  const n = members.get(reference)
  if (n === undefined) throw new Error(`Expected the member ${reference} among those found.`)
  return n
}

const itemPropertyPairs = (items: readonly ItemEntries[]): [item: number, property: number][] =>
  items.flatMap(({ item, entries }) => entries.map(({ property }): [number, number] => [item.n, property.n]))

/** The options of a collection by name, including those that this call adds. */
class OptionRegistry {
  readonly #space: Space
  readonly #numbers = new Map<number, Map<string, number>>()
  readonly #added: OptionRow[] = []
  #next: number | undefined

  constructor(space: Space, { properties }: Collection) {
    this.#space = space
    for (const { n, options } of properties) this.#numbers.set(n, new Map(options.map(({ name, n }) => [name, n])))
  }

  /** @throws VALIDATION_ERROR with the path if the property would exceed the maximum number of options */
  async getOrCreateOption(property: Property, name: string, path: string): Promise<number> {
    const numbers = this.#numbers.get(property.n)
    const known = numbers?.get(name)
    if (known !== undefined) return known
    const position = numbers?.size ?? 0
    if (position >= OPTIONS_PER_PROPERTY) throw invalidFields([{ path, message: tooManyOptionsMessage(property) }])
    const color = defaultOptionColor(position)
    this.#next ??= await nextOptionNumber(this.#space.tx)
    const n = this.#next++
    this.#added.push({ n, property: property.n, name, color, position })
    numbers?.set(name, n)
    return n
  }

  /** Inserts the options that were created. */
  async write(): Promise<void> {
    if (this.#added.length > 0) await insertNumberedOptions(this.#space.tx, this.#added.splice(0))
  }
}

const tooManyOptionsMessage = ({ key }: Property): string =>
  `Expected at most ${OPTIONS_PER_PROPERTY} options of ${key}, found one more; leave it out, or schema_update leaves out others.`

/**
 * Reads the references out of reach in the properties that are about to be written, by item and property. They are
 * kept: a client that cannot see them must not remove them.
 */
async function readHiddenTargets(space: Space, items: readonly ItemEntries[]): Promise<Map<string, number[]>> {
  const hidden = new Map<string, number[]>()
  if (space.kind === 'full') return hidden
  const itemsWithReferences = items.filter(({ entries }) => entries.some(({ property }) => refersToBlocks(property)))
  if (itemsWithReferences.length === 0) return hidden
  const values = await itemValues(
    space.tx,
    itemsWithReferences.map(({ item }) => item.n),
  )
  const visible = new Map<number, boolean>()
  for (const { item, property, target, targetDocument } of values) {
    if (target === null || targetDocument === null) continue
    const isVisible = visible.get(targetDocument) ?? (await space.canReachDocument(targetDocument))
    visible.set(targetDocument, isVisible)
    if (isVisible) continue
    const key = `${item} ${property}`
    const targets = hidden.get(key)
    if (targets === undefined) hidden.set(key, [target])
    else targets.push(target)
  }
  return hidden
}

/**
 * Reads the current texts of items whose new texts contain the placeholder for a hidden address, by item and property.
 * The hidden addresses are restored from them.
 */
async function readPreviousTexts(space: Space, items: readonly ItemEntries[]): Promise<Map<string, string>> {
  const isMasked = (value: PropertyValue): boolean => 'text' in value && value.text.includes(OUT_OF_SCOPE_ADDRESS)
  const maskedItems = items.filter(({ entries }) => entries.some(({ values }) => values.some(isMasked)))
  const numbers = maskedItems.map(({ item }) => item.n)
  const values = numbers.length === 0 ? [] : await itemValues(space.tx, numbers)
  return new Map(
    values.flatMap(({ item, property, text }) => (text === null ? [] : [[`${item} ${property}`, text] as const])),
  )
}

async function syncRelations(space: Space, items: readonly ItemEntries[], targets: ValueTargets): Promise<void> {
  const byRelation = new Map<Property, number[]>()
  for (const { item, entries } of items) {
    for (const { property } of entries) {
      if (property.otherSide === null) continue
      const itemNumbers = byRelation.get(property)
      if (itemNumbers === undefined) byRelation.set(property, [item.n])
      else itemNumbers.push(item.n)
    }
  }
  for (const [{ n, otherSide }, itemNumbers] of byRelation) {
    if (otherSide !== null) await syncOtherSide(space.tx, itemNumbers, n, otherSide)
  }
  if (byRelation.size === 0) return
  const documents = new Set([...targets.blocks.values()].map(({ document }) => document))
  for await (const document of iterateCooperatively(documents)) await space.markChanged(document)
}
