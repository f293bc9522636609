/** Reads collections from our own exports: each is a folder of notes with an Obsidian Base next to them. */

import type { PropertyType } from '../../../storage/schema.ts'
import { isObject } from '../../base/is-object.ts'
import type { ImportView } from '../../space/import/imported-content.ts'
import { refersToBlocks } from '../../space/model/property-traits.ts'
import { isView } from './written-views.ts'

/** The definition of a collection in an export. */
export interface WrittenCollection {
  name: string
  titleName: string
  titleKey: string
  properties: WrittenProperty[]
  /** Views refer to properties by key, to the title as `title`, and to blocks by wiki link. */
  views?: ImportView[]
}

export interface WrittenProperty {
  key: string
  name: string
  type: PropertyType
  config?: Record<string, unknown>
  options?: { name: string; color: string }[]
  /** For relations: the path of the target collection's Base, and the name of the property on the other side. */
  target?: string
  otherName?: string
  isBackReference?: boolean
}

/** The first line of a Base that stands for a collection begins with this. */
export const COLLECTION_MARK = '# scriptorium: '

/** Returns the key of a property in the front matter of items. The key `scriptorium` is reserved for our own data. */
export const propertyKey = (key: string): string => (key === 'scriptorium' ? 'scriptorium value' : key)

/** @returns undefined if the Base is not from one of our exports */
export function readBase(text: string): WrittenCollection | undefined {
  if (!text.startsWith(COLLECTION_MARK)) return undefined
  try {
    const schema: unknown = JSON.parse(text.slice(COLLECTION_MARK.length).split('\n', 1)[0] ?? '')
    return isCollection(schema) ? schema : undefined
  } catch {
    return undefined
  }
}

/** Checks only the shape. Other errors are found later, by the same rules as for calls. */
function isCollection(schema: unknown): schema is WrittenCollection {
  if (!isObject(schema) || !Array.isArray(schema.properties)) return false
  const texts = [schema.name, schema.titleName, schema.titleKey]
  const isProperty = (one: unknown) =>
    isObject(one) && [one.key, one.name, one.type].every((text) => typeof text === 'string')
  if (schema.views !== undefined && !(Array.isArray(schema.views) && schema.views.every(isView))) return false
  return texts.every((text) => typeof text === 'string') && schema.properties.every(isProperty)
}

/** Returns the keys of properties whose values are blocks. */
export const keysOfRelations = (properties: readonly { key: string; type: PropertyType }[]): Set<string> =>
  new Set(properties.filter(refersToBlocks).map(({ key }) => key))
