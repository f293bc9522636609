/** Schemas that several endpoints share. */

import { z } from 'zod'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { isObject } from '../../src/base/is-object.ts'
import {
  BLOCKS_PER_CALL,
  ID_TEXT_LENGTH,
  ITEMS_PER_CALL,
  TITLE_LENGTH,
  TITLE_MARKDOWN_LENGTH,
} from '../../src/base/limits.ts'
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
  TEXT_ALIGNMENTS,
  TEXT_STYLES,
} from '../../src/markdown/block.ts'
import { CALLOUT_LEVELS, ICON_LENGTH } from '../../src/markdown/callout-levels.ts'
import { NEW_BLOCK_TYPES } from '../../src/space/blocks/block-input.ts'
import { validateMediaType } from '../../src/space/content/media-type.ts'
import { validateColor } from '../../src/space/model/colors.ts'
import { parseTimestamp, validateDate } from '../../src/space/model/dates.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { emptyIsAbsent, parsedString } from './parsed-text.ts'
import { jsonText } from './published.ts'
import { taskInfo, updatedTaskInfo } from './task-shapes.ts'

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
/** JSON by default, and Markdown over MCP, as the instructions say. So many tools have it that lists only name JSON. */
export const format = z
  .enum(['json', 'markdown'])
  .default('json')
  .meta({ published: { type: 'string', enum: ['json'] } })

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
    z.array(z.enum(DECORATIONS)).max(DECORATIONS.length),
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
      z.strictObject({
        value: z.string().max(TITLE_LENGTH),
        // Each takes at least one character of the title's Markdown.
        attributes: z.array(attribute).max(TITLE_MARKDOWN_LENGTH),
      }),
    ],
    {
      // Its own fields report what is wrong inside of an object.
      error: ({ input }) =>
        isObject(input) ? undefined : 'Expected a title as text, or as { value, attributes }, found neither.',
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
    type: z.enum(NEW_BLOCK_TYPES, {
      error: ({ input }) => (typeof input === 'string' ? ADDED_OTHERWISE.get(input) : undefined),
    }),
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
  cells: z.array(z.string()).max(ITEMS_PER_CALL).optional(),
  remove: z.boolean().optional(),
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
    content: hidden(z.array(z.unknown()).max(BLOCKS_PER_CALL)),
    expected: hidden(z.strictObject({ markdown: z.string() })),
    expectedMarkdown: hidden(z.string()),
    base: hidden(z.string()),
    ...updateFields,
    taskInfo: updatedTaskInfo.optional(),
    rows: z
      .array(rowChange)
      .max(ITEMS_PER_CALL)
      .optional()
      .meta(jsonText('[{ row, column, markdown } or { row, cells } or { row, remove }] of a table; row 0 is the head')),
  })
  .meta({ component: 'BlockChange' })
