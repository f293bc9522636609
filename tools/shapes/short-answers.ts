/** Responses of writes with `answer: "ids"`: IDs without duplicates, and what the caller could not know. */
import { z } from 'zod'
import type { ShortAnswer } from '../../src/endpoint.ts'

/** The complete response of the contract, or a short one. Short is the default over MCP. */
export const answer = z
  .enum(['ids', 'full'])
  .default('full')
  .meta({ published: { type: 'string', enum: ['full'] } })

/** The same, but not listed, for tools whose complete response is rarely needed. This shortens the tool list. */
export const unlistedAnswer = answer.meta({ hidden: true })

const withId = z.looseObject({ id: z.string() })

/** The IDs of what was written, one object each, as in the complete response, and what was not written. */
export const idsAlone: ShortAnswer<{ items: readonly { id: string }[]; conflicts?: readonly object[] | undefined }> = {
  output: z.looseObject({ items: z.array(withId) }),
  make: ({ items, conflicts }) => ({ items: items.map(({ id }) => ({ id })), ...(conflicts && { conflicts }) }),
}

/** The ID of the one thing that was written. */
export const idAlone: ShortAnswer<{ id: string }> = {
  output: withId,
  make: ({ id }) => ({ id }),
}

interface PlacedBlock {
  id: string
  documentId?: unknown
  dailyNoteDate?: unknown
}

/** The IDs of blocks, and their daily note if a day was given. All blocks of a call have the same place. */
export const placedBlocks: ShortAnswer<{ items: readonly PlacedBlock[] }> = {
  output: z.looseObject({
    items: z.array(withId),
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
  }),
  make({ items }) {
    const [{ documentId, dailyNoteDate } = {} as PlacedBlock] = items
    return {
      items: items.map(({ id }) => ({ id })),
      ...(documentId !== undefined && { documentId }),
      ...(dailyNoteDate !== undefined && { dailyNoteDate }),
    }
  },
}

interface SchemaChange {
  schema: { properties: readonly { name: string; key?: string | undefined }[] }
}

/**
 * For schemas, the keys that the space created by name: those of new properties, and of the reverse sides of relations.
 */
export const newKeys: ShortAnswer<SchemaChange & { collectionBlockId: string; name?: string }, SchemaChange> = {
  output: z.looseObject({ collectionBlockId: z.string(), keys: z.looseObject({}).optional() }),
  make({ schema, name: _name, ...others }, { schema: given }) {
    const known = new Set(given.properties.map(({ key }) => key))
    const made = schema.properties.filter(({ key }) => !known.has(key))
    const keys = Object.fromEntries(made.map(({ name, key }) => [name, key]))
    return { ...others, ...(made.length > 0 && { keys }) }
  },
}
