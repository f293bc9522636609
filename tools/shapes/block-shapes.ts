/** Schemas that several endpoints share. */

import { z } from 'zod'
import { invalid, ScriptoriumError } from '../../src/base/errors.ts'
import { BLOCKS_PER_CALL, ID_TEXT_LENGTH, ITEMS_PER_CALL, TITLE_LENGTH } from '../../src/base/limits.ts'
import {
  BLOCK_LAYOUTS,
  BLOCK_TYPES,
  CARD_LAYOUTS,
  DECORATIONS,
  FONTS,
  LINE_STYLES,
  LIST_LEVELS,
  LIST_STYLES,
  MAX_INDENTATION,
  MAX_LIST_NUMBER,
  MEDIA_SIZES,
  MEDIA_WIDTHS,
  TASK_STATES,
  TEXT_ALIGNMENTS,
  TEXT_STYLES,
} from '../../src/markdown/block.ts'
import { CALLOUT_LEVELS, ICON_LENGTH } from '../../src/markdown/callout-levels.ts'
import { NEW_BLOCK_TYPES } from '../../src/space/blocks/block-input.ts'
import { validateMediaType } from '../../src/space/content/media-type.ts'
import { validateColor } from '../../src/space/model/colors.ts'
import { parseTimestamp, validateDate } from '../../src/space/model/dates.ts'
import { formatValue } from '../../src/space/model/format-value.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import type { Position } from '../../src/space/model/positions.ts'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { WEEKDAYS } from '../../src/space/model/weekdays.ts'
import { FREQUENCIES } from '../../src/space/schedule/repeats.ts'
import { jsonText, jsonTextAsIn } from './published.ts'

/**
 * A string that a parser reads. Its error becomes the validation error. An empty one means absent, except where `null`
 * clears: there it could be meant to clear, and is refused.
 */
export function parsedString<T>(parse: (text: string) => T) {
  return z
    .string()
    .meta({ emptyIsAbsent: true })
    .transform((text, context): T => {
      try {
        return parse(text)
      } catch (error) {
        if (!(error instanceof ScriptoriumError)) throw error
        context.addIssue({ code: 'custom', message: error.message, input: text })
        return z.NEVER
      }
    })
}

/** An ID in any spelling. */
export const id = z
  .string()
  .min(1)
  .max(ID_TEXT_LENGTH)
  .transform((text) => new GivenId(text))
/** In a query, they can also be one comma-separated value. */
export const ids = z.array(id).min(1).max(ITEMS_PER_CALL).meta({ commas: true })
export const date = parsedString(validateDate)
/** A point in time: the ID of a call, or a time. */
export const moment = z
  .string()
  .min(1)
  .max(ID_TEXT_LENGTH)
  .transform((text, context) => {
    const given = new GivenId(text)
    if (!/^\d{4}-\d\d-\d\dT/.test(text)) return given
    try {
      return { time: parseTimestamp(text) }
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
      context.addIssue({ code: 'custom', message: error.message, input: text })
      return z.NEVER
    }
  })
const ONE_LINE_TITLE =
  'Expected a title on one line, found several; give its first line alone, and longer text as the content of a document or block.'
