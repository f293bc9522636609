/** How links in an export name the blocks that they lead to. */
import { headingsOf } from '../../../storage/blocks.ts'
import { importedAnchors } from '../../../storage/imports.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { chunks } from '../../base/scheduling.ts'
import { visibleText } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import type { Space } from '../model/space.ts'
import { ROWS_PER_BATCH, readAll } from './read-all.ts'

/**
 * Returns the anchor of each block. A heading has its text, if that leads to it and to no other. A block that was
 * imported with a name keeps it. All others have their ID as name.
 *
 * @param linked  blocks that something links to
 */
export async function listAnchors(space: Space, linked: readonly BlockRow[]): Promise<Map<number, string>> {
  const anchors = new Map(linked.map(({ id }) => [id, `^${id}`]))
  const documents = new Map(linked.map(({ id, document }) => [id, document]))
  const named = await readAll(
    (after) => importedAnchors(space.tx, after, ROWS_PER_BATCH),
    ({ n }) => n,
  )
  for (const { id, anchor, document } of named) {
    const [name] = /\^[A-Za-z0-9-]+$/.exec(anchor) ?? []
    // In another document, another block may have that name. An ID, in an export of another space, is here that of
    // another block.
    if (name !== undefined && !LIKE_ID.test(name) && documents.get(id) === document) anchors.set(id, name)
  }
  for await (const part of chunks(documentsWithHeadings(linked), ROWS_PER_BATCH)) {
    const headings = Map.groupBy(await headingsOf(space.tx, part), ({ document }) => document)
    for (const rows of headings.values()) {
      for (const [row, text] of namedByText(rows)) if (anchors.has(row.id)) anchors.set(row.id, text)
    }
  }
  return anchors
}

const LIKE_ID = /^\^\d{12}$/

const documentsWithHeadings = (linked: readonly BlockRow[]): number[] => [
  ...new Set(linked.filter(isPlainHeading).map(({ document }) => document)),
]

/** True for a heading that stands at the beginning of a line of its document. */
function isPlainHeading(row: BlockRow): boolean {
  if (row.type !== 'text' || row.parent !== row.document || row.indentation > 0 || row.listStyle !== null) return false
  const { textStyle = '', decorations } = fieldsFromRow(row)
  return /^h\d$/.test(textStyle) && decorations === undefined
}

/** The headings that are the first of their document with their text. */
function* namedByText(rows: readonly BlockRow[]): Generator<[row: BlockRow, text: string]> {
  for (const same of Map.groupBy(rows, ({ text }) => lettersOf(plainTextOf(text))).values()) {
    const [first] = same.toSorted((one, other) => (one.position < other.position ? -1 : 1))
    if (first === undefined || !same.every(isPlainHeading)) continue
    const plain = plainTextOf(first.text)
    // A text that an importer would find only by reading the marks in it is not relied on.
    if (lettersOf(plain) !== '' && lettersOf(plain) === lettersOf(first.text)) yield [first, plain]
  }
}

/** The text without what has a meaning in a link. */
const plainTextOf = (text: string): string =>
  visibleText(readInline(text))
    .replace(/[\s#^|[\]:%\\<>]+/g, ' ')
    .trim()

/** Links compare headings by their letters and digits alone. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
