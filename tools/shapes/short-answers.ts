/** Responses of writes with `answer: "ids"`: IDs without duplicates, and what the caller could not know. */
import { isDeepStrictEqual } from 'node:util'
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

interface Written {
  items: readonly { id: string }[]
  conflicts?: readonly object[] | undefined
}

/** The IDs of what was added, one object each, as in the complete response. */
export const idsAlone: ShortAnswer<Written> = {
  output: z.looseObject({ items: z.array(withId) }),
  make: ({ items }) => ({ items: items.map(({ id }) => ({ id })) }),
}

/** Up to this many changed things are listed by their IDs, which the caller has just sent. More are counted. */
const LISTED_CHANGES = 3

/** The schema of {@link changedItems}. */
export const changedOutput = z.looseObject({ items: z.array(withId).optional(), count: z.int().optional() })

/**
 * What was changed, and what was not: a list of a few, and a count of many if no single one has fields of its own. Fields
 * that all of them have in common stand once beside the list.
 *
 * @param items  an ID each, and what the caller could not know
 * @param sent  how many things the caller named. If others have changed as well, all of them are listed.
 */
export function changedItems(
  items: readonly ({ id: string } & object)[],
  sent: number,
  conflicts?: readonly object[],
): object {
  const { items: ids, ...shared } = withSharedFields(items)
  const isPlain = ids.every((item) => Object.keys(item).length === 1)
  const isKnown = isPlain && items.length > LISTED_CHANGES && items.length + (conflicts?.length ?? 0) === sent
  return { ...(isKnown ? { count: items.length } : { items: ids }), ...shared, ...(conflicts && { conflicts }) }
}

/** Moves fields that all of several items have in common out of them. */
export function withSharedFields<Item extends { id: string }>(
  items: readonly Item[],
): { items: readonly { id: string }[] } {
  const [{ id: _, ...first } = { id: '' }, ...others] = items
  const shared = Object.entries(first).filter(([key, value]) =>
    others.every((other) => isDeepStrictEqual(other[key as keyof Item], value)),
  )
  if (others.length === 0 || shared.length === 0) return { items }
  const isShared = new Set(shared.map(([key]) => key))
  const alone = items.map((item) => Object.fromEntries(Object.entries(item).filter(([key]) => !isShared.has(key))))
  return { items: alone as { id: string }[], ...Object.fromEntries(shared) }
}

/** The response of a change that names things by their IDs. @param sent  the list of the call that names them */
export const idsChanged = <Field extends string>(
  sent: Field,
): ShortAnswer<Written, Record<Field, readonly unknown[]>> => ({
  output: changedOutput,
  make: ({ items, conflicts }, given) =>
    changedItems(
      items.map(({ id }) => ({ id })),
      given[sent].length,
      conflicts,
    ),
})

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

/** The IDs of added blocks, and their daily note if a day was given. All blocks of a call have the same place. */
export const placedBlocks: ShortAnswer<{ items: readonly PlacedBlock[] }> = {
  output: z.looseObject({
    items: z.array(withId),
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
  }),
  make: ({ items }) => ({ items: items.map(({ id }) => ({ id })), ...placeOf(items) }),
}

/** The same for blocks that were moved, whose IDs the caller has sent. */
export const movedBlocks: ShortAnswer<{ items: readonly PlacedBlock[] }, { blockIds: readonly unknown[] }> = {
  output: changedOutput,
  make: ({ items }, { blockIds }) => ({
    ...changedItems(
      items.map(({ id }) => ({ id })),
      blockIds.length,
    ),
    ...placeOf(items),
  }),
}

function placeOf([{ documentId, dailyNoteDate } = {} as PlacedBlock]: readonly PlacedBlock[]): object {
  return {
    ...(documentId !== undefined && { documentId }),
    ...(dailyNoteDate !== undefined && { dailyNoteDate }),
  }
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
