/** Blocks and items in responses. */
import { z } from 'zod'
import { GROUPS_PER_ANSWER, ITEMS_PER_ANSWER_MAX, LINKED_FROM_PER_BLOCK } from '../../src/base/limits.ts'
import {
  BLOCK_LAYOUTS,
  BLOCK_TYPES,
  CARD_LAYOUTS,
  FONTS,
  LINE_STYLES,
  LIST_STYLES,
  MEDIA_SIZES,
  MEDIA_WIDTHS,
  TASK_STATES,
  TEXT_ALIGNMENTS,
  TEXT_STYLES,
} from '../../src/markdown/block.ts'
import { holder } from './conditions.ts'

/** Present if there is more: how much, and how to get it. */
export const pagination = z
  .strictObject({ cursor: z.string(), remaining: z.int(), message: z.string() })
  .meta({ component: 'Pagination' })
  .optional()

const taskState = {
  state: z.enum(TASK_STATES),
  scheduleDate: z.string().optional(),
  deadlineDate: z.string().optional(),
  assignee: z.strictObject({ id: z.string().optional(), name: z.string() }).optional().meta({ hidden: true }),
}
const completion = {
  completedAt: z.string().optional(),
  canceledAt: z.string().optional(),
  repeat: z.looseObject({}).optional(),
}

const calloutLevel = z.strictObject({
  starts: z.literal(true).optional(),
  title: z.string().optional(),
  color: z.string().optional(),
  icon: z.string().optional(),
  folded: z.literal(true).optional(),
})

const range = { start: z.int(), end: z.int() }
/** A title with its marks. */
const markedTitle = z
  .strictObject({
    value: z.string(),
    attributes: z.array(
      z.discriminatedUnion('type', [
        z.strictObject({ ...range, type: z.enum(['bold', 'italic', 'strikethrough', 'code', 'formula']) }),
        z.strictObject({ ...range, type: z.literal('link'), url: z.string() }),
        z.strictObject({ ...range, type: z.literal('blockLink'), blockId: z.string() }),
        z.strictObject({ ...range, type: z.literal('dateLink'), date: z.string() }),
        z.strictObject({ ...range, type: z.literal('highlight'), color: z.string() }),
        z.strictObject({ ...range, type: z.literal('commentMarker'), markerId: z.string() }),
      ]),
    ),
  })
  .meta({ component: 'Title' })

const comment = z
  .strictObject({
    id: z.string(),
    author: z.string(),
    content: z.string(),
    createdAt: z.string(),
    modifiedAt: z.string().optional(),
    resolvedAt: z.string().optional(),
    resolvedBy: z.string().optional(),
    confirmed: z.literal(false).optional(),
    threadId: z.string().optional(),
    words: z.string().optional(),
    areWordsGone: z.literal(true).optional(),
  })
  .meta({ component: 'Comment' })

/** A comment, and where it is. */
export const listedComment = comment
  .extend({ blockId: z.string(), documentId: z.string(), title: z.string().optional() })
  .meta({ component: 'ListedComment' })

/** What a task waits for. */
const blockedBy = z
  .array(z.strictObject({ id: z.string(), title: z.string(), isDone: z.literal(true).optional() }))
  .optional()
  .meta({ hidden: true })

const metadata = z
  .strictObject({
    createdAt: z.string(),
    lastModifiedAt: z.string(),
    createdBy: z.string(),
    lastModifiedBy: z.string(),
    clickableLink: z.string(),
    webLink: z.string().optional(),
    comments: z.array(comment).optional(),
    linkedFrom: z
      .array(z.strictObject({ blockId: z.string(), documentId: z.string().optional(), title: z.string() }))
      .meta({ maxItems: LINKED_FROM_PER_BLOCK })
      .optional(),
    hasMoreLinks: z.literal(true).optional(),
    blockedBy,
  })
  .meta({ component: 'BlockMetadata' })

/** The value of a property: text, number, checkbox, options, range of dates, relation or link. */
const propertyValue = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.string()),
    z.strictObject({ start: z.string(), end: z.string() }),
    z.strictObject({ relations: z.array(z.strictObject({ blockId: z.string() })) }),
    z.strictObject({ blockId: z.string() }),
  ])
  .meta({ component: 'PropertyValue' })

/** The values of an item by the keys of its properties. */
const propertyValues = z.record(z.string(), propertyValue)