const isOneLine = (text: string) => !/[\r\n]/.test(text.trim())
export const title = z.string().min(1).max(TITLE_LENGTH).refine(isOneLine, ONE_LINE_TITLE)
/** The published schema omits the bounds. A call that exceeds them gets an error with the bounds. */
export const limit = (max: number, fallback: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .default(fallback)
    .meta({ published: { type: 'integer', default: fallback } })
export const cursor = z.string().min(1).optional()
/** JSON by default. This is not repeated in tool lists, since so many tools have it. */
export const format = z
  .enum(['json', 'markdown'])
  .default('json')
  .meta({ published: { type: 'string', enum: ['json', 'markdown'] } })

const POSITION_FORMS: Record<ConnectionKind, string> = {
  full: '{ position: start or end, pageId or date } or { position: before or after, siblingId }',
  selected: '{ position: start or end, pageId } or { position: before or after, siblingId }',
  daily:
    '{ position: start or end, pageId or date, or neither for today }, or { position: before or after, siblingId }',
}

/** The position of blocks. The contract has three forms, which are published as one object and distinguished here. */
export const position = {
  full: positionSchema('full'),
  selected: positionSchema('selected'),
  daily: positionSchema('daily'),
}

/** The same with a shorter description, for tools that are listed together with blocks_add. */
export const positionBrief = {
  full: position.full.meta(jsonTextAsIn('blocks_add')),
  selected: position.selected.meta(jsonTextAsIn('blocks_add')),
  daily: position.daily.meta(jsonTextAsIn('blocks_add')),
}

function positionSchema(kind: ConnectionKind) {
  const at = z.enum(['start', 'end', 'before', 'after'])
  const page = z
    .string()
    .max(ID_TEXT_LENGTH)
    .transform((text): GivenId | '' => (text === '' ? '' : new GivenId(text)))
    .optional()
  const sibling = id.optional()
  const fields =
    kind === 'selected'
      ? z.strictObject({ position: at, pageId: page, siblingId: sibling })
      : z.strictObject({ position: at, pageId: page, date: date.optional(), siblingId: sibling })
  return fields
    .transform((input, context): Position => {
      const found = parsePosition(kind, input)
      if (found !== undefined) return found
      const keys = Object.entries(input).map(([key, value]) => `${key}: ${value}`)
      const message = `Expected a position as ${POSITION_FORMS[kind]}, found { ${keys.join(', ')} }; give exactly one form.`
      context.addIssue({ code: 'custom', message, input })
      return z.NEVER
    })
    .describe(POSITION_FORMS[kind])
    .meta({ component: 'Position' })
}

interface PositionInput {
  position: 'start' | 'end' | 'before' | 'after'
  pageId?: GivenId | '' | undefined
  date?: string | undefined
  siblingId?: GivenId | undefined
}

function parsePosition(
  kind: ConnectionKind,
  { position: at, pageId, date, siblingId }: PositionInput,
): Position | undefined {
  if (at === 'before' || at === 'after') {
    // Some clients also send the page. Those for daily notes send a day with every position. The sibling alone determines
    // the place.
    if (siblingId === undefined || (date !== undefined && kind !== 'daily')) return undefined
    return { at, siblingId, ...(pageId && { pageOfSibling: pageId }) }
  }
  if (siblingId !== undefined) return undefined
  // On daily connections, an empty pageId is the root page of the day.
  const page = kind === 'daily' && pageId === '' ? undefined : pageId
  if (page !== undefined) return date === undefined && page !== '' ? { at, pageId: page } : undefined
  return kind === 'selected' ? undefined : { at, date: date ?? 'today' }
}

const nullableDate = parsedString((text) => {
  if (text === '') throw invalid(EMPTY_DATE)
  return validateDate(text)
})
  .nullable()
  .optional()
const EMPTY_DATE =
  'Expected a date as YYYY-MM-DD, today, tomorrow or yesterday, or null to clear it, found none; leave it out to keep what is there.'
/** The dates of an existing task. An empty text could be meant to clear them. */
export const clearableDates = { scheduleDate: nullableDate, deadlineDate: nullableDate }
/** For `meta`: where there is nothing yet, `null` and an empty text mean the same. */
export const emptyIsAbsent = { emptyIsAbsent: true }
const dynamicDays = z.array(z.strictObject({ selector: z.enum(['first', 'last']), type: z.literal('day') }))
const days = z.array(z.int().min(1).max(31))

export const repeat = z
  .strictObject(
    {
      type: z.enum(['flexible', 'fixed']),
      frequency: z.enum(FREQUENCIES),
      interval: z.int().min(1).optional(),
      startDate: parsedString(validateDate).optional(),
      daily: z.strictObject({ skipWeekends: z.boolean().optional() }).optional(),
      weekly: z.strictObject({ days: z.array(z.enum(WEEKDAYS)) }).optional(),
      monthly: z
        .strictObject({
          days: days.optional(),
          dynamicDays: dynamicDays.optional(),
          skipWeekends: z.boolean().optional(),
        })
        .optional(),
      yearly: z
        .strictObject({
          months: z.array(z.int().min(1).max(12)),
          days: days.optional(),
          dynamicDays: dynamicDays.optional(),
        })
        .optional(),
      reminder: z.strictObject({ enabled: z.boolean(), dateOffset: z.int().optional() }).optional(),
    },
    {
      error: ({ code, input }) =>
        code === 'invalid_type' && typeof input === 'string' && !/^\s*[[{]/.test(input)
          ? `Expected a rule as { type: fixed or flexible, frequency: daily, weekly, monthly or yearly }, or words such as daily or every 2 weeks, found ${formatValue(input)}.`
          : undefined,
    },
  )
  .meta(
    jsonText('{ type: flexible or fixed, frequency: daily, weekly, monthly or yearly, interval, weekly: { days } }'),
  )

/** The task fields of a block. */
export const taskInfo = z.strictObject({
  state: z.enum(TASK_STATES).optional(),
  scheduleDate: nullableDate.meta(emptyIsAbsent),
  deadlineDate: nullableDate.meta(emptyIsAbsent),
  // Set by the space. Accepted so that a task can be written back, and ignored.
  completedAt: z.string().optional().meta({ hidden: true }),
  canceledAt: z.string().optional().meta({ hidden: true }),
  repeat: repeat
    .nullable()
    .optional()
    .meta({ ...jsonTextAsIn('tasks_add'), ...emptyIsAbsent }),
})

const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\r\n]*$/, 'Expected one line, found several.')
/** The callouts around a block, the outermost first. Values that say nothing are left out. */
const calloutLevel = z
  .strictObject({
    starts: z.boolean().optional(),
    title: oneLine(TITLE_LENGTH).nullable().optional(),
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'Expected a color as six hex digits after #, as in #ffcc00, found another text.')
      .nullable()
      .optional(),
    icon: oneLine(ICON_LENGTH).nullable().optional(),
    folded: z.boolean().optional(),
  })
  .transform((level) => Object.fromEntries(Object.entries(level).filter(([, value]) => value)))
