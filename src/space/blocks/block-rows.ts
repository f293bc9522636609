/** Converts between blocks and storage rows. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { readInChunks } from '../../base/scheduling.ts'
import { type BlockFields, type BlockType, MAX_INDENTATION } from '../../markdown/block.ts'
import type { Space } from '../model/space.ts'

/** How many rows are read before yielding to other calls: a few milliseconds of work. */
export const ROWS_PER_BATCH = 2_000

/** Reads the blocks with these numbers, in no particular order and without a limit. */
export const readBlockRows = ({ tx }: Space, ns: readonly number[]): Promise<BlockRow[]> =>
  readInChunks(ns, ROWS_PER_BATCH, (part) => blocksByNumbers(tx, part))

/** The columns that hold a block's fields. */
export type BlockColumns = Pick<BlockRow, 'type' | 'text' | 'indentation' | 'listStyle' | 'number' | 'attributes'>

export function fieldsFromRow(row: BlockColumns): BlockFields {
  const fields: BlockFields = { type: row.type as BlockType, text: row.text }
  if (row.indentation > 0) fields.indentationLevel = row.indentation
  if (row.listStyle !== null) fields.listStyle = row.listStyle as NonNullable<BlockFields['listStyle']>
  if (row.number !== null) fields.number = row.number
  if (row.attributes !== null) Object.assign(fields, JSON.parse(row.attributes))
  return fields
}

/** Fields that are not attributes: they have their own column, are stored in other rows, or are output only. */
const NON_ATTRIBUTE_KEYS = new Set([
  ...['type', 'text', 'indentationLevel', 'listStyle', 'number', 'leadingNumber', 'shortRows'],
  ...['id', 'content', 'contentPreview', 'propertyKeys', 'propertyTexts', 'reading', 'statedFacts'],
  ...['ignoredTaskInfo', 'isIndentedCode'],
])

/**
 * The level of a block. The column ends at that of JSON; the attributes of a deeper block have the level itself, so that
 * blocks are read without a look at it.
 */
export function levelOfRow({ indentation, attributes }: Pick<BlockRow, 'indentation' | 'attributes'>): number {
  if (indentation < MAX_INDENTATION || attributes === null) return indentation
  const { indentationLevel = indentation }: Partial<BlockFields> = JSON.parse(attributes)
  return indentationLevel
}

/** Returns the columns of a block. `id` and `content` are ignored if the value has them. */
export function columnsFromFields(fields: BlockFields): BlockColumns {
  const { type, text, indentationLevel = 0, listStyle, number } = fields
  let attributes: Record<string, unknown> | undefined =
    indentationLevel > MAX_INDENTATION ? { indentationLevel } : undefined
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || NON_ATTRIBUTE_KEYS.has(key)) continue
    attributes ??= {}
    attributes[key] = value
  }
  return {
    type,
    text,
    indentation: Math.min(indentationLevel, MAX_INDENTATION),
    listStyle: listStyle ?? null,
    number: listStyle === 'numbered' ? (number ?? null) : null,
    attributes: attributes === undefined ? null : JSON.stringify(attributes),
  }
}
