/** What disappears with deleted blocks: their IDs, their reminders, and every reference to them. */
import type { Block, Collection, Property, World } from './world.ts'

export function goneBlocks(world: World, gone: ReadonlySet<Block>): void {
  const { journal } = world
  for (const block of gone) {
    journal.set(block, 'isGone', true)
    world.drop(world.blocks, block)
  }
  for (const reminder of [...world.reminderList]) {
    if (!gone.has(reminder.block)) continue
    journal.remove(world.reminderList, reminder)
    world.drop(world.reminders, reminder)
  }
  for (const collection of [...world.collections]) {
    if (gone.has(collection.block)) goneCollection(world, collection)
  }
  for (const { block } of world.collections) {
    for (const item of block.children) {
      for (const [property, values] of [...item.values]) {
        if (property.type !== 'relation' && property.type !== 'blockLink') continue
        const left = values.filter((value) => !gone.has(value as Block))
        if (left.length < values.length) setValues(world, item, property, left)
      }
    }
  }
}

function goneCollection(world: World, collection: Collection): void {
  world.journal.remove(world.collections, collection)
  for (const other of world.collections) {
    for (const property of [...other.properties]) if (property.target === collection) goneProperty(world, property)
  }
}

/** Removes a property and its values, and the reverse property if it is a relation. */
export function goneProperty(world: World, property: Property): void {
  if (property.isGone) return
  const { journal } = world
  journal.set(property, 'isGone', true)
  journal.remove(property.collection.properties, property)
  for (const item of property.collection.block.children) {
    if (item.values.has(property)) setValues(world, item, property, [])
  }
  if (property.otherSide !== undefined) goneProperty(world, property.otherSide)
}

/** Sets the values of a property. An empty list removes the entry. */
export function setValues(world: World, item: Block, property: Property, values: unknown[]): void {
  world.touch(item)
  if (values.length > 0) world.journal.put(item.values, property, values)
  else world.journal.drop(item.values, property)
}