const decorations = z
  .union([
    z.array(z.enum(DECORATIONS)),
    z.strictObject({
      callout: z.union([z.boolean(), z.array(calloutLevel).max(CALLOUT_LEVELS)]).optional(),
      quote: z.boolean().optional(),
    }),
  ])
  .transform((input) => {
    const given = Array.isArray(input) ? Object.fromEntries(input.map((word) => [word, true])) : input
    const set = DECORATIONS.flatMap((word) => {
      const value = given[word]
      return value === true || (Array.isArray(value) && value.length > 0) ? [[word, value] as const] : []
    })
    return set.length > 0 ? Object.fromEntries(set) : null
  })
  .meta({ published: { type: 'array', items: { type: 'string', enum: [...DECORATIONS] } } })

const range = { start: z.int().min(0), end: z.int().min(0) }
const attribute = z.discriminatedUnion('type', [
  z.strictObject({ ...range, type: z.literal('link'), url: z.string() }),
  z.strictObject({ ...range, type: z.literal('blockLink'), blockId: z.string() }),
  z.strictObject({ ...range, type: z.literal('dateLink'), date: z.string() }),
  ...(['bold', 'italic', 'strikethrough', 'code', 'formula'] as const).map((type) =>
    z.strictObject({ ...range, type: z.literal(type) }),
  ),
  z.strictObject({ ...range, type: z.literal('highlight'), color: z.string() }),
  z.strictObject({ ...range, type: z.literal('commentMarker'), markerId: z.string() }),
])
const pageTitle = z
  .union(
    [
      z.string().max(TITLE_LENGTH).refine(isOneLine, ONE_LINE_TITLE),
      z.strictObject({ value: z.string().max(TITLE_LENGTH), attributes: z.array(attribute) }),
    ],
    {
      error: 'Expected a title as text, or as { value, attributes }, found neither.',
    },
  )
  .meta({ published: { type: 'string' } })

const hidden = <Shape extends z.ZodType>(shape: Shape) => shape.optional().meta({ hidden: true })

/**
 * The fields of all types of blocks. The rules of the space check which type has which field. Rarely used ones are
 * accepted but not listed in every tool: {@link MORE_FIELDS} names them.
 */
const blockFields = {
  markdown: z.string().optional(),
  indentationLevel: z.int().min(0).max(MAX_INDENTATION).optional(),
  depth: hidden(z.int().min(0).max(LIST_LEVELS).nullable()),
  listStyle: z.enum(LIST_STYLES).optional(),
  number: hidden(z.int().min(0).max(MAX_LIST_NUMBER).nullable()),
  decorations: decorations.optional(),
  color: parsedString(validateColor).nullable().optional().describe('#rrggbb'),
  taskInfo: taskInfo.optional(),
  textStyle: z.enum(TEXT_STYLES).optional(),
  textAlignment: hidden(z.enum(TEXT_ALIGNMENTS)),
  font: hidden(z.enum(FONTS)),
  cardLayout: hidden(z.enum(CARD_LAYOUTS)),
  styling: hidden(z.looseObject({})),
  title: pageTitle.optional().describe('Of a page or richUrl'),
  url: z.string().min(1).optional(),
  altText: hidden(z.string()),
  size: hidden(z.enum(MEDIA_SIZES)),
  width: hidden(z.enum(MEDIA_WIDTHS)),
  fileSize: hidden(z.int().min(0).nullable()),
  mimeType: hidden(parsedString(validateMediaType).nullable()),
  aspectRatio: hidden(z.number().positive().nullable()),
  previewImageWidth: hidden(z.number().positive().nullable()),
  fileName: hidden(z.string().min(1)),
  blockLayout: hidden(z.enum(BLOCK_LAYOUTS)),
  description: hidden(z.string()),
  layout: hidden(z.enum(BLOCK_LAYOUTS)),
  lineStyle: z.enum(LINE_STYLES).optional(),
  separatorStyle: hidden(z.string()),
  rawCode: z.string().optional(),
  language: z.string().optional(),
  info: hidden(z.string().nullable()),
}