/** A block with the fields of all types, without its content. */
const blockFields = {
  id: z.string(),
  type: z.enum(BLOCK_TYPES),
  markdown: z.string(),
  indentationLevel: z.int().optional(),
  depth: z.int().optional().describe('The level in lists, where it is deeper than indentationLevel can say'),
  listStyle: z.enum(LIST_STYLES).optional(),
  number: z.int().optional(),
  decorations: z
    .strictObject({
      callout: z.union([z.literal(true), z.array(calloutLevel)]).optional(),
      quote: z.literal(true).optional(),
    })
    .optional(),
  color: z.string().optional(),
  displayColor: z.string().optional(),
  taskInfo: z
    .strictObject({ ...taskState, ...completion })
    .meta({ component: 'TaskInfo' })
    .optional(),
  textStyle: z.enum(TEXT_STYLES).optional(),
  textAlignment: z.enum(TEXT_ALIGNMENTS).optional(),
  font: z.enum(FONTS).optional(),
  cardLayout: z.enum(CARD_LAYOUTS).optional(),
  styling: z.looseObject({}).optional(),
  title: z.union([markedTitle, z.string()]).optional().describe('Of a page with its marks, otherwise as text'),
  url: z.string().optional(),
  altText: z.string().optional(),
  size: z.enum(MEDIA_SIZES).optional(),
  width: z.enum(MEDIA_WIDTHS).optional(),
  uploaded: z.boolean().optional(),
  fileSize: z.int().optional(),
  mimeType: z.string().optional(),
  aspectRatio: z.number().optional(),
  previewImageWidth: z.number().optional(),
  isPreviewImageUploaded: z.boolean().optional(),
  fileName: z.string().optional(),
  blockLayout: z.enum(BLOCK_LAYOUTS).optional(),
  description: z.string().optional(),
  layout: z.enum(BLOCK_LAYOUTS).optional(),
  lineStyle: z.enum(LINE_STYLES).optional(),
  separatorStyle: z.string().optional(),
  rawCode: z.string().optional(),
  language: z.string().optional(),
  info: z.string().optional(),
  properties: propertyValues.optional(),
  metadata: metadata.optional(),
  sectionSize: z.strictObject({ blocks: z.int(), characters: z.int() }).optional().meta({ hidden: true }),
  contentPreviewMd: z.string().optional(),
  itemsPreviewMd: z.string().optional(),
  continued: z.literal(true).optional().describe('Of a page that an earlier part of the answer began'),
  documentId: z.string().optional(),
  dailyNoteDate: z.string().optional(),
  revision: z.string().optional().describe('Of the block that was asked for: the state of its document'),
  pageBlockPath: z
    .array(z.strictObject({ id: z.string(), content: z.string() }))
    .optional()
    .describe('Of the block that was asked for: the pages around it, the document first'),
  pagination,
}

interface AnyBlock {
  id: string
  [field: string]: unknown
}

/** A block with its content, as it is described. */
export const block = z
  .strictObject({
    ...blockFields,
    get content(): z.ZodOptional<z.ZodArray<z.ZodType<AnyBlock>>> {
      return z.array(block as unknown as z.ZodType<AnyBlock>).optional()
    },
  })
  .meta({ component: 'Block' })

/**
 * A block in responses. Only its ID is checked there: the rules of the space know the fields of its type, and calls that
 * ask for IDs alone get no other field.
 */
export const blockOutput = z.looseObject({ id: z.string() }).meta({
  get described() {
    return z.toJSONSchema(block, { io: 'output' })
  },
})

/** The place of a block. */
export const blockRef = z
  .strictObject({ id: z.string(), documentId: z.string().optional(), dailyNoteDate: z.string().optional() })
  .meta({ component: 'PlacedBlock' })

/** A task with its place. */
export const taskOutput = z
  .strictObject({
    id: z.string(),
    markdown: z.string(),
    taskInfo: z.strictObject(taskState),
    location: z.strictObject({
      type: z.enum(['inbox', 'logbook', 'dailyNote', 'document']),
      date: z.string().optional(),
      documentId: z.string().optional(),
      title: z.string().optional(),
      isDeleted: z.literal(true).optional(),
    }),
    ...completion,
    blockedBy,
    heldBy: holder,
  })
  .meta({ component: 'Task' })

// Over REST, the title is also returned under the key of its column.
/** An item that was written. Calls that ask for IDs alone get no other field. */
export const writtenItem = z.looseObject({
  id: z.string(),
  title: z.string().optional(),
  properties: z.looseObject({}).optional(),
})

/** An item as it is read: with its content, or a preview of it. */
const item = z
  .looseObject({
    id: z.string(),
    title: z.string(),
    properties: propertyValues,
    heldBy: holder,
    blockedBy: z
      .array(z.strictObject({ id: z.string(), title: z.string() }))
      .optional()
      .meta({ hidden: true }),
    content: z.array(block as unknown as z.ZodType<AnyBlock>).optional(),
    contentPreviewMd: z.string().optional(),
  })
  .meta({ component: 'Item' })

const calculations = z.record(z.string(), z.union([z.string(), z.number()])).optional()

/** The items of a collection. */
export const itemList = z.strictObject({
  items: z.array(item).max(ITEMS_PER_ANSWER_MAX),
  groups: z
    .array(
      z.strictObject({
        value: z
          .union([
            z.string(),
            z.number(),
            z.boolean(),
            z.strictObject({ blockId: z.string(), title: z.string() }),
            z.strictObject({ memberId: z.string(), name: z.string() }),
          ])
          .optional()
          .describe('Absent for the items without a value'),
        count: z.int(),
        calculations,
      }),
    )
    .max(GROUPS_PER_ANSWER)
    .optional(),
  hasMoreGroups: z.literal(true).optional(),
  calculations,
  pagination,
})

export const reminder = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    blockId: z.string(),
    isCompleted: z.boolean(),
    remindAt: z.string().optional(),
    completedAt: z.string().optional(),
  })
  .meta({ component: 'Reminder' })
