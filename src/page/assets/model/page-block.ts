/** Blocks of the page as values, and as nodes of the editor. */
import type { Fragment, Node } from 'prosemirror-model'
import { fenceLabel } from '../../../markdown/blocks/code-block.ts'
import { type ColumnAlignment, readTableGrid, writeTableGrid } from '../../../markdown/table-grid.ts'
import { editableText, type Fields, markdownFor, NO_TEXT } from './block-text.ts'
import { schema } from './editor-schema.ts'
import { readContent, writeContent } from './inline-nodes.ts'

/** A block as reads have it. */
export interface PageBlock {
  /** Its ID, or a placeholder until the server has answered. */
  id: string
  fields: Fields
  /** All of its Markdown, with what stands before the text. */
  markdown: string
}

const { nodes } = schema

/** Where each type is changed: in the editor, or elsewhere. */
const EDITED: Readonly<Record<Fields['type'], boolean>> = {
  text: true,
  code: true,
  table: true,
  page: false,
  whiteboard: false,
  collection: false,
  collectionItem: false,
  image: false,
  video: false,
  file: false,
  drawing: false,
  richUrl: false,
  line: false,
}

/** True if the text of the block is edited in place. Cards and pages have content of their own. */
export const isEditedHere = ({ type, textStyle }: Fields): boolean =>
  EDITED[type] && !(type === 'text' && (textStyle === 'card' || textStyle === 'page'))

export const isCodeNode = ({ type }: Node): boolean => type === nodes.code_block
export const isTextNode = ({ type }: Node): boolean => type === nodes.text_block
const isTableNode = ({ type }: Node): boolean => type === nodes.table
export const idOf = ({ attrs }: Node): string => attrs.id
export const fieldsOfNode = ({ attrs }: Node): Fields => attrs.fields

/** Builds the node of a block. */
export function nodeOf(block: PageBlock): Node {
  const node = buildNode(block)
  blocks.set(node, block)
  return node
}

function buildNode({ id, fields, markdown }: PageBlock): Node {
  if (!isEditedHere(fields)) return nodes.shown.create({ id, fields, markdown })
  const text = editableText(markdown, fields)
  const attributes = { id, fields }
  if (fields.type === 'code') return nodes.code_block.create(attributes, text === '' ? null : schema.text(text))
  const node =
    fields.type === 'table'
      ? nodes.table.create(attributes, rowsOf(text))
      : nodes.text_block.create(attributes, readContent(text))
  texts.set(node.content, text)
  return node
}

/** The texts of content that was read, until it is changed. */
const texts = new WeakMap<Fragment, string>()

/** The text of a block without what stands before it: inline Markdown, a table, or code. */
export function textOf(node: Node): string {
  if (isCodeNode(node)) return node.textContent
  const known = texts.get(node.content)
  if (known !== undefined) return known
  const text = isTableNode(node) ? tableText(node) : writeContent(node.content)
  texts.set(node.content, text)
  return text
}

/** The block of a node. Nodes never change, so that the same one gives the same block. */
export function blockOf(node: Node): PageBlock {
  const known = blocks.get(node)
  if (known !== undefined) return known
  const block = readBlock(node)
  blocks.set(node, block)
  return block
}

const blocks = new WeakMap<Node, PageBlock>()

function readBlock(node: Node): PageBlock {
  const { id, fields, markdown } = node.attrs
  if (node.type === nodes.shown) return { id, fields, markdown }
  const written = markdownFor(fields, textOf(node))
  return { id, fields, markdown: written === NO_TEXT ? '' : written }
}

function rowsOf(table: string): Node[] {
  const { rows, alignments } = readTableGrid(table)
  return rows.map((cells, row) =>
    nodes.table_row.create(
      null,
      cells.map((text, column) =>
        (row === 0 ? nodes.table_header : nodes.table_cell).create(
          { alignment: alignments[column] ?? null },
          readContent(text),
        ),
      ),
    ),
  )
}

function tableText(table: Node): string {
  const rows = table.content.content.map((row) => row.content.content.map((cell) => writeContent(cell.content, 'cell')))
  const alignments = table.firstChild?.content.content.map(({ attrs }) => attrs.alignment ?? undefined) ?? []
  return writeTableGrid({ rows, alignments: alignments as ColumnAlignment[] })
}

/** What the language field of code shows. */
export const languageOf = (node: Node): string => fenceLabel(fieldsOfNode(node))
