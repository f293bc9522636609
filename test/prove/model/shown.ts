/** Blocks as they appear in responses. */

import { markdown, plain, taskMarkdown, title } from './texts.ts'
import { itemValues } from './values.ts'
import type { Block, Json } from './world.ts'

/** @param isRead  true for blocks_get, which shows comments, and an empty list for containers without content */
export function show(block: Block, isRead = false): Json {
  const { id, type, text, indentation, listStyle, task, comments } = block
  const { language, lineStyle, ...fields } = block.fields
  const shown: Json = { id, type, markdown: markdown(block), ...fields }
  if (type === 'page') shown.title = title(block)
  if (type === 'collectionItem') Object.assign(shown, { title: plain(text), properties: itemValues(block) })
  if (type === 'code') Object.assign(shown, { rawCode: text, language: language ?? 'plaintext' })
  if (type === 'line') shown.lineStyle = lineStyle ?? 'regular'
  if (indentation > 0) shown.indentationLevel = indentation
  if (listStyle !== undefined) shown.listStyle = listStyle
  if (listStyle === 'task') shown.taskInfo = task ?? { state: 'todo' }
  if (isRead && comments.length > 0) {
    shown.comments = comments.map(({ id, author, content, resolvedBy }) => ({
      id,
      author,
      content,
      ...(resolvedBy && { resolvedBy }),
    }))
  }
  return shown
}

/** A block with its content, as in the responses of writes. */
export function showTree(block: Block): Json {
  const shown = show(block)
  return block.children.length === 0 ? shown : { ...shown, content: block.children.map(showTree) }
}

const HOLDERS = ['page', 'collection']

/** A block with its content, as in the responses of blocks_get. */
export function showRead(block: Block): Json {
  const shown = show(block, true)
  if (block.children.length === 0 && !HOLDERS.includes(block.type)) return shown
  return { ...shown, content: block.children.map(showRead) }
}

/** A task as in the responses of the task tools. */
export function showTask(block: Block, location: object): Json {
  const { state, scheduleDate, deadlineDate, completedAt, canceledAt, repeat } = block.task ?? { state: 'todo' }
  return {
    id: block.id,
    markdown: taskMarkdown(block),
    taskInfo: { state, scheduleDate, deadlineDate },
    ...{ location, completedAt, canceledAt, repeat },
  }
}
