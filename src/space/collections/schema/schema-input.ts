/** Schemas as clients write them, checked in their shape alone. Source: the interface's shapes, 3. */
import { PROPERTY_TYPES, type PropertyType } from '../../../../storage/schema.ts'
import type { GivenId } from '../../model/ids.ts'

export { PROPERTY_TYPES }

/** Colours of options; new ones take them in turn. */
export const OPTION_COLORS = [
  ...(['yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink', 'red', 'gray'] as const),
] as const

export const NUMBER_FORMATS = ['currency', 'percentage'] as const

export interface OptionInput {
  name: string
  color?: string | undefined
  /** The name that the option has until now. */
  renamedFrom?: string | undefined
}

export interface PropertyInput {
  name: string
  type: PropertyType
  key?: string | undefined
  options?: readonly OptionInput[] | undefined
  config?: { format?: string | undefined; currency?: string | undefined } | undefined
  targetCollectionId?: GivenId | undefined
  isBackReference?: boolean | undefined
}

export interface SchemaInput {
  name: string
  properties: readonly PropertyInput[]
  contentPropDetails?: { name: string; key?: string | undefined } | undefined
}
