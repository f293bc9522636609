/**
 * Returns blocks as a connection may see them: addresses out of reach are hidden, and files have addresses that the
 * connection can follow.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { mapPlainTexts, PLAIN_TEXT_KEYS, plainTextsOf } from '../../markdown/plain-texts.ts'
import { restorePlainLinks } from '../../markdown/text-addresses.ts'
import { collectStrings } from '../../markdown/unsafe-addresses.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { type VisiblePlainText, visiblePlainText, visibleTexts } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import { visibleFileAddresses } from './file-references.ts'

export { collectStrings as stringsIn } from '../../markdown/unsafe-addresses.ts'

export async function visibleFields(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => BlockFields> {
  const textOf = await visibleTexts(space, rows)
  const addressOf = await visibleFileAddresses(space, rows)
  const rowsWithText = space.kind === 'full' ? [] : rows.filter(({ attributes }) => hasTexts(attributes ?? ''))
  const visibleText = await visiblePlainText(
    space,
    rowsWithText.flatMap((row) => maskableTexts(fieldsFromRow(row))),
  )
  return (row) => {
    const fields = fieldsFromRow(row)
    fields.text = textOf(row)
    const address = addressOf(row)
    const { url } = fields
    const shown = row.attributes === null ? fields : maskTexts(fields, visibleText)
    if (address !== undefined) shown.url = address
    else if (url !== undefined)
      shown.url = visibleText.text(visibleText.address(url, traitsOf(fields.type).url === 'shown'))
    return shown
  }
}

/** False for attributes without text, addresses and styles. Blocks without any of these need no masking. */
const hasTexts = (attributes: string): boolean =>
  attributes.includes('"url":') || attributes.includes('"styling":') || PLAIN_TEXT_KEYS.test(attributes)

const maskableTexts = (fields: BlockFields): string[] =>
  [fields.url ?? '', ...plainTextsOf(fields), ...collectStrings(fields.styling)].filter((text) => text !== '')

function maskTexts(fields: BlockFields, visibleText: VisiblePlainText): BlockFields {
  const shown = mapPlainTexts(fields, (text) => visibleText.text(text))
  if (fields.styling !== undefined) {
    shown.styling = mapStrings(fields.styling, (text) => visibleText.text(visibleText.address(text, true))) as object
  }
  return shown
}

/** Maps all strings in a JSON value. Other values are returned unchanged. */
export function mapStrings(value: unknown, map: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return map(value, key)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, map, key))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, map, name)]))
}

/** Restores addresses that were hidden from the reader when a value is written back. */
export function restoreStrings(value: unknown, stored: unknown): unknown {
  if (typeof value === 'string') return typeof stored === 'string' ? restorePlainLinks(value, stored) : value
  if (typeof value !== 'object' || value === null || typeof stored !== 'object' || stored === null) return value
  if (Array.isArray(value)) return value.map((inner, index) => restoreStrings(inner, (stored as unknown[])[index]))
  const before = stored as Record<string, unknown>
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, restoreStrings(inner, before[key])]))
}

/**
 * Restores everything in the fields that was hidden from the reader. A text that has come to another place, such as the
 * title of a callout in one more, is looked for among all texts of the block.
 */
export function restoreFields<Fields extends BlockFields>(fields: Fields, stored: BlockFields): Fields {
  const all = plainTextsOf(stored)
  const result = mapPlainTexts(
    fields,
    (text, before) => {
      const restored = before === undefined ? text : restorePlainLinks(text, before)
      return restored === text ? restorePlainLinks(text, all.join('\n')) : restored
    },
    stored,
  )
  const { url, styling } = result
  if (url !== undefined && stored.url !== undefined) result.url = restorePlainLinks(url, stored.url)
  if (styling !== undefined) result.styling = restoreStrings(styling, stored.styling) as object
  return result
}

/**
 * Restores the plain texts that stand in another block now, such as the title of a callout that begins at a new one.
 *
 * @param shown  the fields of the stored blocks as the reader saw them, each with the stored ones
 */
export function movedTexts(
  shown: Iterable<readonly [BlockFields, BlockFields]>,
): <B extends BlockFields>(block: B) => B {
  const hidden = new Map<string, string[]>()
  for (const [seen, stored] of shown) {
    mapPlainTexts(
      seen,
      (text, before = text) => {
        if (text !== before) addToGroup(hidden, text, before)
        return text
      },
      stored,
    )
  }
  // Each is used once, unless it is the only one.
  const next = (text: string) => {
    const [first, ...others] = hidden.get(text) ?? []
    if (others.length > 0) hidden.set(text, others)
    return first === undefined ? text : restorePlainLinks(text, first)
  }
  return (block) => (hidden.size === 0 ? block : mapPlainTexts(block, next))
}
