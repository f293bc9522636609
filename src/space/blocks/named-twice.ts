/** Blocks whose text and fields say the same thing twice: the address of an image, the title of a page. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../base/errors.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { BlockFieldsInput, NewBlock } from './given-block.ts'

/**
 * A new block whose type and fields are explicit, with what its Markdown adds: the label of a link of another type, or a
 * caption.
 *
 * @throws VALIDATION_ERROR for Markdown that says something else than the fields, which would be lost
 */
export function withTextOf(parsed: readonly Block[], input: NewBlock): Block {
  const { type } = input
  const [first, ...more] = parsed
  const block: Block = { type, text: '' }
  const key = traitsOf(type).label
  const isEmpty = first === undefined || (first.type === 'text' && first.text === '')
  if (more.length === 0 && isEmpty) return block
  const isLink = first?.url !== undefined && (input.url === undefined || first.url === input.url)
  const label = labelOf(first, isLink)
  if (more.length > 0 || key === undefined || (label === undefined && !isLink)) throw twice(input)
  const given = input[key]
  if (label === undefined || label === given) return block
  if (given === undefined) return { ...block, [key]: label }
  if (type === 'richUrl' && input.description === undefined) return { ...block, description: label }
  throw twice(input)
}

/** The text of a link, or of a text block beside the address. */
function labelOf(block: Block | undefined, isLink: boolean): string | undefined {
  if (isLink) return block?.altText ?? block?.fileName ?? block?.title
  return block?.type === 'text' ? plainTitle(block.text) : undefined
}

const twice = ({ type, markdown = '' }: NewBlock) =>
  invalid(
    `Expected markdown of the ${type} block alone, or its fields alone, found both and different: ${JSON.stringify(markdown.slice(0, 60))}; give one of them, and other text as a block of its own.`,
  )

/**
 * An address in `url` takes the place of the one in the Markdown, as when a block is copied for another file.
 *
 * @throws VALIDATION_ERROR for Markdown whose text differs from the field beside it
 */
export function assertTextsAgree(parsed: Block, input: NewBlock): void {
  for (const key of ['altText', 'fileName', 'title'] as const) {
    const [text, field] = [parsed[key], input[key]]
    if (text !== undefined && field !== undefined && typeof field === 'string' && text !== field) throw twice(input)
  }
}

const WRITTEN = [
  'listStyle',
  'textStyle',
  'url',
  'altText',
  'fileName',
  'title',
  'language',
  'info',
  'lineStyle',
] as const

/**
 * The explicit fields of an update beside new Markdown, without those that are as they were: the caller read the block,
 * changed its Markdown and sent all of it back, and the Markdown counts.
 */
export function withoutAsRead(input: BlockFieldsInput, before: BlockFields): BlockFieldsInput {
  const changes = { ...input }
  for (const key of WRITTEN)
    if (Object.hasOwn(changes, key) && isDeepStrictEqual(changes[key], before[key])) delete changes[key]
  if (changes.rawCode === before.text) delete changes.rawCode
  if (changes.taskInfo?.state !== undefined && changes.taskInfo.state === before.taskInfo?.state) {
    const { state: _asRead, ...others } = changes.taskInfo
    changes.taskInfo = others
  }
  return changes
}
