/**
 * Returns blocks as a connection may see them: addresses out of reach are hidden, and files have addresses that the
 * connection can follow.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { withCoverAddress } from '../../markdown/page-cover.ts'
import { mapPlainTexts, PLAIN_TEXT_KEYS, plainTextsOf } from '../../markdown/plain-texts.ts'
import { restorePlainLinks } from '../../markdown/text-addresses.ts'
import { collectStrings as stringsIn } from '../../markdown/unsafe-addresses.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { visibleAssignees } from '../blocks/task-assignees.ts'
import { readTaskBlockers } from '../blocks/task-blockers.ts'
import { type VisiblePlainText, visiblePlainText, visibleTexts } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import { visibleFileAddresses } from './file-references.ts'

export { stringsIn }

export async function visibleFields(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => BlockFields> {
  const textOf = await visibleTexts(space, rows)
  const blockers = await readTaskBlockers(space, rows)
  const addressOf = await visibleFileAddresses(space, rows)
  const withAssignee = await visibleAssignees(space, rows)
  const rowsWithText = space.kind === 'full' ? [] : rows.filter(({ attributes }) => hasTexts(attributes ?? ''))
  const visibleText = await visiblePlainText(
    space,
    rowsWithText.flatMap((row) => maskableTexts(fieldsFromRow(row))),
  )
  return (row) => {
    const fields = fieldsFromRow(row)
    fields.text = textOf(row)
    if (fields.blockedBy !== undefined) fields.blockedBy = fields.blockedBy.filter((id) => blockers.has(id))
    if (fields.taskInfo?.assignee !== undefined) fields.taskInfo = withAssignee(fields.taskInfo)
    const address = addressOf(row)
    const { url } = fields
    const shown = row.attributes === null ? fields : maskTexts(fields, visibleText)
    const name = nameIn(shown)
    if (name !== undefined && shown.taskInfo !== undefined) {
      shown.taskInfo = { ...shown.taskInfo, assignee: { name: visibleText.text(name) } }
    }
    if (address !== undefined && fields.type === 'page') return withCoverAddress(shown, address)
    if (address !== undefined) shown.url = address
    else if (url !== undefined)
      shown.url = visibleText.text(visibleText.address(url, traitsOf(fields.type).url === 'shown'))
    return shown
  }
}

/** False for attributes without text, addresses and styles. Blocks without any of these need no masking. */
const hasTexts = (attributes: string): boolean =>
  attributes.includes('"url":') ||
  attributes.includes('"assignee":') ||
  attributes.includes('"styling":') ||
  PLAIN_TEXT_KEYS.test(attributes)

/** The name of somebody who does a task and is no member: a text that anyone may have written. */
function nameIn({ taskInfo }: BlockFields): string | undefined {
  const { assignee } = taskInfo ?? {}
  return typeof assignee === 'object' && assignee.id === undefined ? assignee.name : undefined
}

const maskableTexts = (fields: BlockFields): string[] =>
  [fields.url ?? '', nameIn(fields) ?? '', ...plainTextsOf(fields), ...stringsIn(fields.styling)].filter(
    (text) => text !== '',
  )

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

/** A block whose texts may stand elsewhere after an edit. */
export interface EditedBlock {
  /** As the connection saw it. */
  seen: BlockFields
  stored: BlockFields
  /** As it is written; undefined for a block that the edit leaves out. */
  written: BlockFields | undefined
}

/**
 * Restores the plain texts that stand in another block now, such as the title of a callout that begins at a new one.
 * Texts that still stand in their own block are not taken from it.
 */
export function movedTexts(blocks: Iterable<EditedBlock>): <B extends BlockFields>(block: B) => B {
  const hidden = new HiddenTexts()
  for (const { seen, stored, written } of blocks) {
    const kept = written === undefined ? [] : plainTextsOf(written)
    mapPlainTexts(
      seen,
      (text, before = text) => {
        hidden.add(text, before, kept.includes(text))
        return text
      },
      stored,
    )
  }
  return (block) => (hidden.isEmpty ? block : mapPlainTexts(block, (text) => hidden.restore(text)))
}

/**
 * Restores the texts in a JSON value that the connection read with hidden addresses, wherever in the value they stand
 * now. An edited text gets back the addresses of the stored one at its place.
 *
 * @param shown  the stored value as the connection saw it
 */
export function restoreTexts<Value>(value: Value, shown: unknown, stored: unknown): Value {
  const hidden = new HiddenTexts()
  const before = stringsIn(stored)
  for (const [index, text] of stringsIn(shown).entries()) hidden.add(text, before[index] ?? text)
  if (hidden.isEmpty) return value
  return restoreStrings(
    mapStrings(value, (text) => hidden.restore(text)),
    stored,
  ) as Value
}

/** Texts with hidden addresses: as they are stored, by what is shown in their place. */
class HiddenTexts {
  readonly #all = new Map<string, Set<string>>()
  readonly #left = new Map<string, string[]>()

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /** @param isKept  true if it still stands in its place */
  add(shown: string, stored: string, isKept = false): void {
    if (shown === stored) return
    this.#all.set(shown, (this.#all.get(shown) ?? new Set<string>()).add(stored))
    if (!isKept) addToGroup(this.#left, shown, stored)
  }

  /** Each is used once, in order. After that a text is restored if only one stored text looks like it. */
  restore(text: string): string {
    const [next, ...others] = this.#left.get(text) ?? []
    if (next !== undefined) {
      this.#left.set(text, others)
      return next
    }
    const [only = text, ...more] = this.#all.get(text) ?? []
    return more.length === 0 ? only : text
  }
}
