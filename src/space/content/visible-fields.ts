/**
 * Returns blocks as a connection may see them: addresses out of reach are hidden, and files have addresses that the
 * connection can follow.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { restorePlainLinks } from '../../markdown/text-addresses.ts'
import { collectStrings, TEXT_FIELDS } from '../../markdown/unsafe-addresses.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { type VisiblePlainText, visiblePlainText, visibleTexts } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import { visibleFileAddresses } from './file-references.ts'

export { collectStrings as stringsIn } from '../../markdown/unsafe-addresses.ts'

export async function visibleFields(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => BlockFields> {
  const textOf = await visibleTexts(space, rows)
  const addressOf = await visibleFileAddresses(space, rows)
  const rowsWithText =
    space.kind === 'full' ? [] : rows.filter(({ attributes }) => TEXT_ATTRIBUTES.test(attributes ?? ''))
  const visibleText = await visiblePlainText(
    space,
    rowsWithText.flatMap((row) => maskableTexts(fieldsFromRow(row))),
  )
  return (row) => {
    const fields = fieldsFromRow(row)
    fields.text = textOf(row)
    const address = addressOf(row)
    const { url } = fields
    maskTexts(fields, visibleText)
    if (address !== undefined) fields.url = address
    else if (url !== undefined) fields.url = visibleText.address(url, traitsOf(fields.type).url === 'shown')
    return fields
  }
}

/** Matches attributes that contain text, an address or styles. Blocks without any of these need no masking. */
const TEXT_ATTRIBUTES = /"(?:url|styling|altText|fileName|title|description|separatorStyle)":/

function maskableTexts({ url, styling, ...fields }: BlockFields): string[] {
  return [url ?? '', ...TEXT_FIELDS.map((key) => fields[key] ?? ''), ...collectStrings(styling)].filter(
    (text) => text !== '',
  )
}

function maskTexts(fields: BlockFields, visibleText: VisiblePlainText): void {
  for (const key of TEXT_FIELDS) {
    const text = fields[key]
    if (text !== undefined) fields[key] = visibleText.text(text)
  }
  if (fields.styling !== undefined) {
    fields.styling = mapStrings(fields.styling, (text) => visibleText.text(visibleText.address(text, true))) as object
  }
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

/** Restores everything in the fields that was hidden from the reader. */
export function restoreFields<Fields extends BlockFields>(fields: Fields, stored: BlockFields): Fields {
  const result = { ...fields }
  for (const key of ['url', ...TEXT_FIELDS] as const) {
    const [text, before] = [result[key], stored[key]]
    if (text !== undefined && before !== undefined) result[key] = restorePlainLinks(text, before)
  }
  if (result.styling !== undefined) result.styling = restoreStrings(result.styling, stored.styling) as object
  return result
}
