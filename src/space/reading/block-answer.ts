/** Blocks as answers show them. Source: the interface's "Resources and their fields", and its shapes, 1. */
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { plainTitle, readTitle } from '../../markdown/inline-title.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { type ItemValues, readItemValues } from '../collections/schema/item-values.ts'
import { getComments } from '../comments/block-comments.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { formatTimestamp } from '../model/dates.ts'
import { deepLink } from '../model/deep-links.ts'
import type { Space } from '../model/space.ts'
import { getBacklinks } from './backlinks.ts'

/** A block as an object of the interface, without its content. */
export interface BlockAnswer {
  id: string
  type: string
  markdown: string
  [field: string]: unknown
}

/** Describe stored blocks, their links to blocks out of reach hidden. */
export type DescribeBlock = (row: BlockRow) => BlockAnswer

/**
 * How this connection sees blocks.
 *
 * @param visible  the text of a row as this connection may see it
 * @param values  those of the items among the rows
 * @param metadata  what each block is to say of its making, where that was asked for
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
  }
  // Key by key: taking the others out of an object with a rest was as much work as all else here.
  for (const key in fields) if (!EXCLUDED_FIELDS.has(key)) answer[key] = fields[key as keyof BlockFields]
  if (fields.listStyle === 'task') answer.taskInfo = fields.taskInfo ?? { state: 'todo' }
  return answer
}

/** Fields that an answer holds under another name, on some types alone, or not at all. */
const EXCLUDED_FIELDS: ReadonlySet<string> = new Set([
  ...['type', 'text', 'taskInfo', 'colorDark', 'language', 'lineStyle', 'title'],
])

/** Who created and changed each of these blocks, when, its comments, and what links to it. */
export async function getBlockMetadata(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => object> {
  const commentsOf = await getComments(space, rows)
  const backlinksOf = await getBacklinks(space, rows)
  return (row) => {
    const comments = commentsOf(row)
    return {
      createdAt: formatTimestamp(row.createdAt),
      lastModifiedAt: formatTimestamp(row.modifiedAt ?? row.createdAt),
      createdBy: row.createdBy,
      lastModifiedBy: row.modifiedBy ?? row.createdBy,
      clickableLink: deepLink(space, { blockId: space.spellId(row.id) }),
      ...(comments.length > 0 && { comments }),
      ...backlinksOf(row),
    }
  }
}

/** How a writing call answers: with the blocks as they are now, or with their IDs alone. */
export type AnswerFormat = 'full' | 'ids'

/** Written blocks as an answer, each with what it holds; `also` stands on those at the top. */
export async function blockTreeAnswers(
  space: Space,
  trees: readonly InsertedBlock[],
  format: AnswerFormat,
  extraFields: object = {},
) {
  if (format === 'ids') return trees.map(({ row }) => ({ id: space.spellId(row.id), ...extraFields }))
  const all = [...trees]
  for (let index = 0; index < all.length; index++) all.push(...(all[index]?.content ?? []))
  const rows = all.map(({ row }) => row)
  const describe = createBlockDescriber(space, await visibleFields(space, rows), await readItemValues(space, rows))
  const answers = new Map<InsertedBlock, BlockAnswer>()
  // From what is held to what holds it.
  for await (const one of iterateCooperatively(all.reverse())) {
    const answer = describe(one.row)
    if (one.content.length > 0) answer.content = one.content.map((inner) => answers.get(inner))
    answers.set(one, answer)
  }
  return trees.map((tree) => ({ ...answers.get(tree), ...extraFields }))
}
