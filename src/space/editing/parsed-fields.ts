/** What a line of Markdown says of a block. */
import type { Block, BlockFields } from '../../markdown/block.ts'
import { preserveCallouts } from '../../markdown/callout-levels.ts'

/**
 * Merges the fields that a line of Markdown can express: the styles of text and list, quote and callout, and the state
 * of a task. The other fields stay as they were. So does the indentation if the line has none; `indentationLevel: 0`
 * removes it.
 *
 * @param parsed  a block of the same type
 */
export function mergeParsedFields(before: BlockFields, parsed: Block): BlockFields {
  const {
    listStyle: _list,
    number: _number,
    decorations: _decorations,
    textStyle,
    language: _language,
    info: _info,
    lineStyle: _line,
    ...otherFields
  } = before
  const after: BlockFields = { ...otherFields }
  if (textStyle === 'card' || textStyle === 'page') after.textStyle = textStyle
  const {
    taskInfo,
    id: _id,
    content: _content,
    leadingNumber: _leading,
    shortRows: _short,
    isIndentedCode: _indented,
    ...parsedFields
  } = parsed
  Object.assign(after, parsedFields)
  const decorations = preserveCallouts(before.decorations, parsed.decorations)
  if (decorations !== undefined) after.decorations = decorations
  if (taskInfo !== undefined) after.taskInfo = { ...before.taskInfo, state: taskInfo.state }
  return after
}
