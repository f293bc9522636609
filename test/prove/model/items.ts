/** The model of items_add, items_update and items_delete. */
import { colorInTurn, findCollection } from './collections.ts'
import { type BlockInput, checkNewShape, drafts } from './fields.ts'
import { setValues } from './gone.ts'
import { draft, plain, read } from './texts.ts'
import { insert, remove, reword, titleOf } from './tree.ts'
import { itemValues } from './values.ts'
import {
  type Block,
  type Collection,
  invalid,
  type Json,
  missing,
  type Option,
  type Property,
  type World,
} from './world.ts'

interface ItemInput {
  title?: unknown
  properties?: Json
  markdown?: string
  content?: BlockInput[]
}

interface Adding {
  collectionId: string
  items: ItemInput[]
  allowNewSelectOptions?: boolean
  answer?: string
}

export function addItems(world: World, { collectionId, items, allowNewSelectOptions, answer }: Adding): object {
  if (items.length === 0) throw invalid()
  const contents = items.map(({ content, markdown }) => {
    content?.forEach(checkNewShape)
    if (content !== undefined && markdown !== undefined) throw invalid()
    return markdown ? read(markdown) : drafts(content ?? [])
  })
  const collection = findCollection(world, collectionId)
  const given = items.map((item) => readItem(world, collection, item, allowNewSelectOptions))
  if (given.some(({ title }) => title === undefined)) throw invalid()
  const wanted = given.map(({ title = '' }, index) => {
    return { ...draft('collectionItem', title), content: contents[index] ?? [] }
  })
  const added = insert(world, wanted, { parent: collection.block, at: 'end' })
  writeValues(
    world,
    added.map((item, index) => ({ item, entries: given[index]?.entries ?? [] })),
  )
  return { items: added.map((item) => (answer === 'ids' ? { id: item.id } : showItem(item))) }
}

interface Updating {
  collectionId: string
  itemsToUpdate: (ItemInput & { id: string })[]
  allowNewSelectOptions?: boolean
}

export function updateItems(world: World, { collectionId, itemsToUpdate, allowNewSelectOptions }: Updating): object {
  if (itemsToUpdate.length === 0) throw invalid()
  const collection = findCollection(world, collectionId)
  const found = itemsToUpdate.map(({ id }) => world.blocks.get(id))
  const isWrong = found.some((item) => item === undefined || item.parent !== collection.block)
  if (isWrong || new Set(found).size < found.length) throw invalid()
  const changes = itemsToUpdate.map((input, index) => {
    if (input.markdown !== undefined || input.content !== undefined) throw invalid()
    return { item: found[index] as Block, ...readItem(world, collection, input, allowNewSelectOptions) }
  })
  for (const { item, title } of changes) {
    world.touch(item)
    if (title !== undefined && title !== titleOf(item)) reword(world, item, title)
  }
  writeValues(world, changes)
  return { items: changes.map(({ item }) => showItem(item)) }
}

export function deleteItems(
  world: World,
  { collectionId, idsToDelete }: { collectionId: string; idsToDelete: string[] },
) {
  if (idsToDelete.length === 0) throw invalid()
  const collection = findCollection(world, collectionId)
  const items = [...new Set(idsToDelete)].map((id) => {
    const item = world.blocks.get(id)
    if (item === undefined || item.parent !== collection.block) throw missing()
    return item
  })
  remove(world, items)
  return { items: items.map(({ id }) => ({ id })) }
}

const showItem = (item: Block): Json => ({ id: item.id, title: plain(item.text), properties: itemValues(item) })

/** The items in the response of items_list. */
export const listItems = ({ block }: Collection): Json[] => block.children.map(showItem)

interface Entry {
  property: Property
  /** New options are represented by their names. */
  values: unknown[]
}

function readItem(world: World, collection: Collection, { title, properties = {} }: ItemInput, allowsNew = false) {
  if (title !== undefined && (typeof title !== 'string' || title === '')) throw invalid()
  const entries = Object.entries(properties).map(([key, given]): Entry => {
    const property = collection.properties.find((one) => one.key === key)
    if (property === undefined) throw invalid()
    return { property, values: given === null ? [] : valuesOf(world, property, given, allowsNew) }
  })
  return { title, entries }
}

