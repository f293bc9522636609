/** Blocks as rows of storage, and back. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { readInChunks } from '../../base/scheduling.ts'
import type { BlockFields, BlockType } from '../../markdown/block.ts'
import type { Space } from '../model/space.ts'

/** Rows that are read before other calls get their turn: some milliseconds. */
export const ROWS_PER_BATCH = 2_000

/** The blocks of these numbers, in no order, however many. */
export const readBlockRows = ({ tx }: Space, ns: readonly number[]): Promise<BlockRow[]> =>
  readInChunks(ns, ROWS_PER_BATCH, (part) => blocksByNumbers(tx, part))

/** The columns that hold a block's fields. */
export type BlockColumns = Pick<BlockRow, 'type' | 'text' | 'indentation' | 'listStyle' | 'attributes'>

export function fieldsFromRow(row: BlockColumns): BlockFields {
  const fields: BlockFields = { type: row.type as BlockType, text: row.text }
  if (row.indentation > 0) fields.indentationLevel = row.indentation
  if (row.listStyle !== null) fields.listStyle = row.listStyle as NonNullable<BlockFields['listStyle']>
  if (row.attributes !== null) Object.assign(fields, JSON.parse(row.attributes))
  return fields
}

/** What is no attribute: a column of its own, another row, or shown alone. */
const NON_ATTRIBUTE_KEYS = new Set([
  ...['type', 'text', 'indentationLevel', 'listStyle'],
  ...['id', 'content', 'contentPreview', 'propertyKeys', 'propertyTexts', 'reading', 'statedFacts'],
])

/** The columns of a block; `id` and `content`, if the value carries them, are not among its fields. */
export function columnsFromFields(fields: BlockFields): BlockColumns {
  const { type, text, indentationLevel, listStyle } = fields
  let attributes: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || NON_ATTRIBUTE_KEYS.has(key)) continue
    attributes ??= {}
    attributes[key] = value
  }
  return {
    type,
    text,
    indentation: indentationLevel ?? 0,
    listStyle: listStyle ?? null,
    attributes: attributes === undefined ? null : JSON.stringify(attributes),
  }
}
