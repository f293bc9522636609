/** Schemas that the endpoints of collections, schemas and items share. */
import { z } from 'zod'
import { isObject } from '../../src/base/is-object.ts'
import { OPTIONS_PER_PROPERTY, PROPERTIES_PER_COLLECTION, TITLE_LENGTH } from '../../src/base/limits.ts'
import { NUMBER_FORMATS, OPTION_COLORS, PROPERTY_TYPES } from '../../src/space/collections/schema/schema-input.ts'
import { id } from './block-shapes.ts'
import { adviceOnType, readPropertyType } from './foreign-schema.ts'
import { typed } from './published.ts'
import { filter } from './view-shapes.ts'

const name = z.string().min(1).max(TITLE_LENGTH)
const key = z.string().max(100).optional()

/** An option without the color that other services give to those that have none. */
function withoutDefaults(given: unknown): unknown {
  if (!isObject(given) || given.color !== 'default') return given
  const { color: _, ...others } = given
  return others
}

/** An option, or its name. */
const option = z.preprocess(
  (given) => (typeof given === 'string' ? { name: given } : withoutDefaults(given)),
  z.strictObject({
    name,
    color: z.enum(OPTION_COLORS).optional(),
    renamedFrom: z.string().optional(),
  }),
)

const DEPENDS_ON =
  'Expected true, false, or { "done": { property, filterType, filterValue } } with the filter that says when an item is done, found neither.'

const property = z.strictObject({
  name,
  type: z
    .preprocess(
      readPropertyType,
      z.enum(PROPERTY_TYPES, {
        error: ({ input }) => {
          const advice = adviceOnType(input)
          return advice && `Expected one of ${PROPERTY_TYPES.join(', ')}, found ${JSON.stringify(input)}; ${advice}.`
        },
      }),
    )
    .meta({ published: { type: 'string', enum: [...PROPERTY_TYPES] } }),
  key: key.meta({ hidden: true }),
  options: z
    .array(option)
    .max(OPTIONS_PER_PROPERTY)
    .optional()
    .describe('Of selects')
    .meta({
      published: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' } },
        },
      },
    }),
  config: z
    .strictObject({
      format: z.enum(NUMBER_FORMATS).optional(),
      currency: z.string().optional(),
      max: z.number().optional().describe('Of ratings: 5 or 10'),
      dependsOn: z
        .union([z.boolean(), z.strictObject({ done: filter })], DEPENDS_ON)
        .optional()
        .meta({ hidden: true }),
    })
    .optional()
    .describe('Of numbers and ratings'),
  targetCollectionId: id.optional().describe('Of relations'),
  isBackReference: z.boolean().optional().meta({ hidden: true }),
})

/** A schema as clients write it. A schema that was read can be written back. */
export const schemaInput = z
  .strictObject({
    name,
    properties: z.array(property).max(PROPERTIES_PER_COLLECTION),
    contentPropDetails: z
      .strictObject({ name, key: key.meta({ hidden: true }) })
      .optional()
      .meta({ published: { ...typed({ name: 'string' }), description: 'Of titles' } }),
    // Derived from the name. Accepted so that a schema can be written back, and ignored.
    key: key.meta({ hidden: true }),
  })
  .meta({ component: 'NewCollectionSchema' })

/** A schema in responses. */
export const schemaOutput = z
  .strictObject({
    key: z.string(),
    name: z.string(),
    contentPropDetails: z.strictObject({ key: z.string(), name: z.string() }),
    properties: z
      .array(
        z.strictObject({
          key: z.string(),
          name: z.string(),
          type: z.enum(PROPERTY_TYPES),
          config: z.looseObject({}).optional(),
          options: z
            .array(z.strictObject({ name: z.string(), color: z.string() }))
            .meta({ maxItems: OPTIONS_PER_PROPERTY })
            .optional(),
          targetCollectionId: z.string().optional(),
          isBackReference: z.literal(true).optional(),
        }),
      )
      .meta({ maxItems: PROPERTIES_PER_COLLECTION }),
  })
  .meta({ component: 'CollectionSchema' })
