/** Values as other services wrap them: `{ select: { name: "Open" } }`. Only what keeps all of the value is unwrapped. */

import type { PropertyType } from '../../../../storage/schema.ts'
import { isObject } from '../../../base/is-object.ts'

const SELECTS = ['select', 'status']
/** The keys of other services for each type. */
const WRAPPERS: Readonly<Record<PropertyType, readonly string[]>> = {
  text: [],
  number: ['number'],
  boolean: ['checkbox'],
  date: ['date'],
  url: ['url'],
  email: ['email'],
  phone: ['phone_number'],
  singleSelect: SELECTS,
  multiSelect: ['multi_select'],
  relation: [],
  blockLink: [],
  person: ['people'],
  rating: [],
}

/** @returns the value itself if it is not wrapped */
export function unwrapValue(type: PropertyType, given: unknown): unknown {
  const value = contentOf(given, WRAPPERS[type])
  if (type === 'singleSelect') {
    const [only, ...more] = Array.isArray(value) ? (value as unknown[]) : [value]
    return nameOf(only === undefined || more.length > 0 ? value : only)
  }
  return type === 'multiSelect' && Array.isArray(value) ? value.map(nameOf) : value
}

function contentOf(given: unknown, keys: readonly string[]): unknown {
  if (!isObject(given)) return given
  const inside = Object.entries(given).filter(([key]) => key !== 'id' && key !== 'type')
  const [[key, value] = ['', undefined], ...more] = inside
  return more.length === 0 && keys.includes(key) ? value : given
}

/** The name of an option that is given with its ID and color. */
const nameOf = (option: unknown): unknown =>
  isObject(option) &&
  typeof option.name === 'string' &&
  Object.keys(option).every((key) => key === 'name' || key === 'id' || key === 'color')
    ? option.name
    : option
