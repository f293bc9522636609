/** Schemas as clients send them. Only their shape has been checked. Source: the interface's shapes, 3. */
import { PROPERTY_TYPES, type PropertyType } from '../../../../storage/schema.ts'
import type { GivenId } from '../../model/ids.ts'

export { PROPERTY_TYPES }

/** Colors of options. New options get them in turn. */
export const OPTION_COLORS = [
  ...(['yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink', 'red', 'gray'] as const),
] as const

export const NUMBER_FORMATS = ['currency', 'percentage'] as const

export interface OptionInput {
  name: string
  color?: string | undefined
  /** The current name of the option, if this input renames it. */
  renamedFrom?: string | undefined
}

/**
 * Marks a relation of a collection with itself: its items are blocked until those that they lead to are done. True takes
 * the only property that can say what is done; false is for a relation like any other.
 */
export type DependsOnInput = boolean | { done: { property: string; filterType: string; filterValue?: unknown } }

export interface PropertyInput {
  name: string
  type: PropertyType
  key?: string | undefined
  options?: readonly OptionInput[] | undefined
  config?:
    | {
        format?: string | undefined
        currency?: string | undefined
        max?: number | undefined
        dependsOn?: DependsOnInput | undefined
      }
    | undefined
  targetCollectionId?: GivenId | undefined
  isBackReference?: boolean | undefined
}

export interface SchemaInput {
  name: string
  properties: readonly PropertyInput[]
  contentPropDetails?: { name: string; key?: string | undefined } | undefined
}
