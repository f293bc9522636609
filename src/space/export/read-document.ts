/**
 * Reads a document with everything that belongs to it, to write it in another format. A connection with a narrower reach
 * gets what it would read with tools: addresses out of reach are hidden.
 */

import { blockById, blocksByNumbers } from '../../../storage/blocks.ts'
import { commentsOfBlocks } from '../../../storage/comments.ts'
import type { DocumentRecord } from '../../../storage/documents.ts'
import { type StoredElement, whiteboardAssets, whiteboardElements, whiteboardState } from '../../../storage/elements.ts'
import { filesOfBlocks } from '../../../storage/files.ts'
import { collectionProperties } from '../../../storage/properties.ts'
import { remindersOfBlocks } from '../../../storage/reminders.ts'
import type { BlockRow, CommentRow, FileRow, ReminderRow } from '../../../storage/schema.ts'
import { chunks, iterateCooperatively } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { readBlockTree, rowOfNode } from '../blocks/block-tree.ts'
import { visibleAssignees } from '../blocks/task-assignees.ts'
import { type Collection, loadCollection } from '../collections/schema/find-collection.ts'
import { type ItemProperties, readItemValues } from '../collections/schema/item-values.ts'
import { type PropertyAnswer, schemaAnswer } from '../collections/schema/schema-answer.ts'
import type { ViewAnswer } from '../collections/views/view-answer.ts'
import { listViews } from '../collections/views/views.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import { visibleAssets, visibleElements } from '../whiteboards/visible-elements.ts'

/** The content of a whiteboard in Excalidraw's format. */
export interface ExportedDrawing {
  elements: Record<string, unknown>[]
  files: Record<string, unknown>
  appState: Record<string, unknown>
}

export interface ExportedDocument {
  record: DocumentRecord
  /** Its content, without IDs. */
  blocks: Block[]
  rows: ReadonlyMap<Block, BlockRow>
  /** The maps below use the number of a block as their key. For the document itself, that is the number of its root. */
  comments: ReadonlyMap<number, readonly CommentRow[]>
  reminders: ReadonlyMap<number, ReminderRow>
  files: ReadonlyMap<number, FileRow>
  drawings: ReadonlyMap<number, ExportedDrawing>
  collections: ReadonlyMap<number, ExportedCollection>
}

/** A property as in responses, and the numbers of the collections that its values depend on. */
export interface ExportedProperty extends PropertyAnswer {
  /** The collection that a relation targets. */
  target: number | null
  /** The name of the property on the other side of the relation. */
  otherName?: string
}

export interface ExportedCollection {
  name: string
  titleName: string
  titleKey: string
  properties: ExportedProperty[]
  views: ViewAnswer[]
  /**
   * The values of each item, by the number of the item: in the shape that calls accept, and as text by property key.
   */
  values: ReadonlyMap<number, { properties: ItemProperties; texts: ReadonlyMap<string, string> }>
}

/** How many blocks' comments, reminders and files one query reads. */
const BLOCKS_PER_BATCH = 1_000

export async function readExportedDocument(space: Space, record: DocumentRecord): Promise<ExportedDocument> {
  const root = await blockById(space.tx, record.id)
  if (root === undefined) throw new Error(`Expected the root of document ${record.id}.`)
  const { order, rows: byNumber } = await readBlockTree(space, root)
  const rows = new Map<Block, BlockRow>()
  const made = new Map<number, Block>()
  const visible = await visibleRows(space, [...byNumber.values()])
  for await (const node of iterateCooperatively(order)) {
    const { row, block } = visible(rowOfNode(byNumber, node))
    made.set(node.n, block)
    rows.set(block, row)
    const parent = node.parent === undefined ? undefined : made.get(node.parent.n)
    if (parent === undefined) continue
    parent.content ??= []
    parent.content.push(block)
  }
  const numbers = order.map(({ n }) => n)
  const drawings = new Map<number, ExportedDrawing>()
  for (const row of rows.values()) if (row.type === 'whiteboard') drawings.set(row.n, await readDrawing(space, row.n))
  const collections = new Map<number, ExportedCollection>()
  for (const row of rows.values()) {
    if (row.type === 'collection') collections.set(row.n, await readCollection(space, row, [...rows.values()]))
  }
  return {
    ...{ record, rows, drawings, collections, blocks: made.get(root.n)?.content ?? [] },
    ...(await readAttached(space, numbers)),
  }
}

