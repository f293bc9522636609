/** When blocks are copied, copies the data of collections that is not stored in blocks: schemas, values and views. */
import { collectionByNumber, insertCollection } from '../../../storage/collections.ts'
import {
  collectionOptions,
  collectionProperties,
  insertOptions,
  insertProperties,
  setOtherSide,
  updateProperties,
} from '../../../storage/properties.ts'
import type { BlockRow, OptionRow, PropertyRow, ValueRow } from '../../../storage/schema.ts'
import { insertValues, itemValues } from '../../../storage/values.ts'
import { type DoneRule, doneRule } from '../model/dependencies.ts'
import type { Space } from '../model/space.ts'
import { type CopyMap, copyViews } from './views/copy-views.ts'

/**
 * Relations between copied collections lead to the copies. Relations to other collections are left out: their other
 * side would become a new property in a collection that was not copied.
 *
 * @param originals  the blocks that were copied
 * @param numbers  the number of each copy, by its ID
 * @param ids  the ID of each copy, by the ID of its original
 */
export async function copyCollections(
  space: Space,
  originals: readonly BlockRow[],
  numbers: ReadonlyMap<number, number>,
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const collections = originals.filter(({ type }) => type === 'collection')
  if (collections.length === 0) return
  const copied: CopyMap = { ids, blocks: new Map(), properties: new Map(), options: new Map() }
  for (const { id, n } of originals) {
    const copy = numbers.get(ids.get(id) ?? 0)
    if (copy !== undefined) copied.blocks.set(n, copy)
  }
  for (const { n } of collections) {
    const row = await collectionByNumber(space.tx, n)
    const copy = copied.blocks.get(n)
    if (row !== undefined && copy !== undefined) await insertCollection(space.tx, { ...row, n: copy, activeView: null })
  }
  for (const { n } of collections) await copySchema(space, n, copied)
  const items = originals.filter(({ type }) => type === 'collectionItem')
  await copyValues(
    space,
    items.map(({ n }) => n),
    copied,
  )
  for (const { n } of collections) await copyViews(space, n, copied)
}

async function copySchema(space: Space, from: number, { blocks, properties, options }: CopyMap): Promise<void> {
  const collection = blocks.get(from)
  if (collection === undefined) return
  const rows = (await collectionProperties(space.tx, from)).flatMap((row) => {
    const target = row.target === null ? null : blocks.get(row.target)
    return target === undefined ? [] : [{ ...row, collection, target }]
  })
  const copies = await insertProperties(
    space.tx,
    rows.map(({ n: _, ...row }) => ({ ...row, otherSide: null })),
  )
  for (const [index, { n, otherSide }] of rows.entries()) {
    const copy = copies[index] as PropertyRow
    properties.set(n, copy.n)
    await linkOtherSides(space, copy, otherSide === null ? undefined : properties.get(otherSide))
  }
  const originals: number[] = []
  const added: Omit<OptionRow, 'n'>[] = []
  for (const { n, ...row } of await collectionOptions(space.tx, from)) {
    const property = properties.get(row.property)
    if (property === undefined) continue
    originals.push(n)
    added.push({ ...row, property })
  }
  const numbers = await insertOptions(space.tx, added)
  for (const [index, n] of originals.entries()) options.set(n, numbers[index] as number)
  await updateProperties(
    space.tx,
    (await collectionProperties(space.tx, collection)).flatMap((row) => {
      const rule = doneRule(row)
      return rule === undefined ? [] : [{ ...row, config: copyRule(rule, { properties, options }) }]
    }),
  )
}

/** The config of a relation that says what items depend on, for the copy of the collection. */
function copyRule({ property, value, ...rule }: DoneRule, { properties, options }: Omit<CopyMap, 'ids' | 'blocks'>) {
  const copy = properties.get(property)
  if (copy === undefined) return null
  const operand = value && 'options' in value ? { options: value.options.map((n) => options.get(n) ?? n) } : value
  return JSON.stringify({ dependsOn: { ...rule, property: copy, ...(operand && { value: operand }) } })
}

/** Links the two sides of a relation. Called for both sides; the one that is copied later finds the other. */
async function linkOtherSides(space: Space, side: PropertyRow, other: number | undefined): Promise<void> {
  if (other === undefined) return
  await setOtherSide(space.tx, side.n, other)
  await setOtherSide(space.tx, other, side.n)
}

async function copyValues(space: Space, items: readonly number[], copied: CopyMap): Promise<void> {
  const rows: ValueRow[] = []
  for (const { item, property, ordinal, text, number, option, target } of await itemValues(space.tx, items)) {
    const row = { item: copied.blocks.get(item), property: copied.properties.get(property) }
    if (row.item === undefined || row.property === undefined) continue
    rows.push({
      ...{ item: row.item, property: row.property, ordinal, text, number },
      option: option === null ? null : (copied.options.get(option) ?? null),
      target: target === null ? null : (copied.blocks.get(target) ?? target),
    })
  }
  await insertValues(space.tx, rows)
}
