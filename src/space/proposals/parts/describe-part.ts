/** Describes what a part of a proposal would change: its block, row, value or document before and after. */
import { childBlocks, parentBlock } from '../../../../storage/blocks.ts'
import { documentRecords } from '../../../../storage/documents.ts'
import { documentsOfCalls } from '../../../../storage/history.ts'
import type { BlockRow } from '../../../../storage/schema.ts'
import { blockPosition, siblingBefore } from '../../../../storage/siblings.ts'
import { PART_BLOCKS, PART_TEXT_LENGTH } from '../../../base/limits.ts'
import type { DetailLine } from '../../../difference/unified-diff.ts'
import { hasTitle } from '../../../markdown/block-traits.ts'
import { plainTitle } from '../../../markdown/inline-title.ts'
import { blockMarkdown } from '../../../markdown/write-markdown.ts'
import { findColumn, loadCollection } from '../../collections/schema/find-collection.ts'
import { readItemValues } from '../../collections/schema/item-values.ts'
import { TITLE_KEY } from '../../collections/schema/property-keys.ts'
import { visibleFields } from '../../content/visible-fields.ts'
import { readChangedStates } from '../../history/changed-states.ts'
import { describeRows } from '../../history/described-rows.ts'
import type { Space } from '../../model/space.ts'
import { getBlock } from '../../reading/get-block.ts'
import type { StoredPart } from './part.ts'

/** What a part concerns, at one moment. */
export interface PartState {
  /** Markdown, or a value as JSON; undefined if it is not there. */
  content: unknown
  blockId?: number
  documentId?: number
  /** Where it stands: its parent, and the sibling before it. */
  place?: { parentId: number; afterId?: number }
  /** The key of the property, of a value. */
  property?: string
  /** The title and the values of an added row. */
  item?: { title: string; properties: Record<string, unknown> }
  /** How the block looks besides its text, in a form that is only compared. */
  look?: string
  /** True if its text is longer than what is shown in place. */
  isCut: boolean
}

const NOTHING: PartState = { content: undefined, isCut: false }

/** Reads what a part concerns as it is now. */
export async function readPartState(space: Space, part: StoredPart): Promise<PartState> {
  const { kind, subject, property, end } = part
  const [row] = subject === undefined ? [] : await space.findReachableBlocks([Number(subject)])
  if (row === undefined) return NOTHING
  const [document] = await documentRecords(space.tx, [row.document])
  const found = {
    blockId: row.id,
    ...(document !== undefined && { documentId: document.id }),
    ...(row.parent !== null && { place: await placeOf(space, row) }),
  }
  if (property !== undefined) {
    const key = await columnKey(space, row, property)
    return { ...found, property: key, content: await propertyValue(space, row, key), isCut: false }
  }
  const visible = (await visibleFields(space, [row]))(row)
  if (kind === 'changed' || kind === 'moved' || kind === 'other') {
    const { text: _, ...look } = visible
    // The title of a page with its marks, whose plain text its Markdown is.
    const content = hasTitle(row.type) ? visible.text : blockMarkdown(visible)
    return { ...found, content, look: JSON.stringify(look), isCut: false }
  }
  const { body, isCut } = await textOf(space, end === undefined ? [row] : await rowsUpTo(space, row, end))
  const isRow = kind === 'added' && row.type === 'collectionItem' && end === undefined
  return {
    ...{ ...found, content: isCut ? body.slice(0, PART_TEXT_LENGTH) : body, isCut },
    ...(isRow && { item: { title: plainTitle(visible.text), properties: await propertiesOf(space, row) } }),
  }
}

/** The text of blocks that stand beside each other, with all that they hold. */
async function textOf(space: Space, rows: readonly BlockRow[]): Promise<{ body: string; isCut: boolean }> {
  const texts: string[] = []
  let [length, isCut] = [0, false]
  for (const { id } of rows) {
    if (length > PART_TEXT_LENGTH) break
    const whole = { id, maxDepth: -1, fetchMetadata: false, format: 'markdown', maxBlocks: PART_BLOCKS } as const
    const { body, rest } = await getBlock(space, whole)
    isCut ||= rest !== undefined
    length += body.length
    texts.push(body)
  }
  return { body: texts.join('\n'), isCut: isCut || length > PART_TEXT_LENGTH }
}

/** A block and those after it, up to the last one of its part. */
async function rowsUpTo(space: Space, first: BlockRow, end: string): Promise<BlockRow[]> {
  const parent = await parentBlock(space.tx, first)
  const [last] = await space.findReachableBlocks([Number(end)])
  if (parent === undefined || last === undefined || last.parent !== first.parent) return [first]
  const children = await childBlocks(space.tx, parent)
  const [from, to] = [first, last].map(({ n }) => children.findIndex((one) => one.n === n))
  return children.slice(from, (to ?? 0) + 1)
}

/** The key of a column, which calls may name otherwise. A word that none has stays. */
export async function columnKey(space: Space, row: BlockRow, word: string): Promise<string> {
  const parent = await parentBlock(space.tx, row)
  if (parent?.type !== 'collection') return word
  const found = findColumn(await loadCollection(space, parent), word)
  return found === 'title' ? TITLE_KEY : (found?.key ?? word)
}

async function propertyValue(space: Space, row: BlockRow, property: string): Promise<unknown> {
  if (property === TITLE_KEY) return plainTitle((await visibleFields(space, [row]))(row).text)
  return (await propertiesOf(space, row))[property]
}

const propertiesOf = async (space: Space, row: BlockRow): Promise<Record<string, unknown>> =>
  (await readItemValues(space, [row])).propertiesOf(row)

async function placeOf(space: Space, row: BlockRow): Promise<{ parentId: number; afterId?: number }> {
  const parent = await parentBlock(space.tx, row)
  if (parent === undefined) throw new Error(`Expected the parent of block ${row.id}.`)
  const position = (await blockPosition(space.tx, row.n)) ?? row.position
  const before = await siblingBefore(space.tx, { document: row.document, parent: parent.n }, position)
  return { parentId: parent.id, ...(before !== undefined && { afterId: before }) }
}

/** What a call has changed. */
export interface PartChange {
  /** A hash of every column. */
  digest: string
  /** What Markdown does not show, and everything that has changed. */
  details: DetailLine[]
  all: DetailLine[]
  /** The ID of the first document that it has changed. */
  documentId?: number
}

/** @param call  the number of the call, which is the last one that was logged */
export async function readPartChange(space: Space, call: number): Promise<PartChange> {
  const states = await readChangedStates(space, { from: call - 1, to: call })
  const { digest, details } = await describeRows(space, states, space.now)
  const numbers = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const [document] = await documentRecords(space.tx, numbers)
  return {
    digest,
    details: [...details].flatMap(([number, lines]) => (number === null ? lines.all : lines.beside)),
    all: [...details.values()].flatMap(({ all }) => all),
    ...(document !== undefined && { documentId: document.id }),
  }
}
