/** Shapes of views, and of the rules that a reading of items shares with them. */
import { z } from 'zod'
import { TITLE_LENGTH } from '../src/limits.ts'
import { listOf } from '../src/list.ts'
import {
  CALCULATIONS,
  CARD_SIZES,
  FILTER_TYPES,
  type FilterInput,
  KANBAN_WIDTHS,
  PREVIEW_TYPES,
  type RuleInput,
  VIEW_TYPES,
  type ViewInput,
} from '../src/space/views/view.ts'
import { id } from './shapes.ts'

/** More than any collection has columns or groups. */
const LONGEST_LIST = 1_000
const word = z.string().min(1).max(TITLE_LENGTH)

/** A property as answers refer to it. */
const reference = z.strictObject({
  propertyId: z.string(),
  propertyKey: z.string().optional(),
  propertyName: z.string().optional(),
})

/** A property's key or name, or a reference as answers give them. */
const property = z
  .union([word, reference.partial()], 'Expected the key or name of a property, found neither.')
  .transform((given, context): string => {
    if (typeof given === 'string') return given
    const named = given.propertyId ?? given.propertyKey ?? given.propertyName
    if (named !== undefined) return named
    context.addIssue({
      code: 'custom',
      message: 'Expected the key or name of a property, found neither.',
      input: given,
    })
    return z.NEVER
  })
  .meta({ published: { type: 'string' } })
const properties = listOf(property).max(LONGEST_LIST)
/** Values by the keys or names of properties. */
const mapOf = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value).refine((map) => Object.keys(map).length <= LONGEST_LIST, {
    error: () =>
      `Expected at most ${LONGEST_LIST.toLocaleString('en-US')} properties, found more; leave out those that the collection has not.`,
  })
const published = (description: string) => ({ published: { type: 'array', items: { type: 'object' }, description } })

/** A value of any kind: what a filter takes is a rule of the space. */
const filter: z.ZodType<FilterInput> = z.strictObject({
  property,
  filterType: z.enum(FILTER_TYPES),
  filterValue: z.unknown().optional(),
})
const rule: z.ZodType<RuleInput> = z.strictObject({ property, ascending: z.boolean().optional() })

// Words that begin alike are joined, and of the calculations some stand for all: a tool list is paid for in tokens.
const FILTERS =
  '{ property, filterType, filterValue }; isEmpty isNotEmpty equals doesNotEqual string_{contains,doesNotContain} select_{isAnyOf,isNoneOf} relation_{hasAnyOf,hasAllOf,hasNoneOf} date_{isBefore,isAfter} number_{equal,notEqual,smaller,smallerOrEqual,greater,greaterOrEqual}'
const RULES = '{ property, ascending }'
const CALCULATED = 'By property: count_all, count_empty, percent_checkbox_checked, number_sum, date_max, …'

/** The rules of a view; `described` as they are, or by the words that stand for them elsewhere. */
const rulesOf = (filters: string, rules: string, calculations: string) => ({
  filters: listOf(filter).max(LONGEST_LIST).optional().meta(published(filters)),
  sortBy: listOf(rule).max(LONGEST_LIST).optional().meta(published(rules)),
  groupBy: listOf(rule).max(LONGEST_LIST).optional().meta(published(rules)),
  calculations: mapOf(z.enum(CALCULATIONS))
    .optional()
    .meta({ published: { type: 'object', description: calculations } }),
})
const AS_IN_VIEWS = 'As in views_add'

/** How items can be read: by a view, by rules, or by a view with some of its rules replaced. */
export const reading = {
  viewId: id.optional(),
  ...rulesOf(AS_IN_VIEWS, AS_IN_VIEWS, AS_IN_VIEWS),
}

const cards = {
  cardSize: z.enum(CARD_SIZES).optional(),
  previewType: z.enum(PREVIEW_TYPES).optional(),
  limitsVisibleFields: z.boolean().optional(),
  showsAllFields: z.boolean().optional(),
}
const galleryFields = { ...cards, previewRatio: z.number().positive().optional() }
const groups = listOf(z.string().max(TITLE_LENGTH)).max(LONGEST_LIST).optional()
const kanbanFields = {
  ...cards,
  hiddenGroupValues: groups,
  columnOrder: groups,
  kanbanColumnWidth: z.enum(KANBAN_WIDTHS).optional(),
  showsColumnColors: z.boolean().optional(),
}
const widths = mapOf(z.string().min(1).max(100))
const hidden = <Shape extends z.ZodType>(shape: Shape) => shape.optional().meta({ hidden: true })

/** The settings of a view, each of which may be left out, under the names that answers give them as well. */
const settings = {
  ...rulesOf(FILTERS, RULES, CALCULATED),
  fields: z
    .strictObject({ order: properties.optional(), hidden: properties.optional(), widths: widths.optional() })
    .optional()
    .meta({ published: { type: 'object', description: '{ order, hidden, widths }' } }),
  isCalculationsRowVisible: hidden(z.boolean()),
  gallery: z
    .strictObject({ ...galleryFields, visibleFields: properties.optional() })
    .optional()
    .meta({
      published: {
        type: 'object',
        description: '{ cardSize, previewType, visibleFields }',
      },
    }),
  kanban: z
    .strictObject({ ...kanbanFields, visibleFields: properties.optional() })
    .optional()
    .meta({
      published: { type: 'object', description: '{ cardSize, columnOrder, hiddenGroupValues }' },
    }),
  hiddenProperties: hidden(properties),
  customPropertyOrder: hidden(properties),
  columnWidth: hidden(widths),
  // Of a view that is written back as it was read; neither is changed here.
  id: hidden(z.string()),
  isActive: hidden(z.boolean()),
}

/** @returns the settings with each under one name */
function oneName(given: Settings, context: z.RefinementCtx): ViewInput {
  const { fields = {}, hiddenProperties, customPropertyOrder, columnWidth, id: _id, isActive: _active, ...rest } = given
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
  .transform(({ name, type, ...given }, context) => ({ ...oneName(given, context), name, type }))
export const partialView = z
  .strictObject({ name: name.optional(), type: type.optional(), ...settings })
  .transform(({ name, type, ...given }, context): ViewInput => ({ ...oneName(given, context), name, type }))
  .meta({ published: { type: 'object', description: AS_IN_VIEWS } })

const cardsAnswer = { visibleFields: listOf(z.string()).optional() }
const ruleAnswer = z.strictObject({ property: z.string(), ascending: z.boolean() })

/** What a filter looks for, as it was taken: the rule knows which of these fits. */
const filterValue = z.unknown().meta({
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string' } },
    { type: 'object' },
  ],
})

/** A view as answers show it. */
export const viewAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  type,
  filters: listOf(
    z.strictObject({ property: z.string(), filterType: z.string(), filterValue: filterValue.optional() }),
  ),
  sortBy: listOf(ruleAnswer),
  groupBy: listOf(ruleAnswer),
  hiddenProperties: listOf(reference),
  customPropertyOrder: listOf(reference),
  columnWidth: z.record(z.string(), z.string()),
  calculations: z.record(z.string(), z.string()),
  isCalculationsRowVisible: z.boolean().optional(),
  gallery: z.strictObject({ ...galleryFields, ...cardsAnswer }).optional(),
  kanban: z.strictObject({ ...kanbanFields, ...cardsAnswer }).optional(),
  isActive: z.boolean(),
})
