/** Formats blocks for answers. Source: the interface's "Resources and their fields", and its shapes, 1. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { type BlockFields, MAX_INDENTATION } from '../../markdown/block.ts'
import { plainTitle, readTitle } from '../../markdown/inline-title.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { displayColorOf } from '../blocks/block-input.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { taskBlockers } from '../blocks/task-blockers.ts'
import { type ItemValues, readItemValues } from '../collections/schema/item-values.ts'
import { getComments } from '../comments/block-comments.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { formatTimestamp } from '../model/dates.ts'
import { deepLinks } from '../model/deep-links.ts'
import type { Space } from '../model/space.ts'
import { getBacklinks } from './backlinks.ts'

/** A block as an object of the interface, without its content. */
export interface BlockAnswer {
  id: string
  type: string
  markdown: string
  [field: string]: unknown
}

/** Describes a stored block, with links to blocks out of reach hidden. */
export type DescribeBlock = (row: BlockRow) => BlockAnswer

/**
 * Creates a function that describes blocks as this connection may see them.
 *
 * @param visible  returns the text of a row as this connection may see it
 * @param values  the values of the items among the rows
 * @param metadata  returns the metadata of a block, if requested
 */
export function createBlockDescriber(
  space: Space,
  visible: (row: BlockRow) => BlockFields,
  values: ItemValues,
  metadata?: (row: BlockRow) => object,
): DescribeBlock {
  return (row) => {
    const answer = describeFields(space.spellId(row.id), visible(row))
    if (row.type === 'collectionItem') answer.properties = values.propertiesOf(row)
    if (metadata !== undefined) answer.metadata = metadata(row)
    return answer
  }
}

function describeFields(id: string, fields: BlockFields): BlockAnswer {
  const { type, text } = fields
  const answer: BlockAnswer = { id, type, markdown: blockMarkdown(fields) }
  switch (type) {
    case 'page':
      answer.title = readTitle(text)
      break
    case 'collectionItem':
      answer.title = plainTitle(text)
      break
    case 'code':
      answer.rawCode = text
      answer.language = fields.language ?? 'plaintext'
      break
    case 'line':
      answer.lineStyle = fields.lineStyle ?? 'regular'
      break
    case 'richUrl':
      if (fields.title !== undefined) answer.title = fields.title
      break
    case 'text':
    case 'table':
    case 'image':
    case 'video':
    case 'file':
    case 'drawing':
    case 'whiteboard':
    case 'collection':
      break
  }
  // Key by key, because removing the other fields with a rest pattern took as long as everything else here.
  for (const key in fields) if (!EXCLUDED_FIELDS.has(key)) answer[key] = fields[key as keyof BlockFields]
  if (fields.color !== undefined) answer.displayColor = displayColorOf(fields)
  const { indentationLevel = 0 } = fields
  if (indentationLevel > MAX_INDENTATION) {
    answer.indentationLevel = MAX_INDENTATION
    answer.depth = indentationLevel
  }
  if (fields.listStyle === 'task') answer.taskInfo = fields.taskInfo ?? { state: 'todo' }
  return answer
}

/**
 * Fields that an answer shows under another name, only on some types, or not at all. `colorDark` was stored by earlier
 * versions.
 */
const EXCLUDED_FIELDS: ReadonlySet<string> = new Set([
  ...['type', 'text', 'taskInfo', 'blockedBy', 'colorDark', 'language', 'lineStyle', 'title'],
])

/** Returns who created and changed each of these blocks and when, its comments, and the blocks that link to it. */
export async function getBlockMetadata(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => object> {
  const commentsOf = await getComments(space, rows)
  const backlinksOf = await getBacklinks(space, rows)
  const rootOf = await getRoots(space, rows)
  const blockersOf = await taskBlockers(space, rows)
  return (row) => {
    const comments = commentsOf(row)
    return {
      createdAt: formatTimestamp(row.createdAt),
      lastModifiedAt: formatTimestamp(row.modifiedAt ?? row.createdAt),
      createdBy: row.createdBy,
      lastModifiedBy: row.modifiedBy ?? row.createdBy,
      ...deepLinks(space, { documentId: space.spellId(rootOf(row).id), blockId: space.spellId(row.id) }),
      ...(comments.length > 0 && { comments }),
      ...backlinksOf(row),
      ...(blockersOf.has(row.n) && { blockedBy: blockersOf.get(row.n) }),
    }
  }
}

/** Returns the root block of the document of each of these blocks. */
async function getRoots(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => BlockRow> {
  const roots = new Map(rows.filter(({ parent }) => parent === null).map((row) => [row.n, row]))
  const others = [...new Set(rows.map(({ document }) => document))].filter((document) => !roots.has(document))
  for (const root of others.length === 0 ? [] : await blocksByNumbers(space.tx, others)) {
    roots.set(root.n, root)
  }
  return ({ document }) => {
    const root = roots.get(document)
    if (root === undefined) throw new Error(`Expected the root block of document ${document}.`)
    return root
  }
}

/** The form of the answer of a writing call: the blocks as they are now, or only their IDs. */
export type AnswerFormat = 'full' | 'ids'

/** Formats written blocks as an answer, each with its content. Adds `also` to those at the top. */
export async function blockTreeAnswers(
  space: Space,
  trees: readonly InsertedBlock[],
  format: AnswerFormat,
  extraFields: object = {},
): Promise<{ id: string; [field: string]: unknown }[]> {
  if (format === 'ids') return trees.map(({ row }) => ({ id: space.spellId(row.id), ...extraFields }))
  const all = [...trees]
  for (let index = 0; index < all.length; index++) all.push(...(all[index]?.content ?? []))
  const rows = all.map(({ row }) => row)
  const describe = createBlockDescriber(space, await visibleFields(space, rows), await readItemValues(space, rows))
  const answers = new Map<InsertedBlock, BlockAnswer>()
  // Children before their parents.
  for await (const one of iterateCooperatively(all.reverse())) {
    const answer = describe(one.row)
    if (one.content.length > 0) answer.content = one.content.map((inner) => answers.get(inner))
    answers.set(one, answer)
  }
  return trees.map((tree) => ({ ...(answers.get(tree) ?? describe(tree.row)), ...extraFields }))
}
