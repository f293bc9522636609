/** Copies the content of templates. */

import { Id } from './ids.ts'
import { insert } from './tree.ts'
import type { Block, Board, Collection, Column, Draft, Option, Property, Settings, World } from './world.ts'

/** The copies, by their originals. */
interface Copies {
  blocks: Map<Block, Block>
  properties: Map<Property, Property>
  options: Map<Option, Option>
}

/** Copies blocks, drawings and collections with their properties and views, but not comments. */
export function copyContent(world: World, from: Block, to: Block): void {
  const copies = insert(world, from.children.map(draftOf), { parent: to, at: 'end' })
  const pairs = from.children.map((original, index) => [original, copies[index]] as const)
  const blocks = new Map<Block, Block>()
  for (const [original, copy] of pairs) {
    if (copy === undefined) continue
    blocks.set(original, copy)
    for (const [index, inner] of original.children.entries()) pairs.push([inner, copy.children[index]])
    if (original.board !== undefined) copy.board = copyBoard(original.board)
  }
  copyCollections(world, blocks)
}

const draftOf = ({ type, text, indentation, listStyle, task, fields, children }: Block): Draft => {
  return { type, text, indentation, listStyle, task, fields, content: children.map(draftOf) }
}

const copyBoard = ({ elements, assets, state }: Board): Board => {
  return { elements: [...elements], assets: new Map(assets), state }
}

function copyCollections(world: World, blocks: Map<Block, Block>): void {
  const copies: Copies = { blocks, properties: new Map(), options: new Map() }
  const pairs = [...blocks].flatMap(([{ collection }, block]) => {
    if (collection === undefined) return []
    const { titleKey, titleName } = collection
    const copy: Collection = { block, titleKey, titleName, properties: [], views: [], active: undefined }
    block.collection = copy
    world.journal.insert(world.collections, world.collections.length, copy)
    return [[collection, copy] as const]
  })
  for (const [original, copy] of pairs) copyProperties(world, original, copy, copies)
  for (const [original, copy] of copies.properties) {
    copy.otherSide = original.otherSide && copies.properties.get(original.otherSide)
  }
  for (const [original, copy] of blocks) copyValues(original, copy, copies)
  for (const [{ views, active }, copy] of pairs) {
    for (const view of views) {
      const settings = copySettings(view.settings, copies)
      copy.views.push({ id: new Id(), name: view.name, type: view.type, settings })
      if (view === active) copy.active = copy.views.at(-1)
    }
  }
}

/** Copies properties. Relations to collections outside of the template are not copied. */
function copyProperties(world: World, from: Collection, to: Collection, { blocks, properties, options }: Copies): void {
  for (const property of from.properties) {
    const target = property.target && blocks.get(property.target.block)?.collection
    if (property.target !== undefined && target === undefined) continue
    world.journal.set(world, 'made', world.made + 1)
    for (const option of property.options) options.set(option, { ...option })
    const copied = property.options.flatMap((option) => options.get(option) ?? [])
    const copy: Property = {
      ...property,
      made: world.made,
      options: copied,
      target,
      otherSide: undefined,
      collection: to,
    }
    properties.set(property, copy)
    to.properties.push(copy)
  }
}

function copyValues(from: Block, to: Block, { blocks, properties, options }: Copies): void {
  for (const [property, values] of from.values) {
    const copy = properties.get(property)
    if (copy === undefined) continue
    // Values other than options and blocks of the template are the same in the copy.
    const copied = values.map((value) => options.get(value as Option) ?? blocks.get(value as Block) ?? value)
    to.values.set(copy, copied)
  }
}

/** Copies settings of a view. Rules on properties that were not copied are dropped. */
function copySettings(settings: Settings, { properties, options }: Copies): Settings {
  const copyOf = (column: Column): Column[] =>
    column === 'title' ? [column] : [properties.get(column)].filter((copy) => copy !== undefined)
  const rules = <Rule extends { column: Column }>(list: readonly Rule[]): Rule[] =>
    list.flatMap((rule) => copyOf(rule.column).map((column) => ({ ...rule, column })))
  const map = (list: ReadonlyMap<Column, string>) =>
    new Map([...list].flatMap(([column, value]) => copyOf(column).map((copy) => [copy, value] as const)))
  return {
    ...settings,
    filters: rules(settings.filters).map((filter) => {
      return { ...filter, options: filter.options?.flatMap((option) => options.get(option) ?? []) }
    }),
    sortBy: rules(settings.sortBy),
    groupBy: rules(settings.groupBy),
    order: settings.order.flatMap(copyOf),
    hidden: settings.hidden.flatMap(copyOf),
    widths: map(settings.widths),
    calculations: map(settings.calculations),
  }
}