/** Returns blocks with what of them is within reach. */
async function visibleRows(
  space: Space,
  rows: BlockRow[],
): Promise<(row: BlockRow) => { row: BlockRow; block: Block }> {
  if (space.kind === 'full') {
    const withAssignee = await visibleAssignees(space, rows)
    return (row) => {
      const block = fieldsFromRow(row)
      if (block.taskInfo?.assignee !== undefined) block.taskInfo = withAssignee(block.taskInfo)
      return { row, block }
    }
  }
  const visible = await visibleFields(space, rows)
  return (row) => {
    const block: Block = visible(row)
    return { row: { ...row, text: block.text }, block }
  }
}

async function readAttached(space: Space, numbers: readonly number[]) {
  const comments = new Map<number, CommentRow[]>()
  const reminders = new Map<number, ReminderRow>()
  const files = new Map<number, FileRow>()
  const participant = await space.findOwnParticipant()
  for await (const part of chunks(numbers, BLOCKS_PER_BATCH)) {
    for (const comment of await visibleComments(space, await commentsOfBlocks(space.tx, part))) {
      const list = comments.get(comment.block)
      if (list === undefined) comments.set(comment.block, [comment])
      else list.push(comment)
    }
    for (const { block, ...file } of await filesOfBlocks(space.tx, part)) files.set(block, file)
    if (participant === undefined) continue
    for (const one of await remindersOfBlocks(space.tx, participant, part)) reminders.set(one.block, one)
  }
  return { comments, reminders, files }
}

async function visibleComments(space: Space, comments: CommentRow[]): Promise<CommentRow[]> {
  if (space.kind === 'full') return comments
  const visible = await visiblePlainText(
    space,
    comments.map(({ content }) => content),
  )
  return comments.map((comment) => ({ ...comment, content: visible.text(comment.content) }))
}

async function readDrawing(space: Space, board: number): Promise<ExportedDrawing> {
  const { tx, kind } = space
  const stored = { elements: await whiteboardElements(tx, board), assets: await whiteboardAssets(tx, board) }
  const state = await whiteboardState(tx, board)
  const appState = state === undefined ? {} : JSON.parse(state)
  const parsed = (all: readonly StoredElement[]) => all.map(({ json }) => JSON.parse(json))
  const [elements, assets] =
    kind === 'full'
      ? [parsed(stored.elements), parsed(stored.assets)]
      : [
          await visibleElements(space, stored.elements),
          await visibleAssets(
            space,
            stored.assets.map(({ json }) => json),
          ),
        ]
  const files = Object.fromEntries(stored.assets.map(({ id }, index) => [id, assets[index]]))
  return { elements, files, appState }
}

async function readCollection(space: Space, row: BlockRow, rows: readonly BlockRow[]): Promise<ExportedCollection> {
  const collection = await loadCollection(space, row)
  const { contentPropDetails, properties } = await schemaAnswer(space, collection)
  const { views } = await listViews(space, row.id)
  const sides = await otherSides(space, collection)
  const items = rows.filter(({ type, parent }) => type === 'collectionItem' && parent === row.n)
  const values = new Map<number, { properties: ItemProperties; texts: ReadonlyMap<string, string> }>()
  for await (const part of chunks(items, BLOCKS_PER_BATCH)) {
    const read = await readItemValues(space, part)
    for (const item of part) {
      values.set(item.n, { properties: read.propertiesOf(item), texts: new Map(read.textsOf(item)) })
    }
  }
  return {
    ...{ name: collection.name, titleName: contentPropDetails.name, titleKey: contentPropDetails.key, values, views },
    properties: properties.map((answer, index) => {
      const { target = null, otherSide = null } = collection.properties[index] ?? {}
      const otherName = sides.get(otherSide ?? 0)
      return { ...answer, target, ...(otherName !== undefined && { otherName }) }
    }),
  }
}

/** Returns the names of the properties in all target collections of relations within reach, by number. */
async function otherSides(space: Space, { properties }: Collection): Promise<Map<number, string>> {
  const { tx } = space
  const rows = await blocksByNumbers(tx, [...new Set(properties.flatMap(({ target }) => target ?? []))])
  const reached = await space.reachableDocuments(rows.map(({ document }) => document))
  const targets = rows.flatMap(({ n, document }) => (reached.has(document) ? n : []))
  const names = new Map<number, string>()
  for (const n of targets) for (const one of await collectionProperties(tx, n)) names.set(one.n, one.name)
  return names
}
