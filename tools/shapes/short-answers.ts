/** What calls that write are answered with `answer: "ids"`: IDs, each once, and what the caller could not know. */
import { z } from 'zod'
import type { ShortAnswer } from '../../src/endpoint.ts'

/** As the interface has it, or short. Calls over MCP get the short one where they do not say: what they may say is shown. */
export const answer = z
  .enum(['ids', 'full'])
  .default('full')
  .meta({ published: { type: 'string', enum: ['full'] } })

/** The same where hardly anybody asks for more than IDs: the list of tools is shorter without it. */
export const unlistedAnswer = answer.meta({ hidden: true })

const withId = z.looseObject({ id: z.string() })

/** The IDs of what was written, one object each, as the whole answer has them. */
export const idsAlone: ShortAnswer<{ items: readonly { id: string }[] }> = {
  output: z.looseObject({ items: z.array(withId) }),
  make: ({ items }) => ({ items: items.map(({ id }) => ({ id })) }),
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

/** The IDs of blocks, and the daily note that they went to, where a day was named. All of a call go to one place. */
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

/** Of a schema the keys that the space made, by name: those of new properties, and of other sides of relations. */
export const newKeys: ShortAnswer<SchemaChange & { collectionBlockId: string; name?: string }, SchemaChange> = {
  output: z.looseObject({ collectionBlockId: z.string(), keys: z.looseObject({}).optional() }),
  make({ schema, name: _name, ...others }, { schema: given }) {
    const known = new Set(given.properties.map(({ key }) => key))
    const made = schema.properties.filter(({ key }) => !known.has(key))
    const keys = Object.fromEntries(made.map(({ name, key }) => [name, key]))
    return { ...others, ...(made.length > 0 && { keys }) }
  },
}
