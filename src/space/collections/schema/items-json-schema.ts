/**
 * Describes the items of a collection as JSON Schema (draft 2020-12, but valid in any other too). The schema accepts
 * exactly the `items` that items_add accepts, with three exceptions that it cannot express: which blocks and members exist, how
 * content is parsed, and the order of the days of a range.
 */
import { MEMBERS_PER_VALUE, TITLE_LENGTH } from '../../../base/limits.ts'
import { ratingMax } from '../../../base/ratings.ts'
import type { Collection, Property } from './find-collection.ts'
import { VALUE_PATTERNS } from './property-values.ts'

export interface JsonSchema {
  type: 'object'
  [keyword: string]: unknown
}

export function itemsJsonSchema({ properties, titleName }: Collection): JsonSchema {
  const title = { type: 'string', minLength: 1, maxLength: TITLE_LENGTH, description: titleName }
  const values = properties.map((property) => [property.key, { ...valueSchema(property), description: property.name }])
  const item = {
    type: 'object',
    properties: {
      title,
      properties: objectSchema(Object.fromEntries(values), []),
      markdown: { type: 'string' },
      content: { type: 'array', items: { type: 'object' } },
    },
    required: ['title'],
    additionalProperties: false,
  }
  return objectSchema({ items: { type: 'array', items: item } }, ['items'])
}

function valueSchema(property: Property): object {
  switch (property.type) {
    case 'number':
    case 'boolean':
      return { type: [property.type, 'null'] }
    case 'rating':
      return { type: ['integer', 'null'], minimum: 1, maximum: ratingMax(property) }
    case 'date':
      // Each keyword applies only to values of its own type.
      return { ...dateRangeSchema, ...daySchema, type: ['string', 'object', 'null'] }
    case 'url':
    case 'email':
      return { type: ['string', 'null'], pattern: VALUE_PATTERNS[property.type] }
    case 'singleSelect':
      return { enum: [...optionNames(property), null] }
    case 'multiSelect': {
      const names = optionNames(property)
      return { type: ['array', 'null'], ...(names.length === 0 ? { maxItems: 0 } : { items: { enum: names } }) }
    }
    case 'relation':
      return {
        ...objectSchema({ relations: { type: 'array', items: blockReferenceSchema } }, ['relations']),
        type: ['object', 'null'],
      }
    case 'blockLink':
      return { anyOf: [blockReferenceSchema, { type: 'string', pattern: VALUE_PATTERNS.blockLink }, { type: 'null' }] }
    case 'person':
      return { type: ['array', 'null'], maxItems: MEMBERS_PER_VALUE, items: memberSchema }
    case 'text':
    case 'phone':
      return { type: ['string', 'null'] }
  }
}

const objectSchema = (properties: object, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

const blockReferenceSchema = objectSchema({ blockId: { type: 'string', minLength: 1 } }, ['blockId'])

const memberSchema = objectSchema({ memberId: { type: 'string', minLength: 1 }, name: { type: 'string' } }, [
  'memberId',
])

const daySchema = { type: 'string', pattern: VALUE_PATTERNS.date }
const dateRangeSchema = objectSchema({ start: daySchema, end: { ...daySchema, type: ['string', 'null'] } }, ['start'])

const optionNames = ({ options }: Property): string[] => options.map(({ name }) => name)
