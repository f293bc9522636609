/** Writes the values of items, and the other sides of relations, in one go. */
import { touchDocument } from '../../../storage/documents.ts'
import { insertOption } from '../../../storage/properties.ts'
import type { BlockRow, ValueRow } from '../../../storage/schema.ts'
import { deleteValues, insertValues, itemValues, syncOtherSide } from '../../../storage/values.ts'
import { breathe, eachInTurn, isOver } from '../../breathe.ts'
import { faultsFound } from '../../errors.ts'
import { OPTIONS_PER_PROPERTY } from '../../limits.ts'
import { OUT_OF_SCOPE } from '../../markdown/addresses.ts'
import { restorePlain } from '../../markdown/links.ts'
import type { Collection, Property } from '../collections/find.ts'
import { Faults } from '../faults.ts'
import { colorInTurn } from '../schema/options.ts'
import type { Space } from '../space.ts'
import type { Cell } from './cells.ts'
import type { Entry } from './input.ts'

/** What one item is to say. */
export interface ItemEntries {
  item: BlockRow
  entries: readonly Entry[]
}

/** Blocks that values lead to, by ID. */
export type Targets = ReadonlyMap<string, BlockRow>

/**
 * The blocks that these values lead to.
 *
 * @throws VALIDATION_ERROR with the path of every one that does not exist within reach or is no item of its relation
 */
export async function findTargets(space: Space, entries: readonly Entry[]): Promise<Targets> {
  const ids = new Set<string>()
  for (const { cells } of entries) for (const cell of cells) if ('block' in cell) ids.add(cell.block)
  if (ids.size === 0) return new Map()
  const found = new Map((await space.reachable([...ids])).map((row) => [row.id, row]))
  const faults = new Faults()
  for await (const { property, cells, path } of eachInTurn(entries)) {
    if (faults.areMany) break
    for (const cell of cells) {
      if (!('block' in cell)) continue
      const row = found.get(cell.block)
      if (property.type !== 'relation') {
        if (row !== undefined) continue
        const message = `Expected the ID of a block within reach, found ${cell.block}, which does not exist; read IDs with blocks_get.`
        faults.add(path, message)
      } else if (row?.type !== 'collectionItem' || row.parent !== property.target) {
        const message = `Expected the ID of an item of the related collection, found ${cell.block}, which does not exist there; read IDs with items_list.`
        faults.add(path, message)
      }
    }
  }
  faults.refuse()
  return found
}

/**
 * Make items say what their entries say; what they say on other properties stays. Options that a property lacks are
 * added to it.
 *
 * @param areNew  whether the items have no values yet
 */
export async function writeValues(
  space: Space,
  collection: Collection,
  items: readonly ItemEntries[],
  targets: Targets,
  areNew: boolean,
): Promise<void> {
  const kept = areNew ? new Map<string, number[]>() : await hiddenTargets(space, items)
  const texts = areNew ? new Map<string, string>() : await textsBefore(space, items)
  if (!areNew) await deleteValues(space.tx, pairsOf(items))
  const options = new Options(space, collection)
  const rows: ValueRow[] = []
  for await (const { item, entries } of eachInTurn(items)) {
    for (const { property, cells, path } of entries) {
      let ordinal = 0
      const add = (value: Partial<ValueRow>) =>
        rows.push({
          ...{ item: item.n, property: property.n, ordinal: ordinal++ },
          ...{ text: null, number: null, option: null, target: null, ...value },
        })
      for (const cell of cells) {
        const before = texts.get(`${item.n} ${property.n}`)
        const restored = 'text' in cell && before !== undefined ? { text: restorePlain(cell.text, before) } : cell
        add(await columnOf(restored, { property, path, options, targets }))
        if (isOver()) await breathe()
      }
      for (const target of kept.get(`${item.n} ${property.n}`) ?? []) add({ target })
    }
  }
  await insertValues(space.tx, rows)
  await syncRelations(space, items, targets)
}

interface Column {
  property: Property
  path: string
  options: Options
  targets: Targets
}

