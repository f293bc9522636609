/** The values of an item's properties, as they appear in responses. */
import type { Block, Json, Option, Property } from './world.ts'

export function itemValues({ parent, values }: Block): Json {
  const shown: Json = {}
  for (const property of parent?.collection?.properties ?? []) {
    const found = values.get(property)
    if (found !== undefined) shown[property.key] = showValue(property, found)
  }
  return shown
}

function showValue({ type }: Property, values: readonly unknown[]): unknown {
  const [first] = values
  const names = () => values.map((option) => (option as Option).name)
  if (type === 'singleSelect') return names()[0]
  if (type === 'multiSelect') return names()
  if (type === 'relation') return { relations: values.map((block) => ({ blockId: (block as Block).id })) }
  return type === 'blockLink' ? { blockId: (first as Block).id } : first
}
