/** Schemas of views, and of the query rules that they share with reading items. */

import { z } from 'zod'
import { formatNumber } from '../../src/base/format-number.ts'
import { TITLE_LENGTH } from '../../src/base/limits.ts'
import {
  CALCULATIONS,
  CARD_SIZES,
  FILTER_TYPES,
  KANBAN_WIDTHS,
  PREVIEW_TYPES,
  VIEW_TYPES,
  type ViewInput,
} from '../../src/space/collections/views/view.ts'
import { id } from './block-shapes.ts'
import { jsonText, jsonTextAsIn, readJsonText } from './published.ts'

/** More than the columns or groups of any collection. */
const MAX_LIST_LENGTH = 1_000
const propertyName = z.string().min(1).max(TITLE_LENGTH)

/** A reference to a property in responses. */
const propertyReference = z.strictObject({
  propertyId: z.string(),
  propertyKey: z.string().optional(),
  propertyName: z.string().optional(),
})

/** The key or name of a property, or a reference from a response. */
const propertyKey = z
  .union([propertyName, propertyReference.partial()], 'Expected the key or name of a property, found neither.')
  .transform((input, context): string => {
    if (typeof input === 'string') return input
    const named = input.propertyId ?? input.propertyKey ?? input.propertyName
    if (named !== undefined) return named
    context.addIssue({
      code: 'custom',
      message: 'Expected the key or name of a property, found neither.',
      input,
    })
    return z.NEVER
  })
  .meta({ published: { type: 'string' } })
const propertyKeys = z.array(propertyKey).max(MAX_LIST_LENGTH)
/** Values by the keys or names of properties. */
const byProperty = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value).refine((map) => Object.keys(map).length <= MAX_LIST_LENGTH, {
    error: () =>
      `Expected at most ${formatNumber(MAX_LIST_LENGTH)} properties, found more; leave out those that the collection has not.`,
  })
/** A value of any type, or its JSON as text. The rules of the space check what a filter accepts. */
const filter = z.strictObject({
  property: propertyKey,
  filterType: z.enum(FILTER_TYPES).meta({ published: { type: 'string' } }),
  filterValue: z
    .preprocess(readJsonText, z.unknown())
    .optional()
    .meta({ published: { type: 'string', description: 'Or JSON' } }),
})
const rule = z.strictObject({ property: propertyKey, ascending: z.boolean().optional() })

// Joins names with common prefixes, and lists only some of the calculations, to save tokens in the tool list.
const FILTERS_DESCRIPTION =
  'isEmpty isNotEmpty equals doesNotEqual string_{contains,doesNotContain} select_{isAnyOf,isNoneOf} relation_{hasAnyOf,hasAllOf,hasNoneOf} date_{isBefore,isAfter} number_{equal,notEqual,smaller,smallerOrEqual,greater,greaterOrEqual}'
const CALCULATIONS_DESCRIPTION =
  'JSON by property: count_all, count_empty, percent_checkbox_checked, number_sum, date_max, …'

/** How to read items: with a view, with rules, or with a view and some replaced rules. */
export const itemQuery = {
  viewId: id.optional(),
  filters: z.array(filter).max(MAX_LIST_LENGTH).optional().describe(FILTERS_DESCRIPTION),
  sortBy: z.array(rule).max(MAX_LIST_LENGTH).optional(),
  groupBy: z.array(rule).max(MAX_LIST_LENGTH).optional().meta(jsonText('as sortBy')),
  calculations: byProperty(z.enum(CALCULATIONS))
    .optional()
    .meta({ published: { type: 'string', description: CALCULATIONS_DESCRIPTION } }),
}

/** The rules of a view. */
const asInItemsList = jsonTextAsIn('items_list')
const queryFields = {
  filters: itemQuery.filters.meta(asInItemsList),
  sortBy: itemQuery.sortBy.meta(asInItemsList),
  groupBy: itemQuery.groupBy.meta({ ...itemQuery.groupBy.meta(), ...asInItemsList }),
  calculations: itemQuery.calculations.meta({ ...itemQuery.calculations.meta(), ...asInItemsList }),
}

