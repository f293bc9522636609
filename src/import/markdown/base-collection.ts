/** Collections as a folder of notes with a Base beside them, as an export of ours writes them. */
import type { PropertyType } from '../../../storage/schema.ts'
import type { ImportView } from '../../space/import/imported-content.ts'
import { isObject } from './drawings.ts'
import { isView } from './written-views.ts'

/** What an export says of a collection. */
export interface WrittenCollection {
  name: string
  titleName: string
  titleKey: string
  properties: WrittenProperty[]
  /** Properties stand by their keys, the title as `title`, and blocks as links between brackets. */
  views?: ImportView[]
}

export interface WrittenProperty {
  key: string
  name: string
  type: PropertyType
  config?: Record<string, unknown>
  options?: { name: string; color: string }[]
  /** Of a relation: the path of the Base of the other collection, and the name of the property there. */
  target?: string
  otherName?: string
  isBackReference?: boolean
}

/** Begins the first line of a Base that stands for a collection. */
export const COLLECTION_MARK = '# scriptorium: '

/** The key of a property in the front matter of items, where `scriptorium` is ours. */
export const propertyKey = (key: string): string => (key === 'scriptorium' ? 'scriptorium value' : key)

/** @returns undefined for a Base that no export of ours wrote */
export function readBase(text: string): WrittenCollection | undefined {
  if (!text.startsWith(COLLECTION_MARK)) return undefined
  try {
    const schema: unknown = JSON.parse(text.slice(COLLECTION_MARK.length).split('\n', 1)[0] ?? '')
    return isCollection(schema) ? schema : undefined
  } catch {
    return undefined
  }
}

/** What of it is wrong otherwise is refused as a call that says it would be. */
function isCollection(schema: unknown): schema is WrittenCollection {
  if (!isObject(schema) || !Array.isArray(schema.properties)) return false
  const texts = [schema.name, schema.titleName, schema.titleKey]
  const isProperty = (one: unknown) =>
    isObject(one) && [one.key, one.name, one.type].every((text) => typeof text === 'string')
  if (schema.views !== undefined && !(Array.isArray(schema.views) && schema.views.every(isView))) return false
  return texts.every((text) => typeof text === 'string') && schema.properties.every(isProperty)
}

/** The keys of properties whose values are blocks. */
export const keysOfRelations = (properties: readonly { key: string; type: PropertyType }[]): Set<string> =>
  new Set(properties.flatMap(({ key, type }) => (type === 'relation' || type === 'blockLink' ? [key] : [])))