const TEXTS: Record<string, RegExp> = {
  text: /^/,
  phone: /^/,
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)$|^\d{4}-(0[13-9]|1[0-2])-30$|^\d{4}-(0[13578]|1[02])-31$/,
  url: /^https:\/\/\S+$/,
  email: /^\w+@\w+\.\w+$/,
}

function valuesOf(world: World, property: Property, given: unknown, allowsNew: boolean): unknown[] {
  const { type } = property
  if (type === 'date' && typeof given === 'object') return [rangeOf(given as { start?: unknown; end?: unknown })]
  const pattern = TEXTS[type]
  if (pattern !== undefined) {
    if (typeof given !== 'string' || !pattern.test(given)) throw invalid()
    return given === '' ? [] : [given]
  }
  if (type === 'rating') {
    if (!Number.isInteger(given) || Number(given) < 1 || Number(given) > 5) throw invalid()
    return [given]
  }
  if (type === 'number' || type === 'boolean') {
    if (typeof given !== type) throw invalid()
    return [given]
  }
  if (type === 'singleSelect' || type === 'multiSelect') return optionsOf(property, given, allowsNew)
  const named = type === 'blockLink' ? [given] : (given as { relations?: unknown }).relations
  if (!Array.isArray(named)) throw invalid()
  const ids = named.map((one) => (one as { blockId?: unknown }).blockId)
  return [...new Set(ids)].map((id) => {
    const block = world.blocks.get(String(id))
    if (block === undefined) throw invalid()
    if (type === 'relation' && block.parent !== property.target?.block) throw invalid()
    return block
  })
}

/** Normalizes a range of dates. A range of one day becomes that date. */
function rangeOf({ start, end }: { start?: unknown; end?: unknown }): unknown {
  if (typeof start !== 'string' || typeof end !== 'string' || end < start) throw invalid()
  return start === end ? start : { start, end }
}

function optionsOf({ type, options }: Property, given: unknown, allowsNew: boolean): unknown[] {
  // For a multi-select property, a single option may be given without an array.
  const names = type === 'singleSelect' || typeof given === 'string' ? [given] : given
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string' || name === '')) throw invalid()
  return [...new Set(names as string[])].map((name) => {
    const found = options.find((option) => option.name === name)
    if (found === undefined && !allowsNew) throw invalid()
    return found ?? name
  })
}

function writeValues(world: World, items: readonly { item: Block; entries: readonly Entry[] }[]): void {
  const relations = new Map<Property, Block[]>()
  for (const { item, entries } of items) {
    for (const { property, values } of entries) {
      const made = values.map((value) => {
        const isName = property.type.endsWith('Select') && typeof value === 'string'
        return isName ? optionNamed(world, property, value) : value
      })
      setValues(world, item, property, made)
      if (property.otherSide !== undefined) relations.set(property, [...(relations.get(property) ?? []), item])
    }
  }
  for (const [property, among] of relations) syncOtherSide(world, property, among)
}

function optionNamed(world: World, property: Property, name: string): Option {
  const found = property.options.find((option) => option.name === name)
  if (found !== undefined) return found
  const option = { name, color: colorInTurn(property.options.length) }
  world.journal.set(property, 'options', [...property.options, option])
  return option
}

/** Updates the reverse property of the related items. Its values for other items do not change. */
function syncOtherSide(world: World, property: Property, items: readonly Block[]): void {
  const { otherSide, target } = property
  if (otherSide === undefined || target === undefined) return
  const mentions = (item: Block, one: Block) => item.values.get(property)?.includes(one) ?? false
  for (const other of target.block.children) {
    const before = other.values.get(otherSide) ?? []
    const kept = before.filter((item) => !items.includes(item as Block) || mentions(item as Block, other))
    const added = items.filter((item) => mentions(item, other) && !before.includes(item))
    const isSame = kept.length === before.length && added.length === 0
    if (!isSame) setValues(world, other, otherSide, [...kept, ...added])
  }
}
