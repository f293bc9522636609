/** Schemas of views, and of the query rules that they share with reading items. */

import { z } from 'zod'
import { formatNumber } from '../../src/base/format-number.ts'
import { FILTERS_PER_VIEW, PROPERTIES_PER_COLLECTION, SORTS_PER_VIEW, TITLE_LENGTH } from '../../src/base/limits.ts'
import { isSameWord } from '../../src/space/collections/schema/property-keys.ts'
import {
  CALCULATIONS,
  CARD_SIZES,
  FILTER_TYPES,
  KANBAN_WIDTHS,
  PREVIEW_TYPES,
  TITLE_COLUMN,
  VIEW_TYPES,
  type ViewInput,
} from '../../src/space/collections/views/view.ts'
import { id } from './block-shapes.ts'
import { jsonText, jsonTextAsIn, readJsonText, typed } from './published.ts'

/** More than the columns or groups of any collection. */
const MAX_LIST_LENGTH = 1_000
const propertyName = z.string().min(1).max(TITLE_LENGTH)

/** A reference to a property in responses. */
const reference = { propertyId: z.string(), propertyKey: z.string().optional(), propertyName: z.string().optional() }
const propertyReference = z.strictObject(reference)

interface PropertyNames {
  property?: string | undefined
  propertyId?: string | undefined
  propertyKey?: string | undefined
  propertyName?: string | undefined
}

/**
 * Returns what names a property. The display name counts only if there is nothing else, since it may have changed since it
 * was read.
 *
 * @throws an issue if there is no name, or if two of them are of different properties
 */
function nameOf({ property, propertyId, propertyKey, propertyName }: PropertyNames, context: z.RefinementCtx): string {
  // The title has a key of its own beside the ID `title`, so the ID does not contradict any key.
  const [first = propertyName, ...others] = [property, propertyId, propertyKey].filter((one) => one !== undefined)
  const other = others.find(
    (one) => first !== undefined && !isSameWord(one, first) && one !== TITLE_COLUMN && first !== TITLE_COLUMN,
  )
  if (first !== undefined && other === undefined) return first
  const found =
    first === undefined ? 'neither' : `${JSON.stringify(first)} and ${JSON.stringify(other)}; give one of them`
  context.addIssue({
    code: 'custom',
    message: `Expected the key or name of a property, found ${found}.`,
    input: undefined,
  })
  return z.NEVER
}

/** The key or name of a property, or a reference from a response. */
const propertyKey = z
  .union([propertyName, propertyReference.partial()], 'Expected the key or name of a property, found neither.')
  .transform((input, context) => (typeof input === 'string' ? input : nameOf(input, context)))
  .meta({ published: { type: 'string' } })
const propertyKeys = z.array(propertyKey).max(MAX_LIST_LENGTH)
const isShortMap = (map: object): boolean => Object.keys(map).length <= MAX_LIST_LENGTH
const tooLongMap = {
  error: () =>
    `Expected at most ${formatNumber(MAX_LIST_LENGTH)} properties, found more; leave out those that the collection has not.`,
}

/** The names of the property of a rule. Names from responses are accepted too. */
const namedProperty = {
  property: propertyKey.optional(),
  propertyId: propertyName.optional().meta({ hidden: true }),
  propertyKey: propertyName.optional().meta({ hidden: true }),
  propertyName: propertyName.optional().meta({ hidden: true }),
}
/** Replaces the names of a property by one. */
function withOneName<Rule extends PropertyNames>(rule: Rule, context: z.RefinementCtx) {
  const { property: _, propertyId: __, propertyKey: ___, propertyName: ____, ...others } = rule
  return { ...others, property: nameOf(rule, context) }
}
/** A value of any type, or its JSON as text. The rules of the space check what a filter accepts. */
export const filter = z
  .strictObject({
    ...namedProperty,
    filterType: z
      .string()
      .min(1)
      .max(60)
      .meta({ published: { type: 'string' } }),
    filterValue: z
      .preprocess(readJsonText, z.unknown())
      .optional()
      .meta({ published: { type: 'string', description: 'Or JSON' } }),
  })
  .transform(withOneName)
  .meta({ component: 'Filter' })
const rule = z
  .strictObject({ ...namedProperty, ascending: z.boolean().optional() })
  .transform(withOneName)
  .meta({ component: 'Rule' })
