/** The values that a claim wrote, so that they can return to those of before when its lease ends. */
import { blocksByNumbers } from '../../../../storage/blocks.ts'
import { collectionOptions, collectionProperties } from '../../../../storage/properties.ts'
import type { BlockRow, PropertyRow, ValueRow } from '../../../../storage/schema.ts'
import { deleteValues, type ItemValueRow, insertValues, itemValues, syncOtherSide } from '../../../../storage/values.ts'
import { addToGroup } from '../../../base/grouping.ts'
import { ratingMax } from '../../../base/ratings.ts'
import { dependencyAmong, type Edge, edgesInCycles } from '../../model/dependencies.ts'
import type { Space } from '../../model/space.ts'

/** A value without its place. */
type StoredValue = Pick<ValueRow, 'text' | 'number' | 'option' | 'target'>

/** What a claim did to one property of one item. */
export interface RestoredProperty {
  property: number
  written: StoredValue[]
  former: StoredValue[]
}

/** Reads the values of some properties of items, by item and property. */
export async function valuesOf(
  space: Space,
  items: readonly number[],
  properties: readonly number[],
): Promise<Map<number, Map<number, StoredValue[]>>> {
  const found = new Map(items.map((item) => [item, new Map<number, StoredValue[]>(properties.map((n) => [n, []]))]))
  for (const row of await itemValues(space.tx, items)) found.get(row.item)?.get(row.property)?.push(toStored(row))
  return found
}

const toStored = ({ text, number, option, target }: ItemValueRow): StoredValue => ({ text, number, option, target })

/** One item whose claim ended. */
export interface RestoredItem {
  row: BlockRow
  restores: readonly RestoredProperty[]
}

/**
 * Returns values to what they were before a claim, where they still are as the claim wrote them. What has been deleted
 * since, such as options, does not return; neither do more stars than a rating can have by now, nor dependencies that would
 * close a cycle.
 */
export async function restoreValues(space: Space, items: readonly RestoredItem[]): Promise<void> {
  if (items.length === 0) return
  const { tx } = space
  const collections = [...new Set(items.flatMap(({ row: { parent } }) => parent ?? []))]
  const properties = new Map((await collectionProperties(tx, ...collections)).map((one) => [one.n, one]))
  const options = new Set((await collectionOptions(tx, ...collections)).map(({ n }) => n))
  const named = [...new Set(items.flatMap(({ restores }) => restores.map(({ property }) => property)))]
  const present = await valuesOf(
    space,
    items.map(({ row }) => row.n),
    named,
  )
  const targetNumbers = items.flatMap(({ restores }) => restores.flatMap(({ former }) => former.flatMap(targetOf)))
  const targets = new Map((await blocksByNumbers(tx, targetNumbers)).map((row) => [row.n, row]))
  const canReturn = (property: PropertyRow, { number, option, target }: StoredValue): boolean =>
    (option === null || options.has(option)) &&
    (target === null || targets.has(target)) &&
    (number === null || property.type !== 'rating' || number <= ratingMax(property))
  const returning = items.flatMap(({ row: item, restores }) =>
    restores.flatMap((restored) => {
      const property = properties.get(restored.property)
      if (property === undefined || property.collection !== item.parent) return []
      const now = present.get(item.n)?.get(property.n) ?? []
      return JSON.stringify(now) === JSON.stringify(restored.written) ? [{ ...restored, item, property }] : []
    }),
  )
  const cyclic = await closingCycles(space, [...properties.values()], returning)
  const pairs: [item: number, property: number][] = []
  const rows: ValueRow[] = []
  const relations = new Map<PropertyRow, number[]>()
  const documents = new Set<number>()
  for (const one of returning) {
    if (cyclic.has(one)) continue
    const { item, property, written, former } = one
    pairs.push([item.n, property.n])
    rows.push(
      ...former
        .filter((value) => canReturn(property, value))
        .map((value, ordinal) => ({ item: item.n, property: property.n, ordinal, ...value })),
    )
    documents.add(item.document)
    if (property.otherSide === null) continue
    addToGroup(relations, property, item.n)
    for (const target of [...former, ...written].flatMap(targetOf)) {
      const document = targets.get(target)?.document
      if (document !== undefined) documents.add(document)
    }
  }
  if (pairs.length === 0) return
  await deleteValues(tx, pairs)
  await insertValues(tx, rows)
  for (const [{ n, otherSide }, numbers] of relations) {
    if (otherSide !== null) await syncOtherSide(tx, numbers, n, otherSide)
  }
  await space.markChanged(...documents)
}

type Returning = Pick<RestoredProperty, 'written' | 'former'> & { item: BlockRow; property: PropertyRow }

/** Finds values whose return would close a cycle of dependencies. */
async function closingCycles(
  { tx }: Space,
  properties: readonly PropertyRow[],
  returning: readonly Returning[],
): Promise<Set<Returning>> {
  const closing = new Set<Returning>()
  for (const own of Map.groupBy(properties, ({ collection }) => collection).values()) {
    const relation = dependencyAmong(own)
    const edgesOf = ({ item, property }: Returning, values: readonly StoredValue[]): Edge[] => {
      const targets = values.flatMap(targetOf)
      if (property.n === relation?.n) return targets.map((target) => [item.n, target] as const)
      return property.n === relation?.otherSide ? targets.map((target) => [target, item.n] as const) : []
    }
    if (relation === undefined) continue
    const added = returning.flatMap((one) => edgesOf(one, one.former))
    const removed = returning.flatMap((one) => edgesOf(one, one.written))
    const { edges } = await edgesInCycles(tx, relation.n, { added, removed })
    const found = new Set(edges.map(String))
    for (const one of returning) if (edgesOf(one, one.former).some((edge) => found.has(String(edge)))) closing.add(one)
  }
  return closing
}

const targetOf = ({ target }: StoredValue): number[] => (target === null ? [] : [target])