async function columnOf(cell: Cell, { property, path, options, targets }: Column): Promise<Partial<ValueRow>> {
  if ('option' in cell) return { option: await options.numberOf(property, cell.option, path) }
  if (!('block' in cell)) return cell
  const target = targets.get(cell.block)
  if (target === undefined) throw new Error(`Expected block ${cell.block} among those found.`)
  return { target: target.n }
}

const pairsOf = (items: readonly ItemEntries[]): [item: number, property: number][] =>
  items.flatMap(({ item, entries }) => entries.map(({ property }): [number, number] => [item.n, property.n]))

/** The options of a collection by name, those that this call adds included. */
class Options {
  readonly #space: Space
  readonly #numbers = new Map<number, Map<string, number>>()

  constructor(space: Space, { properties }: Collection) {
    this.#space = space
    for (const { n, options } of properties) this.#numbers.set(n, new Map(options.map(({ name, n }) => [name, n])))
  }

  /** @throws VALIDATION_ERROR with the path, where the property would have more of them than one may have */
  async numberOf(property: Property, name: string, path: string): Promise<number> {
    const numbers = this.#numbers.get(property.n)
    const known = numbers?.get(name)
    if (known !== undefined) return known
    const position = numbers?.size ?? 0
    if (position >= OPTIONS_PER_PROPERTY) throw faultsFound([{ path, message: tooManyOptions(property) }])
    const color = colorInTurn(position)
    const n = await insertOption(this.#space.tx, { property: property.n, name, color, position })
    numbers?.set(name, n)
    return n
  }
}

const tooManyOptions = ({ key }: Property): string =>
  `Expected at most ${OPTIONS_PER_PROPERTY} options of ${key}, found one more; leave it out, or schema_update leaves out others.`

/**
 * What items say on properties that are to be written, and leads out of reach: who does not see it does not write it
 * over. By item and property.
 */
async function hiddenTargets(space: Space, items: readonly ItemEntries[]): Promise<Map<string, number[]>> {
  const hidden = new Map<string, number[]>()
  if (space.kind === 'full') return hidden
  const leading = items.filter(({ entries }) => entries.some(({ property }) => leadsAway(property)))
  if (leading.length === 0) return hidden
  const values = await itemValues(
    space.tx,
    leading.map(({ item }) => item.n),
  )
  const visible = new Map<number, boolean>()
  for (const { item, property, target, targetDocument } of values) {
    if (target === null || targetDocument === null) continue
    const isVisible = visible.get(targetDocument) ?? (await space.reaches(targetDocument))
    visible.set(targetDocument, isVisible)
    if (isVisible) continue
    const key = `${item} ${property}`
    const among = hidden.get(key)
    if (among === undefined) hidden.set(key, [target])
    else among.push(target)
  }
  return hidden
}

/** What items say until now on properties where they are to say of an address that it is hidden. */
async function textsBefore(space: Space, items: readonly ItemEntries[]): Promise<Map<string, string>> {
  const hides = (cell: Cell): boolean => 'text' in cell && cell.text.includes(OUT_OF_SCOPE)
  const hiding = items.filter(({ entries }) => entries.some(({ cells }) => cells.some(hides)))
  const numbers = hiding.map(({ item }) => item.n)
  const values = numbers.length === 0 ? [] : await itemValues(space.tx, numbers)
  return new Map(
    values.flatMap(({ item, property, text }) => (text === null ? [] : [[`${item} ${property}`, text] as const])),
  )
}

const leadsAway = ({ type }: Property): boolean => type === 'relation' || type === 'blockLink'

async function syncRelations(space: Space, items: readonly ItemEntries[], targets: Targets): Promise<void> {
  const byRelation = new Map<Property, number[]>()
  for (const { item, entries } of items) {
    for (const { property } of entries) {
      if (property.otherSide === null) continue
      const among = byRelation.get(property)
      if (among === undefined) byRelation.set(property, [item.n])
      else among.push(item.n)
    }
  }
  for (const [{ n, otherSide }, among] of byRelation) {
    if (otherSide !== null) await syncOtherSide(space.tx, among, n, otherSide)
  }
  if (byRelation.size === 0) return
  const documents = new Set([...targets.values()].map(({ document }) => document))
  for await (const document of eachInTurn(documents)) await touchDocument(space.tx, document, space.now)
}