const publishedRules = { published: { type: 'array', items: typed({ property: 'string', ascending: 'boolean' }) } }

/** A calculation, or one from a response: with a reference to its property, which is also the key of the map. */
const calculation = z
  .union([z.enum(CALCULATIONS), z.strictObject({ ...namedProperty, type: z.enum(CALCULATIONS) })])
  .meta({ published: { type: 'string' } })
const calculations = z
  .record(z.string(), calculation)
  .refine(isShortMap, tooLongMap)
  .transform((map, context) =>
    Object.fromEntries(
      Object.entries(map).map(([key, given]) => {
        if (typeof given === 'string') return [key, given]
        const { type, ...names } = given
        return [nameOf({ ...names, property: names.property ?? key }, context), type]
      }),
    ),
  )
  .meta({ component: 'Calculations' })

// Joins names with common prefixes, and lists only some of the calculations, to save tokens in the tool list.
const FILTERS_DESCRIPTION =
  'isEmpty isNotEmpty isReady isBlocked equals doesNotEqual string_{contains,doesNotContain} select_{isAnyOf,isNoneOf} relation_{hasAnyOf,hasAllOf,hasNoneOf} date_{isBefore,isAfter} number_{equal,notEqual,smaller,smallerOrEqual,greater,greaterOrEqual}'
const CALCULATIONS_DESCRIPTION =
  'JSON by property: count_all, count_empty, percent_checkbox_checked, number_sum, date_max, …'

/** How to read items: with a view, with rules, or with a view and some replaced rules. */
export const itemQuery = {
  viewId: id.optional(),
  filters: z.array(filter).max(MAX_LIST_LENGTH).optional().describe(FILTERS_DESCRIPTION),
  sortBy: z.array(rule).max(MAX_LIST_LENGTH).optional(),
  groupBy: z.array(rule).max(MAX_LIST_LENGTH).optional().meta(publishedRules),
  calculations: calculations.optional().meta({ published: { type: 'string', description: CALCULATIONS_DESCRIPTION } }),
}

/** The rules of a view. */
const asInItemsList = jsonTextAsIn('items_list')
const queryFields = {
  filters: itemQuery.filters.meta(asInItemsList),
  sortBy: itemQuery.sortBy.meta(jsonTextAsIn('items_list', 'JSON')),
  groupBy: itemQuery.groupBy,
  calculations: itemQuery.calculations.meta({
    ...itemQuery.calculations.meta(),
    ...jsonTextAsIn('items_list', 'JSON'),
  }),
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
const columnWidths = z.record(z.string(), z.string().min(1).max(100)).refine(isShortMap, tooLongMap)
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
  .meta({ component: 'NewView' })
export const partialView = z
  .strictObject({ name: name.optional(), type: type.optional(), ...settings })
  .transform(({ name, type, ...given }, context): ViewInput => ({ ...mergeAliases(given, context), name, type }))
  .meta({ component: 'ViewChange', ...jsonTextAsIn('views_add') })

/** A list of properties, the title among them. */
const references = z.array(propertyReference).meta({ maxItems: PROPERTIES_PER_COLLECTION + 1 })
const cardsOutput = { visibleFields: references.optional() }
const ruleOutput = z.strictObject({ property: z.string(), ...reference, ascending: z.boolean() })

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
    filters: z
      .array(
        z.strictObject({
          property: z.string(),
          ...reference,
          filterType: z.enum(FILTER_TYPES).meta({ published: { type: 'string' } }),
          filterValue: filterValue.optional(),
        }),
      )
      .meta({ maxItems: FILTERS_PER_VIEW }),
    sortBy: z.array(ruleOutput).meta({ maxItems: SORTS_PER_VIEW }),
    groupBy: z.array(ruleOutput).meta({ maxItems: 1 }),
    hiddenProperties: references,
    customPropertyOrder: references,
    columnWidth: z.record(z.string(), z.string()),
    calculations: z.record(z.string(), z.strictObject({ ...reference, type: z.string() })),
    isCalculationsRowVisible: z.boolean().optional(),
    gallery: z.strictObject({ ...galleryFields, ...cardsOutput }).optional(),
    kanban: z.strictObject({ ...kanbanFields, ...cardsOutput }).optional(),
    isActive: z.boolean(),
  })
  .meta({ component: 'View' })