const cardFields = {
  cardSize: z.enum(CARD_SIZES).optional(),
  previewType: z.enum(PREVIEW_TYPES).optional(),
  limitsVisibleFields: z.boolean().optional(),
  showsAllFields: z.boolean().optional(),
}
const galleryFields = { ...cardFields, previewRatio: z.number().positive().optional() }
const groupValues = z.array(z.string().max(TITLE_LENGTH)).max(MAX_LIST_LENGTH).optional()
const kanbanFields = {
  ...cardFields,
  hiddenGroupValues: groupValues,
  columnOrder: groupValues,
  kanbanColumnWidth: z.enum(KANBAN_WIDTHS).optional(),
  showsColumnColors: z.boolean().optional(),
}
const columnWidths = byProperty(z.string().min(1).max(100))
const hidden = <Shape extends z.ZodType>(shape: Shape) => shape.optional().meta({ hidden: true })

/** The settings of a view, all optional. Names from responses are accepted too. */
const settings = {
  ...queryFields,
  fields: z
    .strictObject({ order: propertyKeys.optional(), hidden: propertyKeys.optional(), widths: columnWidths.optional() })
    .optional()
    .meta(jsonText('{ order, hidden, widths }')),
  isCalculationsRowVisible: hidden(z.boolean()),
  gallery: z
    .strictObject({ ...galleryFields, visibleFields: propertyKeys.optional() })
    .optional()
    .meta(jsonText('{ cardSize, previewType, visibleFields }')),
  kanban: z
    .strictObject({ ...kanbanFields, visibleFields: propertyKeys.optional() })
    .optional()
    .meta(jsonText('{ cardSize, columnOrder, hiddenGroupValues }')),
  hiddenProperties: hidden(propertyKeys),
  customPropertyOrder: hidden(propertyKeys),
  columnWidth: hidden(columnWidths),
  // Accepted so that a view can be written back; see the rules of the space.
  id: hidden(z.unknown()),
  isActive: hidden(z.unknown()),
}

/** @returns the settings, each under one name */
function mergeAliases(input: Settings, context: z.RefinementCtx): ViewInput {
  const { fields = {}, hiddenProperties, customPropertyOrder, columnWidth, ...rest } = input
  const pairs = [
    ['hidden', 'hiddenProperties', fields.hidden, hiddenProperties],
    ['order', 'customPropertyOrder', fields.order, customPropertyOrder],
    ['widths', 'columnWidth', fields.widths, columnWidth],
  ] as const
  for (const [short, long, one, other] of pairs) {
    if (one === undefined || other === undefined) continue
    const message = `Expected either fields.${short} or ${long}, found both; they are the same, give one.`
    context.addIssue({ code: 'custom', message, input: other, path: [long] })
  }
  return {
    ...rest,
    hidden: fields.hidden ?? hiddenProperties,
    order: fields.order ?? customPropertyOrder,
    widths: fields.widths ?? columnWidth,
  }
}

type Settings = z.output<z.ZodObject<typeof settings>>

const name = z.string().min(1).max(TITLE_LENGTH)
const type = z.enum(VIEW_TYPES)

export const newView = z
  .strictObject({ name, type, ...settings })
  .transform(({ name, type, ...given }, context) => ({ ...mergeAliases(given, context), name, type }))
export const partialView = z
  .strictObject({ name: name.optional(), type: type.optional(), ...settings })
  .transform(({ name, type, ...given }, context): ViewInput => ({ ...mergeAliases(given, context), name, type }))
  .meta(jsonTextAsIn('views_add'))

const cardsOutput = { visibleFields: z.array(z.string()).optional() }
const ruleOutput = z.strictObject({ property: z.string(), ascending: z.boolean() })

/** The value of a filter, unchanged. The rules of the space check whether it fits. */
const filterValue = z.unknown().meta({
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string' } },
    { type: 'object', additionalProperties: true },
  ],
})

/** A view in responses. */
export const viewOutput = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    type,
    filters: z.array(
      z.strictObject({
        property: z.string(),
        filterType: z.enum(FILTER_TYPES).meta({ published: { type: 'string' } }),
        filterValue: filterValue.optional(),
      }),
    ),
    sortBy: z.array(ruleOutput),
    groupBy: z.array(ruleOutput),
    hiddenProperties: z.array(propertyReference),
    customPropertyOrder: z.array(propertyReference),
    columnWidth: z.record(z.string(), z.string()),
    calculations: z.record(z.string(), z.string()),
    isCalculationsRowVisible: z.boolean().optional(),
    gallery: z.strictObject({ ...galleryFields, ...cardsOutput }).optional(),
    kanban: z.strictObject({ ...kanbanFields, ...cardsOutput }).optional(),
    isActive: z.boolean(),
  })
  .meta({ component: 'View' })