export const MORE_FIELDS = 'More fields: textAlignment, font, cardLayout, altText, fileName'

/**
 * Fields that are returned for blocks and cannot be set. Accepted so that a block can be written back; the rules of the
 * space check their values.
 */
const readOnly = hidden(z.unknown())
const readOnlyFields = {
  displayColor: readOnly,
  metadata: readOnly,
  revision: readOnly,
  pageBlockPath: readOnly,
  documentId: readOnly,
  dailyNoteDate: readOnly,
  contentPreviewMd: readOnly,
  itemsPreviewMd: readOnly,
  uploaded: readOnly,
  isPreviewImageUploaded: readOnly,
}

/** Advice about types of blocks that this tool does not create. */
const ADDED_OTHERWISE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    collection:
      'Expected a block of another type, found a collection; add it with collections_add, and its items with items_add.',
    collectionItem: 'Expected a block of another type, found an item of a collection; add it with items_add.',
    drawing: 'Expected a block of another type, found a drawing; draw on a whiteboard with elements_add.',
  }),
)

/** A block to add. Nested blocks have the same schema. */
export const newBlock = z
  .strictObject({
    type: z.enum(NEW_BLOCK_TYPES, { error: ({ input }) => ADDED_OTHERWISE.get(String(input)) }),
    ...blockFields,
    color: blockFields.color.meta(emptyIsAbsent),
    ...readOnlyFields,
    get content(): z.ZodOptional<z.ZodArray<z.ZodType<NewBlockShape>>> {
      return z
        .array(newBlock as unknown as z.ZodType<NewBlockShape>)
        .max(BLOCKS_PER_CALL)
        .optional()
    },
  })
  .meta({ component: 'NewBlock' })

type NewBlockShape = { type: (typeof NEW_BLOCK_TYPES)[number] }

/** Changes of individual cells and rows of a table. */
const rowChange = z.strictObject({
  row: z.int().min(0),
  column: z
    .union([z.string(), z.int()], 'Expected the words at the head of a column, or its number from 0, found neither.')
    .optional()
    .meta({ published: { type: 'string' } }),
  markdown: z.string().optional(),
  cells: z.array(z.string()).optional(),
  remove: z.boolean().optional(),
})

/** The state and dates of an existing task. */
const updatedTaskInfo = taskInfo.extend({
  ...clearableDates,
  repeat: repeat.meta(jsonTextAsIn('blocks_add')).nullable().optional(),
})

/** Fields that blocks_update lists itself, even if blocks_add is listed too. */
const FIELDS_SHOWN_IN_UPDATE: ReadonlySet<string> = new Set(['markdown', 'taskInfo'])
const asInBlocksAdd = { asIn: { tool: 'blocks_add' } }
const updateFields = Object.fromEntries(
  Object.entries<z.ZodType>(blockFields).map(([key, shape]) => {
    return [key, FIELDS_SHOWN_IN_UPDATE.has(key) ? shape : shape.meta({ ...shape.meta(), ...asInBlocksAdd })]
  }),
) as typeof blockFields

/** A block to change. Omitted fields stay unchanged. */
export const partialBlock = z
  .strictObject({
    id,
    type: hidden(z.enum(BLOCK_TYPES)),
    ...readOnlyFields,
    properties: readOnly,
    content: hidden(z.array(z.unknown())),
    expected: hidden(z.strictObject({ markdown: z.string() })),
    expectedMarkdown: hidden(z.string()),
    ...updateFields,
    taskInfo: updatedTaskInfo.optional(),
    rows: z
      .array(rowChange)
      .optional()
      .meta(jsonText('[{ row, column, markdown } or { row, cells } or { row, remove }] of a table; row 0 is the head')),
  })
  .meta({ component: 'BlockChange' })
