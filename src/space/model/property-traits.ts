/** What the code needs to know about each type of properties. A new type does not compile without its line here. */
import type { PropertyType } from '../../../storage/schema.ts'

interface PropertyTraits {
  /** What its values are: values of their own, options of the property, items of a collection, any block, or members. */
  values: 'own' | 'options' | 'items' | 'block' | 'members'
  /** True if an item can have several values of the property. */
  isList: boolean
  /** What a value reads as in JSON, if it is neither an option, a block nor a member. */
  reads: 'text' | 'number' | 'boolean' | undefined
}

const OWN = { values: 'own', isList: false } as const

const PROPERTY_TRAITS: Readonly<Record<PropertyType, PropertyTraits>> = {
  text: { ...OWN, reads: 'text' },
  number: { ...OWN, reads: 'number' },
  boolean: { ...OWN, reads: 'boolean' },
  date: { ...OWN, reads: 'text' },
  url: { ...OWN, reads: 'text' },
  email: { ...OWN, reads: 'text' },
  phone: { ...OWN, reads: 'text' },
  rating: { ...OWN, reads: 'number' },
  singleSelect: { values: 'options', isList: false, reads: undefined },
  multiSelect: { values: 'options', isList: true, reads: undefined },
  relation: { values: 'items', isList: true, reads: undefined },
  blockLink: { values: 'block', isList: false, reads: undefined },
  person: { values: 'members', isList: true, reads: undefined },
}

export const propertyTraits = (type: PropertyType): PropertyTraits => PROPERTY_TRAITS[type]

/** True for types whose values are options of the property. */
export const hasOptions = ({ type }: { type: PropertyType }): boolean => PROPERTY_TRAITS[type].values === 'options'

/** True for types whose values lead to blocks: items of a collection, or any block. */
export function refersToBlocks({ type }: { type: PropertyType }): boolean {
  const { values } = PROPERTY_TRAITS[type]
  return values === 'items' || values === 'block'
}
